import Bytes
import Records
import SQLite
import Tables

extension QueueTables {
  /// What a failed operation tells where there are no errors: all that is left of one.
  static func error(
    of operation: PendingOperation, _ payload: RawValue?, status: Int64?
  ) -> OperationError {
    var error = OperationError()
    error.table = operation.table
    error.itemID = operation.itemID
    error.kind = operation.kind
    error.takeStatus(status)
    error.item = JSONPayload.objectBytes(of: payload)
    error.operation = operation.sequence
    error.originalOperationID = operation.originalID
    return error
  }

  func read(
    _ shape: Errors, _ tables: SystemTables, _ names: TableNames,
    _ connection: borrowing Connection, _ queue: inout Queue
  ) throws(SQLiteError) -> ErrorList {
    let columns: [String?] = [
      shape.id, shape.operationID, shape.tableName, shape.itemID, shape.kind, shape.status,
      shape.item, shape.message, shape.answer, shape.serverItem,
    ]
    guard var statement = try tables.select(columns, from: shape.table, connection) else {
      return ErrorList()
    }
    var kinds: [Int64: OperationKind] = [:]
    if case .numbers(let numbers) = operations.kinds { kinds = numbers }
    var errors = ErrorList()
    var unread = UnreadColumns(of: columns, of: ("error", 0))
    while try statement.step() {
      unread.begin(record: errors.count + 1)
      errors.append(error(of: statement, shape, kinds, names, &unread))
      queue.tell(unread.findings)
    }
    return errors
  }

  private func error(
    of statement: borrowing Statement, _ shape: Errors, _ kinds: [Int64: OperationKind],
    _ names: TableNames, _ unread: inout UnreadColumns
  ) -> OperationError {
    var error = OperationError()
    error.originalID = unread.id(statement, at: 0)
    error.originalOperationID =
      shape.operationID == nil ? error.originalID : unread.name(statement, at: 1, "operation")
    error.table = names.canonical(unread.name(statement, at: 2, "table"))
    error.itemID = unread.name(statement, at: 3, "item's id")
    error.kind = statement.wholeNumber(at: 4).flatMap { kinds[$0] }
    if error.kind == nil { unread.keep(statement, at: 4, "kind", "is none that the SDK has") }
    let status = statement.wholeNumber(at: 5)
    if status == nil { unread.keep(statement, at: 5, "status", "is no whole number") }
    error.takeStatus(status)
    error.takeItem(unread.item(statement, at: 6, "item"))
    error.message = unread.text(statement, at: 7, "message")
    error.serverItem = unread.item(statement, at: 9, "server's copy")?.bytes
    let answer = statement.optionalRaw(at: 8)
    error.takeAnswer(answer)
    error.raw = unread.raw(behind: answer)
    return error
  }

  /// Ties errors to the operations that they are about.
  ///
  /// An operation may count how often it was changed, and an error knows the count of its time. One
  /// that has another count is about what the operation no longer is, which is told.
  func connectErrors(
    of queue: inout Queue, _ shape: Errors, _ tables: SystemTables,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let index = OperationIndex(queue.operations, for: queue.errors)
    let changed = try changedOperations(shape, tables, connection)
    var findings = ListedFindings()
    queue.errors.updateEach { error in
      // One that does not name its operation may be about the item of one all the same.
      if error.originalOperationID == nil {
        index.connect(&error)
      } else {
        index.connectByID(&error)
      }
      guard let id = error.originalOperationID, changed.contains(ExactText(id)) else { return }
      findings.append(
        Finding(
          "stale-error", .note, table: error.table, itemID: error.itemID,
          operation: error.operation,
          message: "the operation was changed after this error of it had been written down"))
    }
    queue.tell(findings.all)
  }

  /// The ids of operations that were changed after their error had been written down.
  private func changedOperations(
    _ shape: Errors, _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ExactText> {
    guard let changes = shape.changes,
      var errors = try tables.select(
        [shape.operationID ?? shape.id, changes.ofError], from: shape.table, connection)
    else { return [] }
    var counts: [ExactText: Int64] = [:]
    while try errors.step() {
      guard let id = errors.name(at: 0).map({ ExactText($0) }),
        let count = errors.wholeNumber(at: 1)
      else { continue }
      counts[id] = count
    }
    guard !counts.isEmpty,
      var statement = try tables.select(
        [operations.id, changes.ofOperation], from: operations.table, connection)
    else { return [] }
    var changed: Set<ExactText> = []
    while try statement.step() {
      guard let id = statement.name(at: 0).map({ ExactText($0) }), let known = counts[id],
        let count = statement.wholeNumber(at: 1), count != known
      else { continue }
      changed.insert(id)
    }
    return changed
  }
}
