import CommandLineKit
import Formats
import Records
import Replay

extension ReplayReport {
  /// Writes the report that scripts rely on, a piece at a time: a queue may be long.
  func writeJSON(_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    let counts = counts
    func count(_ outcome: ReplayOutcome) -> ReportJSON {
      ReportJSON(count: counts[outcome, default: 0])
    }
    try withoutActuallyEscaping(write) { (write) throws(StoreError) in
      var report = ReportStream(write)
      try report.addMembers([
        "target": .string(target), "dialect": .string(dialect.rawValue),
        "applied": count(.applied), "alreadyApplied": count(.alreadyApplied),
        "conflicts": count(.conflict), "rejected": count(.rejected), "pending": count(.pending),
        "inDoubt": count(.inDoubt), "dropped": count(.dropped),
        "serverChanged": ReportJSON(count: changedCount),
        "stopped": ReportJSON(summary?.stop?.words),
      ])
      try report.addList("operations", linesOf: operations) { (operation) throws(StoreError) in
        json(operation)
      }
      try report.finish()
    }
  }

  private func json(_ operation: PendingOperation) -> ReportJSON {
    let entry = self[operation]
    let details = details(of: entry)
    let object = dialect.serverGivesIDs ? details.version.flatMap { ParseVersion($0) } : nil
    let json: ReportJSON = [
      "sequence": .integer(operation.sequence), "outcome": .string(entry.kind.outcome.rawValue),
      "table": ReportJSON(operation.table), "itemId": ReportJSON(operation.itemID),
      "kind": ReportJSON(operation.kind?.rawValue),
      "reason": ReportJSON(entry.kind.reason?.rawValue),
      "situation": ReportJSON(entry.kind.situation?.rawValue),
      "status": ReportJSON(entry.status),
      "version": ReportJSON(object == nil ? details.version : object?.updatedAt),
      "message": ReportJSON(details.words),
      "serverChanges": .array(details.changes.map(Self.json)),
      "item": Self.json(details.item), "serverItem": Self.json(details.serverItem),
      "earlier": .boolean(entry.kind.isEarlier),
    ]
    return json.adding("serverId", ReportJSON(object?.objectID), if: dialect.serverGivesIDs)
  }

  private static func json(_ change: ServerChange) -> ReportJSON {
    ["field": .string(change.field), "sent": json(change.sent), "server": json(change.kept)]
  }

  private static func json(_ value: JSONValue?) -> ReportJSON {
    json(value?.json)
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
    case .unavailable(let words): "the server takes nothing any more: \(words)"
    case .conflict: "there is a conflict, and --on-conflict is stop"
    case .tooManyFailures: "more operations failed than --max-failures allows"
    case .requested(let words): words
    }
  }
}
