import Records
import SQLite
import Tables

/// Reads the queue of the SDK for Cordova, which keeps no states and no errors.
struct CordovaQueue: QueueLayout {
  /// The SDK looks items up with `COLLATE NOCASE`.
  var itemIDs: ItemIDComparison { .ignoringASCIICase }

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.operations = try operations(tables, names, connection)
    queue.tokens = try tokens(tables, names, connection)
    return queue
  }

  private func operations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OperationList {
    guard
      var statement = try tables.select(
        ["id", "action", "tableName", "itemId", "metadata"], from: AzureMobileCordova.operations,
        order: ["id"], connection)
    else { return [] }
    var operations = OperationList()
    while try statement.step() {
      var operation = PendingOperation(number: operations.count + 1, statement)
      operation.originalCode = statement.text(at: 1)
      operation.kind = statement.strictText(at: 1).flatMap(OperationKind.init(rawValue:))
      operation.table = names.canonical(statement.strictText(at: 2))
      operation.itemID = statement.strictText(at: 3)
      operation.raw = statement.optionalRaw(at: 4)
      // Of a deleted item nothing is kept but the version.
      if operation.kind == .delete {
        operation.baseVersion = JSONPayload(operation.raw).version(under: VersionKeys.new)
      }
      operations.append(operation)
    }
    return operations
  }

  /// The key of a token is the query alone; the table stands beside it.
  private func tokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [DeltaToken] {
    guard
      var statement = try tables.select(
        ["id", "tableName", "value"], from: AzureMobileCordova.tokens, connection)
    else { return [] }
    var tokens: [DeltaToken] = []
    while try statement.step() {
      var token = DeltaToken(
        table: names.canonical(statement.strictText(at: 1)), query: statement.strictText(at: 0))
      token.readMilliseconds(statement, at: 2)
      tokens.append(token)
    }
    return tokens
  }
}
