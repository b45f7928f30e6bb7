import Bytes
package import Records
import SQLite

extension CoreDataSchema {
  /// What the schema and the side files show that a person should know.
  package func findings(counts: [String: [Int64: Int]], sideFiles: [Finding]) -> [Finding] {
    var findings: [Finding] = []
    if nameOrigin == .fallback {
      let reason = modelTrouble.map { "its model cannot be used (\($0))" } ?? "it has no model"
      findings.append(
        Finding(
          "names-from-fallback", modelTrouble == nil ? .note : .warning,
          message: "names are those of the columns, in upper case, because \(reason)"))
    }
    findings += sideFiles
    if metadata.isUnreadable {
      findings.append(
        Finding(
          "metadata-unreadable", .warning,
          message: "the property list in Z_METADATA cannot be read, and an app cannot open such a "
            + "store"))
    }
    findings += given?.findings ?? []
    findings += resolution.differences.map { difference in
      Finding(
        "model-differs-from-store", difference.severity,
        message: "\(difference)")
    }
    findings += rowsOfUnknownEntities(counts)
    return findings
  }

  /// Rows that no entity claims: the app does not see them, and no table can take them.
  private func rowsOfUnknownEntities(_ counts: [String: [Int64: Int]]) -> [Finding] {
    var known: [String: Set<Int64>] = [:]
    for entity in resolution.entities {
      if let table = entity.table { known[table, default: []].insert(entity.number) }
    }
    return counts.keys.sorted().compactMap { table in
      let unknown = (counts[table] ?? [:]).filter { !(known[table]?.contains($0.key) ?? false) }
      let rows = unknown.values.reduce(0, +)
      guard rows > 0 else { return nil }
      return Finding(
        "rows-of-unknown-entity", .error, table: table,
        message: rows.counting("row", "rows") + " of \(table) "
          + (rows == 1 ? "belongs" : "belong") + " to no entity of the model and "
          + (rows == 1 ? "is left out" : "are left out"))
    }
  }
}
