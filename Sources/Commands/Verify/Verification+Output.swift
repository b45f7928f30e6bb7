import Bytes
import CommandLineKit
import Records

extension Verification {
  /// The fields that scripts rely on, and a few more.
  var json: ReportJSON {
    let report: ReportJSON = [
      "equal": .boolean(isEqual), "tables": .array(tables.map(\.json)),
      "queue": .array(parts.map(\.json)), "findings": .list(foundList),
    ]
    return report.adding("explained", ReportJSON(explained), if: isByID)
  }

  /// What was found, with the side that it was found on.
  private var foundList: ReportList {
    let findings = findings
    return ReportList {
      Side.allCases.lazy.flatMap { side in
        findings[side].lazy.map { ReportJSON($0).adding("side", .string(side.word)) }
      }
    }
  }

  var text: String {
    var lines = (tables + parts).flatMap { entry in
      (entry.isEqual && entry.difference.rows.isEmpty ? [] : entry.lines) + entry.notes
    }
    lines.append(isEqual ? verdict : "different")
    return lines.joined(separator: "\n") + "\n"
  }

  private var verdict: String {
    let rows = tables.reduce(0) { $0 + ($1.left?.rows ?? 0) }
    let size =
      tables.count.counted("table", "tables") + ", " + rows.counted("row", "rows")
      + (isByID ? "" : ", and the queue")
    guard explained > 0 else { return "equal: \(size)" }
    let differences = explained.counted("difference is", "differences are")
    return "equal but for what waits: \(size); \(differences) explained by waiting operations"
  }
}

extension Verification.Entry {
  fileprivate var json: ReportJSON {
    let entry: ReportJSON = [
      "name": .string(name), "left": ReportJSON(left?.rows), "right": ReportJSON(right?.rows),
      "equal": .boolean(isEqual), "leftHash": ReportJSON(left?.digest.hexadecimal),
      "rightHash": ReportJSON(right?.digest.hexadecimal), "differences": difference.json,
    ]
    let rejected: ReportJSON = .array([
      ReportJSON(rejected.first), ReportJSON(rejected.second),
    ])
    guard let compared else { return entry.adding("rejected", rejected, if: hasRejects) }
    return
      entry
      .adding("compared", ReportJSON(compared.pairs.map(\.name)))
      .adding("leftOut", .array(compared.leftOut.map(\.json)))
      .adding("deleted", .array([ReportJSON(deleted.first), ReportJSON(deleted.second)]))
      .adding("rejected", rejected)
  }

  fileprivate var lines: [String] {
    let title = escapedForTerminal(name)
    guard let left else { return ["\(title): only in the second"] }
    guard let right else { return ["\(title): only in the first"] }
    let noun = left.rows == 1 && right.rows == 1 ? "row" : "rows"
    let uncompared =
      difference.columns.isEmpty || compared != nil
      ? [] : ["  the rows were not compared; --by-id compares what both have"]
    return ["\(title): \(left.rows) and \(right.rows) \(noun)"] + difference.lines + uncompared
  }

  /// Whether a side has values that its columns could not take, as far as that was looked at.
  private var hasRejects: Bool { rejected.first + rejected.second > 0 }

  /// What is said of these.
  private var rejectNote: String {
    let (first, second) = (rejected.first, rejected.second)
    let values = "\(first.counted("value", "values")) of the first and \(second) of the second"
    let outcome =
      if compared != nil, first > 0, second > 0 {
        "compared as they are stored where both have one, else as NULL"
      } else {
        rejects.rawValue
      }
    return "\(values) not of the column's type, \(outcome)"
  }

  /// What was not compared though a person might think so.
  fileprivate var notes: [String] {
    let title = escapedForTerminal(name)
    if staysOnDevice {
      let side = left == nil ? Side.second : .first
      return ["\(title): only in the \(side.rawValue), which never sends it"]
    }
    guard let compared else { return hasRejects ? ["\(title): \(rejectNote)"] : [] }
    let columns = compared.leftOut.compactMap(\.shown)
    var notes =
      columns.isEmpty ? [] : ["\(title): not compared: " + columns.joined(separator: ", ")]
    for side in Side.allCases {
      if deleted[side] > 0 {
        let items = deleted[side].counted("item", "items")
        notes.append(
          "\(title): \(items) of the \(side.rawValue) marked as deleted, which count as gone")
      }
    }
    if hasRejects { notes.append("\(title): \(rejectNote)") }
    return notes
  }
}

extension ComparedTable.LeftOut {
  fileprivate var json: ReportJSON {
    [
      "column": .string(name), "side": ReportJSON(side?.word),
      "reason": .string(reason.rawValue),
    ]
  }

  /// The column and where it is; nil where nobody expects it to be compared.
  fileprivate var shown: String? {
    let column = escapedForTerminal(name)
    switch reason {
    case .missing: return "\(column) (only in the \(side?.rawValue ?? ""))"
    case .reference: return "\(column) (keys of rows that are known by no id)"
    case .ignored, .system, .position: return nil
    }
  }
}
