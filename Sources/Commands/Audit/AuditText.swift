import Audit
import Bytes
import CommandLineKit
import Records

/// The audit of one store for a person: at a glance, then operations, then findings.
struct AuditText {
  private let audit: StoreAudit
  private let name: String
  private let style: TextStyle
  private let changes: ChangeList

  /// Up to how many operations their rows are read, so that what they would send can be shown.
  static let fewOperations = 1000
  /// How many operations are listed; all of them are in the JSON and CSV reports.
  private static let operationLimit = 50

  /// A page under the name that a person gave the store.
  init(_ audit: StoreAudit, name: String, style: TextStyle) {
    self.audit = audit
    self.name = name
    self.style = style
    changes = audit.changes
  }

  var text: String {
    let changes = ChangeText(audit: audit, style: style).text(changes)
    let parts = [heading, replays, kinds, failures, tokens, operations, changes, findings]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  private var pendingCount: Int { audit.effects.traits.pending.count }

  private var heading: String {
    let generation = audit.source.generation.map { ", generation \($0)" } ?? ""
    let device = audit.source.givenDevice.map { " [\(escapedAsOneWord($0))]" } ?? ""
    let name = style.bold(escapedAsOneWord(name)) + device
    let pendingCount = pendingCount
    let parts = ChangeFate.allCases.filter { changes.counts[$0] > 0 }.map {
      "\(changes.counts[$0].grouped) \($0.words(changes.counts[$0]))"
    }
    let waiting =
      pendingCount == 0
      ? audit.source.nothingWaits(audit.findings.codes)
      : "\(pendingCount.counted("operation waits", "operations wait")) to be sent; "
        + "\(changes.counts.sendable.counted("item or step", "items or steps")) would change "
        + "on the server."
    let fates = changes.isEmpty ? "" : "\nOf the changes " + parts.joined(separator: ", ") + "."
    let words = [
      audit.twin.map { "it has the same bytes as \($0), in which the same operations wait" },
      audit.source.caveat(audit.findings.codes), audit.source.wordsOfAllThatWaits,
      audit.wordsOfService,
    ].compactMap(\.self)
    let caveats = (pendingCount == 0 ? [] : words).map { "\nNote: \(escapedForTerminal($0))." }
    return "\(name): \(audit.source.layout.rawValue)\(generation)\n\(waiting)\(fates)"
      + caveats.joined() + "\n"
  }

  /// What was sent before, target by target; what waits is counted for the latest server of each
  /// device.
  private var replays: String {
    let deliveries = audit.queue.deliveries
    let summaries = deliveries.summaries
    let hasSeveralServers = summaries.count { !$0.isRehearsal } > 1
    let latest = deliveries.latestTargets
    let whose = latest.count > 1 ? " of some devices" : ""
    let lines = summaries.map { summary in
      let target = summary.target
      let parts = ReplayOutcome.allCases.compactMap { outcome in
        summary.counts[outcome].map { "\($0.grouped) \(outcome.words)" }
      }
      let isChosen = hasSeveralServers && latest.contains { hasSameBytes($0, target) }
      let note = isChosen ? " (the latest\(whose), which the other figures are about)" : ""
      let last = summary.last?.text ?? "?"
      let verb = summary.isRehearsal ? "Rehearsed on the store" : "Replayed to"
      return "\(verb) \(escapedForTerminal(target))\(note), last on \(last): "
        + parts.joined(separator: ", ") + ".\n"
    }
    return lines.joined()
  }

  private var kinds: String {
    let counts = audit.pendingCounts
    guard !counts.isEmpty else { return "" }
    var table = TextTable(columns: [
      .init("Table"), .init("Inserts", alignment: .right), .init("Updates", alignment: .right),
      .init("Deletes", alignment: .right), .init("Unreadable", alignment: .right),
    ])
    for count in counts {
      table.addRow(
        [count.table ?? "(no table)"]
          + [count.inserts, count.updates, count.deletes, count.unreadable].map {
            $0.grouped
          })
    }
    return table.text(style: style)
  }

  /// What the app noted; what a replay came to is counted by its own line.
  private var failures: String {
    let title = audit.queue.deliveries.isEmpty ? "Failures" : "Failures that the app had noted"
    var table = TextTable(columns: [.init(title), .init("", alignment: .right)])
    for cause in FailureCause.allCases {
      let current = audit.assessments.count { $0.bond == .current && $0.cause == cause }
      if current > 0 { table.addRow([cause.title, current.grouped]) }
    }
    // Only those of operations as they stand are settled.
    let settled = audit.settledFailures
    if settled > 0 { table.addRow(["of these settled by a replay since", settled.grouped]) }
    let old = audit.assessments.count { $0.bond == .stale || $0.bond == .orphan }
    if old > 0 { table.addRow(["of operations that are gone or changed", old.grouped]) }
    return table.isEmpty ? "" : table.text(style: style)
  }

  private var tokens: String {
    let times = audit.queue.tokens.lazy.compactMap(\.updatedAt)
    guard let newest = times.max() else { return "" }
    return "The server was last heard of on \(newest), as the delta tokens tell.\n"
  }

  private var operations: String {
    guard !audit.queue.operations.isEmpty else { return "" }
    let table = OperationTable(of: audit.source, audit.queue.deliveries).text(
      audit.queue.operations.prefix(Self.operationLimit), style: style)
    let rest = audit.queue.operations.count - Self.operationLimit
    let more = rest > 0 ? "… and \(rest.grouped) more; --csv lists all\n" : ""
    return table + more
  }

  private var findings: String {
    guard !audit.findings.isEmpty else { return "Nothing odd was found." }
    var lines = [style.bold("Findings")]
    var counts: [String: Int] = [:]
    var start = 0
    while start < audit.findings.count {
      let end = audit.findings.end(ofKindAt: start)
      let code = audit.findings[start].code
      let shown = FindingLines.limit - counts[code, default: 0]
      lines += audit.findings[start..<end].prefix(max(0, shown)).map(line)
      counts[code, default: 0] += audit.findings.places(in: start..<end)
      start = end
    }
    for (code, count) in counts.sorted(by: { $0.key < $1.key }) where count > FindingLines.limit {
      lines.append("  " + FindingLines.rest(of: code, count))
    }
    lines.append(style.dim("'rehome explain CODE' tells what a finding means and what to do."))
    return lines.joined(separator: "\n")
  }

  private func line(_ finding: Finding) -> String {
    let parts = [audit.devices[finding.source].map(escapedAsOneWord) ?? "", finding.place]
    return "  " + finding.line(about: parts.filter { !$0.isEmpty }.joined(separator: ": "), style)
  }
}

extension ChangeFate {
  /// What so many changes do or need.
  fileprivate func words(_ count: Int) -> String {
    switch self {
    case .decide: count == 1 ? "needs a decision" : "need a decision"
    case .lost: "cannot be sent"
    case .ready: "can be sent as \(count == 1 ? "it is" : "they are")"
    case .settled: count == 1 ? "is settled" : "are settled"
    }
  }
}
