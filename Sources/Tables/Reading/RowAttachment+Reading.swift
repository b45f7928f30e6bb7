import Bytes
package import Records
package import SQLite
import Synchronization

extension RowAttachment {
  /// Reads the tables that were not read meanwhile, and hands out the operations and what they
  /// are tied to.
  package func finish(_ database: borrowing SourceDatabase) throws(StoreError) -> Outcome {
    for (table, naming) in unread { try Self.read(table, naming, database) }
    return settle()
  }

  /// Reads the id and versions of a table's rows, on several threads where that works.
  private static func read(
    _ table: PlannedTable, _ naming: RowMatching, _ database: borrowing SourceDatabase
  ) throws(StoreError) {
    guard let parts = try database.parts(of: table, naming: naming) else {
      return try database.readingQueue { (connection) throws(SQLiteError) in
        try read(table, naming, connection)
      }
    }
    let failures = Mutex<[StoreError]>([])
    inParallel(parts.count, threads: threadCount()) {
      var row = parts.makeRow()
      return { part in
        do throws(StoreError) {
          try parts.noteRows(ofPart: part, using: &row)
        } catch {
          failures.withLock { $0.append(error) }
        }
      }
    }
    if let failure = failures.withLock({ $0.first }) { throw failure }
  }

  private static func read(
    _ table: PlannedTable, _ naming: RowMatching, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var statement = try connection.prepare(table.selection)
    var notes = naming.makeNotes()
    var number: Int64 = 0
    while try statement.step() {
      number &+= 1
      _ = notes.add(statement, key: table.key == nil ? number : statement.integer(at: 0))
    }
    notes.finish()
  }
}
