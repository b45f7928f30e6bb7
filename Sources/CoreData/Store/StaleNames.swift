import Bytes
import SQLite

/// Repairs names that `Z_PRIMARYKEY` kept after entities were renamed, where no model tells them.
///
/// The tables decide: a root entity whose table is not there takes the table that nobody claims and
/// whose rows carry its number, or the one that is left over when only one of each is.
struct StaleNames {
  let rows: [PrimaryKeyRow]
  let tables: [ActualTable]
  let hashedNames: Set<String>?

  func repairedRows(_ connection: borrowing Connection) throws(SQLiteError) -> [PrimaryKeyRow] {
    var repaired = rows
    var unclaimed = unclaimedTables
    var stale = staleRows
    for table in unclaimed {
      guard let number = try rootNumber(of: table, connection), stale.contains(number) else {
        continue
      }
      rename(&repaired, number: number, to: table)
      stale.remove(number)
      unclaimed.removeAll { $0 == table }
    }
    if let number = stale.first, stale.count == 1, unclaimed.count == 1 {
      rename(&repaired, number: number, to: unclaimed[0])
    }
    return repaired
  }

  /// The numbers of root entities whose table is missing.
  private var staleRows: Set<Int64> {
    let present = Set(tables.map { StoredName.folded($0.name) })
    return Set(
      rows.filter { row in
        row.parent == 0 && !row.isSystem
          && !present.contains(StoredName.folded(StoredName.table(row.name ?? "")))
      }.map(\.number))
  }

  /// The tables of objects that no entity's name leads to.
  private var unclaimedTables: [String] {
    let claimed = Set(rows.map { StoredName.folded(StoredName.table($0.name ?? "")) })
    return tables.filter { table in
      StoreTableKind(table: table.name) == .objects
        && !claimed.contains(StoredName.folded(table.name))
        && table.columns.contains { $0.name == "Z_PK" }
        && table.columns.contains { $0.name == "Z_ENT" }
    }.map(\.name)
  }

  /// The root entity that the first row of a table belongs to.
  private func rootNumber(
    of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    var statement = try connection.prepare(
      "SELECT Z_ENT FROM \(quoted(table)) WHERE Z_ENT IS NOT NULL LIMIT 1")
    guard try statement.step() else { return nil }
    let parents = Dictionary(keepingFirst: rows.map { ($0.number, $0.parent) })
    var number = statement.integer(at: 0)
    // Honest trees are not this deep, and a circle ends here, too.
    for _ in 0..<64 {
      guard let parent = parents[number], parent != 0 else { break }
      number = parent
    }
    return number
  }

  private func rename(_ rows: inout [PrimaryKeyRow], number: Int64, to table: String) {
    let folded = StoredName.folded(table)
    let hashed = hashedNames?.first { StoredName.folded(StoredName.table($0)) == folded }
    for index in rows.indices where rows[index].number == number {
      rows[index].name = hashed ?? String(table.dropFirst())
    }
  }
}
