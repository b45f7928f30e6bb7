import Records
import SQLite

/// Reads the queue that all managed SDKs keep in the same three tables, with their own codes.
struct DotnetQueue: QueueLayout {
  /// What the numbers of kinds mean.
  let kinds: [Int64: OperationKind]
  /// What the numbers of states mean.
  let states: [Int64: OperationState]
  /// The columns of errors that hold the kind and the status.
  let errorColumns: (kind: String, status: String)
  /// The keys under which a deleted item may hold its version, the SDK's own first.
  let versionKeys: [String]
  /// Reads a row of the configuration, its key first; nil when it is no token.
  let token: @Sendable (_ key: String, borrowing Statement, TableNames) -> DeltaToken?

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.operations = try operations(tables, names, connection)
    queue.errors = try errors(tables, names, connection)
    let index = OperationIndex(queue.operations, for: queue.errors)
    for place in queue.errors.indices { index.connectByID(&queue.errors[place]) }
    queue.tokens = try tokens(tables, names, connection)
    return queue
  }

  private func operations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PendingOperation] {
    guard
      var statement = try tables.select(
        ["id", "kind", "state", "tableName", "itemId", "item"], from: DotnetNames.operations,
        order: ["sequence"], connection)
    else { return [] }
    var operations: [PendingOperation] = []
    while try statement.step() {
      var operation = PendingOperation(number: operations.count + 1, statement)
      operation.decodeCodes(statement, kinds: kinds, states: states)
      operation.table = names.canonical(statement.strictText(at: 3))
      operation.itemID = statement.strictText(at: 4)
      operation.takePayload(statement.optionalRaw(at: 5), versionKeys: versionKeys)
      operations.append(operation)
    }
    return operations
  }

  private func errors(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OperationError] {
    guard
      var statement = try tables.select(
        ["id", "tableName", errorColumns.kind, errorColumns.status, "item", "rawResult"],
        from: DotnetNames.errors, connection)
    else { return [] }
    var errors: [OperationError] = []
    while try statement.step() {
      var error = OperationError()
      error.originalID = statement.text(at: 0)
      // The id of an error is that of its operation.
      error.originalOperationID = error.originalID
      error.table = names.canonical(statement.strictText(at: 1))
      error.kind = statement.wholeNumber(at: 2).flatMap { kinds[$0] }
      error.takeStatus(statement.wholeNumber(at: 3))
      error.takeItem(statement.optionalRaw(at: 4))
      error.takeAnswer(statement.optionalRaw(at: 5))
      errors.append(error)
    }
    return errors
  }

  private func tokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [DeltaToken] {
    guard
      var statement = try tables.select(
        ["id", "value"], from: DotnetNames.configuration, connection)
    else { return [] }
    var tokens: [DeltaToken] = []
    while try statement.step() {
      guard let key = statement.strictText(at: 0) else { continue }
      if let token = token(key, statement, names) { tokens.append(token) }
    }
    return tokens
  }
}
