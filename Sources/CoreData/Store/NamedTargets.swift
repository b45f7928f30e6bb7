import Bytes
import SQLite
import Tables

/// Finds the entities whose rows indexed numbers name, where no model tells them.
///
/// Core Data makes an index for the key of another row, and for an attribute that the app wants
/// indexed, and calls both alike. A column is taken for a key where it is called as an entity, and
/// nearly all of its values are keys of rows of that: some rows may be missing.
struct NamedTargets {
  let rows: [PrimaryKeyRow]
  let tables: [ActualTable]
  let indexed: [String: Set<String>]

  /// The numbers of the entities, by table and column.
  func targets(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: [String: Int64]] {
    let candidates = self.candidates
    var targets: [String: [String: Int64]] = [:]
    for (table, columns) in indexed {
      for column in columns {
        guard let target = candidates[column],
          try connection.integer(Self.question(column, of: table, target)) == 1
        else { continue }
        targets[table, default: [:]][column] = target.number
      }
    }
    return targets
  }

  private struct Candidate {
    let number: Int64
    let table: String
    /// Whether rows of other entities are in the table, too.
    let isShared: Bool
  }

  /// The only entities with their names, by the column that is called so.
  ///
  /// Where a row may be of an entity below, the number of that stands beside the key, and nothing need
  /// be guessed.
  private var candidates: [String: Candidate] {
    let parents = Set(rows.map(\.parent))
    let byNumber = Dictionary(keepingFirst: rows.map { ($0.number, $0) })
    let leading: Set = ["Z_PK", PlannedTable.entityColumn]
    let present = Set(
      tables.filter { leading.isSubset(of: $0.columns.map(\.name)) }.map(\.name))
    let leaves = rows.filter { !$0.isSystem && !parents.contains($0.number) }
    return Dictionary(grouping: leaves) { StoredName.column($0.name ?? "") }
      .compactMapValues { named in
        guard named.count == 1, let row = named.first, let root = root(of: row, byNumber),
          present.contains(StoredName.table(root.name ?? ""))
        else { return nil }
        return Candidate(
          number: row.number, table: StoredName.table(root.name ?? ""), isShared: row.parent != 0)
      }
  }

  private func root(of row: PrimaryKeyRow, _ rows: [Int64: PrimaryKeyRow]) -> PrimaryKeyRow? {
    var row = row
    // Honest trees are not this deep, and a circle ends here, too.
    for _ in 0..<64 where row.parent != 0 {
      guard let parent = rows[row.parent] else { return nil }
      row = parent
    }
    return row.parent == 0 ? row : nil
  }

  /// Whether at least nine of ten values of a column are keys of rows of an entity.
  private static func question(_ column: String, of table: String, _ target: Candidate) -> String {
    let value = "referring.\(quoted(column))"
    let entity =
      target.isShared ? " WHERE " + PlannedTable.condition(ofEntity: target.number) : ""
    return """
      SELECT count(*) > 0 AND total(isMissing) * 10 <= count(*) FROM (
        SELECT typeof(\(value)) <> 'integer'
          OR \(value) NOT IN (SELECT Z_PK FROM \(quoted(target.table))\(entity)) AS isMissing
        FROM \(quoted(table)) AS referring NOT INDEXED WHERE \(value) IS NOT NULL)
      """
  }
}
