package import Records
import SQLite
import Tables

/// Reads the queue that all managed SDKs keep in the same three tables, with their own codes.
struct DotnetQueue: QueueLayout {
  /// What the numbers of kinds mean.
  let kinds: [Int64: OperationKind]
  /// What the numbers of states mean.
  let states: [Int64: OperationState]
  /// The columns of errors that hold the kind, the status, and the operation's count of changes.
  let errorColumns: (kind: String, status: String, version: String)
  /// The keys under which a deleted item may hold its version, the SDK's own first.
  let versionKeys: [String]
  /// Why an operation with this id is not one of this SDK's own; nil where it may be.
  var stranger: @Sendable (_ id: String) -> String? = { _ in nil }
  /// Reads a row of the configuration, its key first; nil when it is no token.
  let token: @Sendable (_ key: String, borrowing Statement, TableNames) -> DeltaToken?

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    try readOperations(tables, names, connection, into: &queue)
    queue.errors = try errors(tables, names, connection)
    try connectErrors(of: &queue, tables, names, connection)
    queue.tokens = try tokens(tables, names, connection)
    return queue
  }

  /// Ties errors to the operations that they are about.
  ///
  /// An operation counts how often it was changed, and an error knows the count of its time. One
  /// that has another count is about what the operation no longer is, which is told.
  private func connectErrors(
    of queue: inout Queue, _ tables: SystemTables, _ names: TableNames,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let index = OperationIndex(queue.operations, for: queue.errors)
    let changed = try changedOperations(tables, connection)
    for place in queue.errors.indices {
      index.connectByID(&queue.errors[place])
      let error = queue.errors[place]
      guard let id = error.originalOperationID, changed.contains(id) else { continue }
      queue.findings.append(
        Finding(
          "stale-error", .note, table: error.table, itemID: error.itemID,
          operation: error.operation,
          message: "the operation was changed after this error of it had been written down"))
    }
  }

  /// The ids of operations that were changed after their error had been written down.
  private func changedOperations(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<String> {
    guard
      var errors = try tables.select(
        ["id", errorColumns.version], from: DotnetNames.errors, connection)
    else { return [] }
    var versions: [String: Int64] = [:]
    while try errors.step() {
      guard let id = errors.text(at: 0), let version = errors.wholeNumber(at: 1) else { continue }
      versions[id] = version
    }
    guard !versions.isEmpty,
      var operations = try tables.select(
        ["id", "version"], from: DotnetNames.operations, connection)
    else { return [] }
    var changed: Set<String> = []
    while try operations.step() {
      guard let id = operations.text(at: 0), let known = versions[id],
        let version = operations.wholeNumber(at: 1), version != known
      else { continue }
      changed.insert(id)
    }
    return changed
  }

  private func readOperations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    guard
      var statement = try tables.select(
        ["id", "kind", "state", "tableName", "itemId", "item", "tableKind"],
        from: DotnetNames.operations, order: ["sequence"], connection)
    else { return }
    let tellsTableKind = tables.has(DotnetNames.operations, ["tableKind"])
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      operation.decodeCodes(statement, kinds: kinds, states: states)
      operation.table = names.canonical(statement.strictText(at: 3))
      operation.itemID = statement.strictText(at: 4)
      operation.takePayload(statement.optionalRaw(at: 5), versionKeys: versionKeys)
      queue.operations.append(operation)
      guard operation.state.isPending else { continue }
      if tellsTableKind, statement.wholeNumber(at: 6) != 0 {
        queue.findings.append(neverPushed(operation, tableKind: statement.text(at: 6)))
      }
      if let why = operation.originalID.flatMap(stranger) {
        queue.findings.append(Finding("operation-of-older-sdk", .error, operation, why))
      }
    }
  }

  /// A push asks for operations with table kind 0, the only one that there is.
  private func neverPushed(_ operation: PendingOperation, tableKind: String?) -> Finding {
    let what = tableKind.map { "the table kind \($0)" } ?? "no table kind"
    return Finding(
      "operation-never-pushed", .warning, operation,
      "the operation has \(what), so the SDK's own push leaves it out")
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

extension Finding {
  /// A finding about an operation.
  package init(
    _ code: String, _ severity: Severity, _ operation: PendingOperation, _ message: String
  ) {
    self.init(
      code, severity, table: operation.table, itemID: operation.itemID,
      operation: operation.sequence, message: message)
  }
}
