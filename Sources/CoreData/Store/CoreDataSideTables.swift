import Bytes
import Records
import SQLite

/// Counts what a store holds besides the user's data.
struct CoreDataSideTables {
  /// The facts, a line each; empty for a store that holds nothing else.
  private(set) var facts: [SourceDescription.Fact] = []

  /// Counts history and mirror tables.
  init(reading connection: borrowing Connection) throws(SQLiteError) {
    var mirror = 0
    var mirrored: Int64 = 0
    for table in try connection.tables() {
      let kind = StoreTableKind(table: table.name)
      guard kind == .history || kind == .cloudMirror else { continue }
      let rows = try connection.integer("SELECT count(*) FROM \(quoted(table.name)) NOT INDEXED")
      switch table.name.uppercased() {
      case "ACHANGE": facts.append(.init("persistentHistoryChanges", String(rows)))
      case "ATRANSACTION": facts.append(.init("persistentHistoryTransactions", String(rows)))
      default: break
      }
      if kind == .cloudMirror {
        mirror += 1
        mirrored += rows
      }
    }
    if mirror > 0 {
      facts.append(
        .init(
          "cloudMirror",
          "\(mirrored.counting("row", "rows")) in \(mirror.counting("table", "tables"))"))
    }
  }
}
