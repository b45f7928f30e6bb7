import CommandLineKit
import Formats
import Records
import Replay

extension ReplayReport {
  /// Writes the report that scripts rely on, a piece at a time: a queue may be long.
  ///
  /// - Throws: `StoreError` of `write`.
  func writeJSON(_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    let counts = counts
    let heads: [(String, ReportJSON)] = [
      ("target", .string(target)), ("dialect", .string(dialect.rawValue)),
      ("applied", ReportJSON(count: counts[.applied, default: 0])),
      ("alreadyApplied", ReportJSON(count: counts[.alreadyApplied, default: 0])),
      ("conflicts", ReportJSON(count: counts[.conflict, default: 0])),
      ("rejected", ReportJSON(count: counts[.rejected, default: 0])),
      ("pending", ReportJSON(count: counts[.pending, default: 0])),
      ("inDoubt", ReportJSON(count: counts[.inDoubt, default: 0])),
      ("dropped", ReportJSON(count: counts[.dropped, default: 0])),
      ("serverChanged", ReportJSON(count: changedCount)),
      ("stopped", ReportJSON(summary?.stop?.words)),
    ]
    var text = "{"
    for (name, value) in heads { text += "\n  \"\(name)\": \(value.compactText)," }
    try write(Array((text + "\n  \"operations\": [").utf8))
    for (place, operation) in operations.enumerated() {
      let line = json(operation).compactText
      try write(Array(((place == 0 ? "\n    " : ",\n    ") + line).utf8))
    }
    try write(Array((operations.isEmpty ? "]\n}\n" : "\n  ]\n}\n").utf8))
  }

  private func json(_ operation: PendingOperation) -> ReportJSON {
    let entry = self[operation]
    let object = dialect == .parse ? entry.version.flatMap { ParseVersion($0) } : nil
    let json: ReportJSON = [
      "sequence": .integer(operation.sequence), "outcome": .string(entry.outcome.rawValue),
      "table": ReportJSON(operation.table), "itemId": ReportJSON(operation.itemID),
      "kind": ReportJSON(operation.kind?.rawValue), "reason": ReportJSON(entry.reason?.rawValue),
      "situation": ReportJSON(entry.situation?.rawValue),
      "status": ReportJSON(entry.status.map(Int.init)),
      "version": ReportJSON(object == nil ? entry.version : object?.updatedAt),
      "message": ReportJSON(entry.words),
      "serverChanges": .array(entry.changes.map(Self.json)),
      "item": Self.json(item(entry)), "serverItem": Self.json(serverItem(entry)),
      "earlier": .boolean(entry.isEarlier),
    ]
    return json.adding("serverId", ReportJSON(object?.objectID), if: dialect == .parse)
  }

  private static func json(_ change: ServerChange) -> ReportJSON {
    ["field": .string(change.field), "sent": json(change.sent), "server": json(change.kept)]
  }

  private static func json(_ value: JSONValue?) -> ReportJSON {
    var bytes: [UInt8] = []
    value?.append(to: &bytes)
    return value == nil ? .null : json(bytes)
  }

  private static func json(_ item: [UInt8]?) -> ReportJSON {
    item.map { .encoded(String(decoding: $0, as: UTF8.self)) } ?? .null
  }
}

extension ReplaySummary.Stop {
  /// Why the run ended early, for people.
  var words: String {
    switch self {
    case .notPermitted(let status): "the server refused the credentials (\(status))"
    case .unreachable(let words): "the server cannot be reached: \(words)"
    case .unavailable(let words): "the server does not answer any more: \(words)"
    case .conflict: "there is a conflict, and --on-conflict is stop"
    case .tooManyFailures: "as many operations failed as --max-failures allows"
    case .requested(let words): words
    }
  }
}
