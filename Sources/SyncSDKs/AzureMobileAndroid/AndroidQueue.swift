import Records
import SQLite
import Tables

/// Reads the queue of the SDK for Android; numbers are stored as reals, or even as text.
struct AndroidQueue: QueueLayout {
  /// The keys under which a deleted item may hold its version, the generation's own first.
  let versionKeys: [String]

  private static let kinds: [Int64: OperationKind] = [0: .insert, 1: .update, 2: .delete]
  private static let states: [Int64: OperationState] = [0: .pending, 1: .attempted, 2: .failed]

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

  /// The counter begins anew in every session, so the session comes first.
  private func operations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> OperationList {
    guard
      var statement = try tables.select(
        ["id", "kind", "state", "tablename", "itemid", "item"], from: AndroidNames.operations,
        order: ["__queueloadedat", "sequence"], connection)
    else { return [] }
    let backups = try backups(tables, connection)
    var operations = OperationList()
    while try statement.step() {
      var operation = PendingOperation(number: operations.count + 1, statement)
      operation.decodeCodes(statement, kinds: Self.kinds, states: Self.states)
      let table = statement.strictText(at: 3)
      operation.table = names.canonical(table)
      operation.itemID = statement.strictText(at: 4)
      var payload = statement.optionalRaw(at: 5)
      if payload == nil, operation.kind == .delete, let table, let id = operation.itemID {
        payload = backups["\(table)/\(id)"]
      }
      operation.takePayload(payload, versionKeys: versionKeys)
      operations.append(operation)
    }
    return operations
  }

  /// The deleted items that d1 and d2 keep in a table of their own, by table and item.
  private func backups(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: RawValue] {
    guard
      var statement = try tables.select(
        ["id", "clientitem"], from: AndroidNames.backups, connection)
    else { return [:] }
    var backups: [String: RawValue] = [:]
    while try statement.step() {
      if let id = statement.strictText(at: 0) { backups[id] = statement.optionalRaw(at: 1) }
    }
    return backups
  }

  private func errors(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OperationError] {
    let columns = [
      "id", "operationid", "tablename", "itemid", "operationkind", "statuscode", "clientitem",
      "errormessage", "serverresponse", "serveritem",
    ]
    guard var statement = try tables.select(columns, from: AndroidNames.errors, connection)
    else { return [] }
    var errors: [OperationError] = []
    while try statement.step() {
      var error = OperationError()
      error.originalID = statement.text(at: 0)
      error.originalOperationID = statement.strictText(at: 1)
      error.table = names.canonical(statement.strictText(at: 2))
      error.itemID = statement.strictText(at: 3)
      error.kind = statement.wholeNumber(at: 4).flatMap { Self.kinds[$0] }
      error.takeStatus(statement.wholeNumber(at: 5))
      error.takeItem(statement.optionalRaw(at: 6))
      error.message = statement.strictText(at: 7)
      let copy = statement.optionalRaw(at: 9)
      error.serverItem = JSONPayload(copy).bytes(of: copy)
      error.takeAnswer(statement.optionalRaw(at: 8))
      errors.append(error)
    }
    return errors
  }

  private func tokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [DeltaToken] {
    guard
      var statement = try tables.select(
        ["id", "maxupdateddate"], from: AndroidNames.tokens, connection)
    else { return [] }
    var tokens: [DeltaToken] = []
    while try statement.step() {
      var token = DeltaToken()
      if let (table, query) = statement.strictText(at: 0).map(names.splitKey) {
        token = DeltaToken(table: names.canonical(table), query: query)
      }
      token.readISO(statement, at: 1)
      tokens.append(token)
    }
    return tokens
  }
}
