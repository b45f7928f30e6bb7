import Audit
import Bytes
import CommandLineKit
import Formats
import Records
import Replay

/// The end report of a replay for a person.
struct ReplayText {
  private let report: ReplayReport
  private let style: TextStyle

  /// How many changes of one outcome are shown; all operations are in the JSON report.
  private static let limit = 20

  init(_ report: ReplayReport, style: TextStyle) {
    self.report = report
    self.style = style
  }

  var text: String {
    let parts = [conflicts, dropped, rejected, changed, waiting, counts, advice]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// The least that a person must know of a run that has not done all: how much of it, and why.
  var outline: String {
    let (refused, _) = report.firstChains(1) { $0.outcome == .rejected }
    let why =
      report.summary?.stop.map { "stopped: " + escapedForTerminal($0.words) }
      ?? refused.first.map(refusal)
    return [counts, why].compactMap(\.self).joined(separator: "; ")
  }

  private var counts: String {
    let counts = report.counts
    let before = report.count { $0.outcome == .alreadyApplied && $0.isEarlier }
    var parts = before == 0 ? [] : ["\(before.grouped) done before"]
    parts += ReplayOutcome.allCases.compactMap { outcome in
      let count = (counts[outcome] ?? 0) - (outcome == .alreadyApplied ? before : 0)
      return count == 0 ? nil : "\(count.grouped) \(outcome.words)"
    }
    let total = report.operations.count.counted("operation", "operations")
    let changes = report.changedCount
    let note = changes == 0 ? "" : "; \(changes.grouped) not with the values that were sent"
    return style.bold(total) + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")) + note
  }

  private var conflicts: String {
    shown(
      isMore: "more operations in conflict", where: { $0.outcome == .conflict },
      as: { conflict($0, called: "conflict") })
  }

  /// What the policy has given up in this run.
  private var dropped: String {
    shown(
      isMore: "more operations dropped",
      where: { $0.outcome == .dropped && $0.situation != nil && !$0.isEarlier },
      as: { conflict($0, called: "dropped") })
  }

  /// The first changes of a kind, each in its words, and how many operations there are besides.
  private func shown(
    isMore: String = "more operations", where isWanted: (ReplayReport.Kind) -> Bool,
    as words: (ReplayReport.Chain) -> String
  ) -> String {
    let (chains, rest) = report.firstChains(Self.limit, where: isWanted)
    var lines = chains.map(words)
    if rest > 0 { lines.append("… and \(rest.grouped) \(isMore); --json has all") }
    return lines.joined(separator: "\n")
  }

  /// A conflict with the fields that differ, as it ended.
  private func conflict(_ chain: ReplayReport.Chain, called word: String) -> String {
    let entry = report.entry(at: chain.place)
    let details = report.details(of: entry)
    var lines = [
      style.yellow(word) + ": " + words(of: chain) + ": "
        + (entry.kind.situation?.words ?? "the server has another item")
        + (details.words.map { "; " + escapedForTerminal($0) } ?? "")
    ]
    if let item = details.item, let serverItem = details.serverItem,
      let differences = ItemComparison().differences(device: item, server: serverItem)
    {
      var table = TextTable(columns: [
        .init("Field", widest: 24), .init("Device", widest: 40), .init("Server", widest: 40),
      ])
      for difference in differences
      where !difference.isSystemField && difference.field != Dialect.reservedID {
        table.addRow([difference.field, difference.deviceText, difference.serverText])
      }
      if !table.isEmpty { lines.append(table.text(style: style)) }
    }
    return lines.joined(separator: "\n")
  }

  private var rejected: String {
    shown(where: { $0.outcome == .rejected }, as: refusal)
  }

  private func refusal(_ chain: ReplayReport.Chain) -> String {
    let entry = report.entry(at: chain.place)
    let status = entry.status.map { "\($0)" } ?? "no status"
    let said = report.details(of: entry).words.map { ": " + escapedForTerminal($0) } ?? ""
    return style.red("refused") + ": " + words(of: chain) + ": \(status)\(said)"
  }

  /// What the server took and keeps otherwise.
  private var changed: String {
    var lines: [String] = []
    // Of each there is one line at least.
    for chain in report.firstChains(Self.limit + 1, where: \.isChanged).chains {
      for change in report.details(of: report.entry(at: chain.place)).changes {
        guard lines.count < Self.limit else {
          lines.append("… and more; --json has all")
          return lines.joined(separator: "\n")
        }
        let kept = change.kept.map { "keeps " + Self.text($0) } ?? "leaves it out"
        lines.append(
          style.yellow("changed by the server") + ": " + words(of: chain) + ": "
            + escapedForTerminal("\(change.field): sent \(Self.text(change.sent)), \(kept)")
            + " [server-changed-value]")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A value for people, which need not see all of a long one.
  private static func text(_ value: JSONValue) -> String {
    let bytes = value.json
    let start = String(decoding: bytes.prefix(60), as: UTF8.self)
    return escapedJSONForTerminal(start) + (bytes.count > 60 ? "…" : "")
  }

  private var waiting: String {
    let doubts = shown(where: { $0.outcome == .inDoubt }, as: doubt)
    let reasons = PendingReason.allCases.compactMap(words(ofWaiting:))
    return ((doubts.isEmpty ? [] : [doubts]) + reasons).joined(separator: "\n")
  }

  private func doubt(_ chain: ReplayReport.Chain) -> String {
    let why =
      said(report.entry(at: chain.place)).map { "; the last thing heard was " + $0 }
      ?? ", and no answer came"
    return "in doubt: \(words(of: chain)): it was sent\(why)"
  }

  /// How many operations wait for a reason, and the first thing that was heard of one of them.
  private func words(ofWaiting reason: PendingReason) -> String? {
    let waiting = report.count { $0.isWaiting(for: reason) }
    guard waiting > 0 else { return nil }
    // What one of them heard before the run ended is not what ended it.
    let heard = reason == .stopped ? nil : report.firstHeard(of: reason)
    let said = heard.flatMap(said).map { " (\($0))" } ?? ""
    return "not done: \(waiting.grouped) because \(reason.words)\(said)"
  }

  /// What was heard of an operation last: a status, some words, or both.
  private func said(_ entry: ReplayReport.Entry) -> String? {
    let words = report.details(of: entry).words
    let parts = [entry.status.map { "\($0)" }, words.map(escapedForTerminal)]
      .compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  private func words(of chain: ReplayReport.Chain) -> String {
    let operation = report.operations[chain.place]
    let item = [operation.table, operation.itemID].compactMap(\.self).map(escapedForTerminal)
    return "operation \(operation.sequence), \(operation.kind?.rawValue ?? "unreadable") of "
      + (item.isEmpty ? "an item" : item.joined(separator: " "))
      + (chain.count > 1 ? " (for \(chain.count.grouped) operations)" : "")
  }

  /// What to do where the server lets the token change other items but not this one.
  private var whereOneIsForbidden: String {
    let (chains, _) = report.firstChains(1) { $0.isWaiting(for: .notPermitted) }
    guard let place = chains.first?.place, report.entry(at: place).status == 403 else { return "" }
    return
      "; where only operation \(report.operations[place].sequence) is forbidden, give it up with "
      + "'rehome ops drop'"
  }

  private var advice: String {
    var lines: [String] = []
    if let stop = report.summary?.stop {
      lines.append("stopped: " + escapedForTerminal(stop.words))
    }
    switch report.exitCode {
    case .notPermitted where report.dialect == .parse:
      lines.append(
        "next: put X-Parse-Application-Id, the key that the server wants and a valid "
          + "X-Parse-Session-Token into --header-file, and run again")
    case .notPermitted:
      lines.append("next: renew the token in --header-file, and run again" + whereOneIsForbidden)
    case .unavailable: lines.append("next: check the address, and run again")
    case .temporary, .interrupted:
      lines.append("next: run the same command again; it goes on")
      if report.hasUnseenPromises {
        lines.append(
          "if the server never shows what it says it took: see to the server, or give it up with "
            + "'rehome ops drop'")
      }
    case .conflicts: lines.append("next: \(decision), and run again")
    case .completeWithRejects where report.counts[.rejected] != nil && !report.lacks(.version):
      lines.append(
        "next: see to what was refused and run again, or give it up with 'rehome ops drop'")
    default: break
    }
    if report.lacks(.service) {
      lines.append(
        "where no table service answers: see whether the address behind --to is that of the "
          + "service")
    }
    if report.lacks(.table) {
      lines.append(
        "if a table is called otherwise there: --map TABLE=NAME; if the service is of another "
          + "version: --dialect")
    }
    if report.lacks(.version) {
      lines.append("name what the server speaks: --dialect v1, v2, v3 or toolkit; and run again")
    }
    if report.hasClosedDoubts {
      lines.append(
        "if the server never lets the item in doubt be read: find out there whether the change "
          + "arrived, and give it up with 'rehome ops drop'")
    }
    // What goes on by itself, or once something else is seen to, leaves them as they are.
    if report.exitCode != .conflicts, report.counts[.conflict] != nil {
      lines.append("for the conflicts: \(decision)")
    }
    return lines.joined(separator: "\n")
  }

  /// What a person can do about conflicts.
  private var decision: String {
    report.hasPolicy
      ? "choose another --on-conflict or --rules for what is left, or give it up with "
        + "'rehome ops drop'"
      : "decide with --on-conflict or --rules"
  }
}

extension ConflictSituation {
  var words: String {
    switch self {
    case .changed: "the server's item was changed since the device saw it"
    case .deleted: "the server's item was deleted"
    case .exists: "the server has an item with this id"
    }
  }
}

extension PendingReason {
  /// What it is, for people, after "because".
  var words: String {
    switch self {
    case .unreadable:
      "the operation cannot be read; look at it with 'rehome ops show', and give it up with "
        + "'rehome ops drop'"
    case .besideUnreadable: "another operation on the item cannot be read"
    case .withoutItem: "the operation names no item"
    case .withoutTable: "the operation names no table"
    case .withoutRow: "the row that would be sent is gone"
    case .withoutValue:
      "a value of the row could not be taken over, and null would be sent instead, or no condition "
        + "for want of its version; see 'rehome explain operation-without-value'"
    case .notSendable: "its table, id or version cannot be put into a request"
    case .afterUnfinished: "an earlier operation on the item is not done"
    case .overtaken:
      "a later change of another device was sent before, and this one would end on top of it; give "
        + "it up with 'rehome ops drop'"
    case .afterDoubt:
      "a later change of another device was sent, and it was not known whether it had arrived; once "
        + "that is known, run again"
    case .withoutTarget: "it points to an object that the server does not have"
    case .withoutObject: "the server does not have the object that it changes"
    case .withoutFile: "it holds a file that was never uploaded"
    case .withoutChanges: "the changes that it was to send are not in the store"
    case .noChange: "it is a command that changes no object, such as an event or a sign-up"
    case .undecided: "nobody can tell whether it arrived, and a person must decide"
    case .otherBranchStays:
      "it deletes a branch of the document, of which another one stays; only the service can do that"
    case .retryLater: "the server or the network failed again and again"
    case .notPermitted: "the server wants other credentials"
    case .stopped: "the run ended before its turn"
    }
  }
}
