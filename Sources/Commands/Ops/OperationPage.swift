import Audit
import Bytes
import CommandLineKit
import Records

/// One operation with everything that is known about it.
struct OperationPage {
  private let operation: PendingOperation
  private let audit: StoreAudit
  private let style: TextStyle

  init(_ operation: PendingOperation, _ audit: StoreAudit, style: TextStyle) {
    self.operation = operation
    self.audit = audit
    self.style = style
  }

  var text: String {
    let kind = operation.kind?.rawValue ?? (audit.isCommand(operation) ? "command" : "unreadable")
    let heading = "Operation \(operation.sequence): \(kind)"
    let lines =
      [style.bold(heading)] + facts.map { "  \($0.0): \(escapedForTerminal($0.1))" }
      + payloads.map { "  \($0.0): \(Self.shown($0.1))" } + marks + replays
      + errors + findings
    return lines.joined(separator: "\n") + "\n"
  }

  private var facts: [(String, String)] {
    let effect = audit.effects.effect(ofOperation: operation.sequence)
    let facts: [(String, String?)] = [
      ("device", audit.devices[operation.source]), ("table", operation.table),
      ("item", operation.itemID), ("state", operation.state.rawValue),
      ("base version", operation.baseVersion), ("the SDK's id", operation.originalID),
      ("the SDK's code", operation.originalCode),
      ("row", operation.rowKey.map { "\(operation.rowTable ?? operation.table ?? "") _pk \($0)" }),
      (
        "part of",
        effect.map { effect in
          "\(effect.kind.rawValue) of \(effect.sequences.listed)"
        }
      ),
      ("a replay would", effect.map { audit.request(of: $0) }),
    ]
    return facts.compactMap { fact in fact.1.map { (fact.0, $0) } }
  }

  /// JSON stays it on a terminal.
  private static func shown(_ payload: String) -> String {
    let isJSON = payload.hasPrefix("{") || payload.hasPrefix("[")
    return isJSON ? escapedJSONForTerminal(payload) : escapedForTerminal(payload)
  }

  /// What is mostly JSON.
  private var payloads: [(String, String)] {
    let payloads: [(String, String?)] = [
      (
        operation.kind == .delete ? "deleted item" : "kept item",
        audit.item(of: operation).map { String(decoding: $0, as: UTF8.self) }
      ),
      ("raw payload", operation.raw?.shown),
    ]
    return payloads.compactMap { payload in payload.1.map { (payload.0, $0) } }
  }

  /// What people have decided, oldest first; the last decision counts.
  private var marks: [String] {
    audit.queue.marks[operation.sequence].map { mark in
      let who = mark.who.map { " by \(escapedForTerminal($0))" } ?? ""
      let why = mark.why.map { ": \(escapedForTerminal($0))" } ?? ""
      return "  marked: \(mark.kind.rawValue) at \(mark.time.text)\(who)\(why)"
    }
  }

  /// What became of it at each target.
  private var replays: [String] {
    audit.queue.deliveries[operation.sequence].map { delivery in
      let status = delivery.status.map { ", status \($0)" } ?? ""
      let detail = delivery.detail.map { ": \($0)" } ?? ""
      let text = "\(delivery.outcome.words) at \(delivery.target), \(delivery.time.text)"
      let word = delivery.isRehearsal ? "rehearsal" : "replay"
      return "  \(word): " + escapedForTerminal(text + status + detail)
    }
  }

  private var errors: [String] {
    var lines: [String] = []
    for (error, assessment) in zip(audit.queue.errors, audit.assessments)
    where error.operation == operation.sequence {
      let status = error.status.map { String($0) } ?? "none"
      let code = escapedForTerminal(error.code ?? "none")
      lines.append("  error: \(assessment.cause.title), status \(status), code \(code)")
      if let message = error.message, !message.isEmpty {
        lines.append("    message: \(escapedForTerminal(message))")
      }
      for difference in audit.differences(of: error) ?? [] {
        let field = escapedForTerminal(difference.field)
        let device = escapedForTerminal(difference.deviceText)
        let server = escapedForTerminal(difference.serverText)
        lines.append("    \(field): here \(device), on the server \(server)")
      }
    }
    return lines
  }

  private var findings: [String] {
    audit.findings.filter { $0.operation == operation.sequence }.map { "  " + $0.line }
  }
}
