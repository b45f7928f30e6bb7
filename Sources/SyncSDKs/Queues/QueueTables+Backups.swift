import Bytes
import Records
import SQLite
import Tables

/// The deleted items that have a table of their own.
extension QueueTables {
  func readBackups(
    _ tables: SystemTables, _ connection: borrowing Connection, _ queue: inout Queue
  ) throws(SQLiteError) -> ItemBackups {
    guard let shape = operations.backups else { return ItemBackups() }
    let columns = [shape.id, shape.tableName, shape.itemID, shape.item]
    guard var statement = try tables.select(columns, from: shape.table, connection) else {
      return ItemBackups()
    }
    var backups = ItemBackups()
    var number = 0
    var unread = UnreadColumns(of: columns, of: ("deleted item", 0))
    while try statement.step() {
      number += 1
      unread.begin(record: number)
      let id = unread.name(statement, at: 0, "id")
      let table = unread.name(statement, at: 1, "table")
      let itemID = unread.name(statement, at: 2, "item's id")
      if ItemBackup.contradicts(id: id, table: table, itemID: itemID) {
        unread.keep(statement, at: 1)
        unread.keep(statement, at: 2)
        unread.tell("table and item's id", "name another item than its own id does")
      }
      queue.tell(unread.findings)
      let raw = unread.raw(behind: statement.optionalRaw(at: 3))
      backups.append(ItemBackup(id: id, table: table, itemID: itemID, raw: raw))
    }
    backups.finish()
    return backups
  }

  /// Adds the items that no operation took as errors with a code of their own.
  ///
  /// The SDK removes them when the delete has been tried, so one that is left may be the only trace of
  /// a delete that was never sent.
  func addLeft(_ backups: ItemBackups, _ names: TableNames, to queue: inout Queue) {
    backups.forEachLeft { backup in
      var error = OperationError()
      error.code = OperationError.codeOfDeletedItem
      error.originalID = backup.id
      error.kind = .delete
      error.table = names.canonical(backup.table)
      error.itemID = backup.itemID
      error.takeItem(backup.raw?.payload)
      error.raw = backup.raw
      queue.errors.append(error)
    }
  }
}
