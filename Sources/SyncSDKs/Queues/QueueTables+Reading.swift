import Bytes
import Records
import SQLite
import Tables

extension QueueTables: QueueLayout {
  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    try readOperations(tables, names, connection, into: &queue)
    if let errors {
      queue.errors = try read(errors, tables, names, connection, &queue)
      try connectErrors(of: &queue, errors, tables, connection)
    }
    queue.tokens = try readTokens(tables, names, connection, &queue)
    return queue
  }

  private func readOperations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    let shape = operations
    let columns = [
      shape.id, shape.kind, shape.state, shape.tableName, shape.itemID, shape.payload,
      shape.version, shape.status, shape.tableKind,
    ]
    guard
      var statement = try tables.select(
        columns, from: shape.table, order: shape.order, connection)
    else { return }
    let backups = try readBackups(tables, connection, &queue)
    let tellsTableKind = shape.tableKind.map { tables.has(shape.table, [$0]) } ?? false
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      let stranger = operation.originalID.flatMap(shape.stranger)
      decodeCodes(of: &operation, isStranger: stranger != nil, statement)
      let table = statement.strictText(at: 3)
      operation.table =
        shape.namesTypes ? names.canonical(entityType: table) : names.canonical(table)
      operation.itemID = statement.strictText(at: 4)
      queue.tell(
        Finding.damagedNames(
          in: statement, at: [(3, "table"), (4, "item's id")], ofOperation: operation.sequence))
      var payload = statement.optionalRaw(at: 5)
      if payload == nil, operation.kind == .delete, let table, let id = operation.itemID {
        payload = backups["\(table)/\(id)"]
      }
      take(payload, of: &operation, statement)
      queue.operations.append(operation)
      if errors == nil, operation.state == .failed {
        queue.errors.append(Self.error(of: operation, status: statement.wholeNumber(at: 7)))
      }
      guard operation.state.isPending else { continue }
      if tellsTableKind, statement.wholeNumber(at: 8) != 0 {
        queue.tell(Self.neverPushed(operation, tableKind: statement.text(at: 8)))
      }
      if let stranger {
        queue.tell(Finding("operation-of-older-sdk", .error, operation, stranger))
      } else if let finding = unknownState(of: operation, statement) {
        queue.tell(finding)
      }
    }
  }

  /// Decodes kind and state; of an operation of another SDK nobody can say what it would do now.
  private func decodeCodes(
    of operation: inout PendingOperation, isStranger: Bool, _ statement: borrowing Statement
  ) {
    switch operations.kinds {
    case .numbers where isStranger:
      operation.decodeCodes(statement, kinds: [:], states: operations.strangerStates)
    case .numbers(let kinds):
      operation.decodeCodes(statement, kinds: kinds, states: operations.states)
    case .words:
      operation.originalCode = statement.text(at: 1)
      operation.kind = statement.strictText(at: 1).flatMap(OperationKind.init(rawValue:))
    }
  }

  private func take(
    _ payload: RawValue?, of operation: inout PendingOperation, _ statement: borrowing Statement
  ) {
    switch operations.payloads {
    case .itemOfDeletes:
      operation.takePayload(payload, versionKeys: operations.versionKeys)
    case .versionOfDeletes:
      operation.raw = payload
      guard operation.kind == .delete else { return }
      operation.baseVersion = JSONPayload(payload).version(under: operations.versionKeys)
    case .item:
      operation.raw = payload
      if operation.kind != nil { operation.item = JSONPayload.objectBytes(of: payload) }
      if operation.kind == .update || operation.kind == .delete {
        let version = statement.strictText(at: 6)
        operation.baseVersion = version?.isEmpty ?? true ? nil : version
      }
    }
  }

  /// The deleted items that have a table of their own, by table and item.
  private func readBackups(
    _ tables: SystemTables, _ connection: borrowing Connection, _ queue: inout Queue
  ) throws(SQLiteError) -> ItemBackups {
    guard let shape = operations.backups,
      var statement = try tables.select([shape.id, shape.item], from: shape.table, connection)
    else { return ItemBackups() }
    var backups = ItemBackups()
    var number = 0
    while try statement.step() {
      number += 1
      queue.tell(
        Finding.damagedNames(in: statement, at: [(0, "id")], of: ("deleted item", number)))
      if let id = statement.strictText(at: 0) {
        backups.append(statement.optionalRaw(at: 1), of: id)
      }
    }
    backups.finish()
    return backups
  }

  /// A push asks for operations with table kind 0, the only one that there is.
  private static func neverPushed(_ operation: PendingOperation, tableKind: String?) -> Finding {
    let what = tableKind.map { "the table kind \($0)" } ?? "no table kind"
    return Finding(
      "operation-never-pushed", .warning, operation,
      "the operation has \(what), so the SDK's own push leaves it out")
  }

  /// What to tell of a state that the SDK does not have; without one it means pending.
  private func unknownState(
    of operation: PendingOperation, _ statement: borrowing Statement
  ) -> Finding? {
    guard operations.state != nil, statement.storageClass(at: 2) != .null else { return nil }
    let number = statement.wholeNumber(at: 2)
    if let number, operations.states[number] != nil { return nil }
    let what = number.map { "the state \($0), which" } ?? "a state that is no whole number, which"
    return Finding(
      "unknown-operation-state", .warning, operation,
      "the operation has \(what) its SDK does not have; read as pending, as its SDK sends it")
  }

  /// What a failed operation tells where there are no errors: all that is left of one.
  private static func error(of operation: PendingOperation, status: Int64?) -> OperationError {
    var error = OperationError()
    error.table = operation.table
    error.itemID = operation.itemID
    error.kind = operation.kind
    error.takeStatus(status)
    error.item = JSONPayload.objectBytes(of: operation.raw)
    error.operation = operation.sequence
    error.originalOperationID = operation.originalID
    return error
  }

  private func read(
    _ shape: Errors, _ tables: SystemTables, _ names: TableNames,
    _ connection: borrowing Connection, _ queue: inout Queue
  ) throws(SQLiteError) -> ErrorList {
    let columns = [
      shape.id, shape.operationID, shape.tableName, shape.itemID, shape.kind, shape.status,
      shape.item, shape.message, shape.answer, shape.serverItem,
    ]
    guard var statement = try tables.select(columns, from: shape.table, connection) else {
      return ErrorList()
    }
    var kinds: [Int64: OperationKind] = [:]
    if case .numbers(let numbers) = operations.kinds { kinds = numbers }
    var errors = ErrorList()
    while try statement.step() {
      var error = OperationError()
      error.originalID = statement.text(at: 0)
      error.originalOperationID =
        shape.operationID == nil ? error.originalID : statement.strictText(at: 1)
      error.table = names.canonical(statement.strictText(at: 2))
      error.itemID = statement.strictText(at: 3)
      error.kind = statement.wholeNumber(at: 4).flatMap { kinds[$0] }
      error.takeStatus(statement.wholeNumber(at: 5))
      error.takeItem(statement.optionalRaw(at: 6))
      error.message = statement.strictText(at: 7)
      queue.tell(
        Finding.damagedNames(
          in: statement, at: [(1, "operation"), (2, "table"), (3, "item's id")],
          of: ("error", errors.count + 1)))
      let copy = statement.optionalRaw(at: 9)
      error.serverItem = JSONPayload.objectBytes(of: copy)
      error.takeAnswer(statement.optionalRaw(at: 8))
      errors.append(error)
    }
    return errors
  }

  /// Ties errors to the operations that they are about.
  ///
  /// An operation may count how often it was changed, and an error knows the count of its time. One
  /// that has another count is about what the operation no longer is, which is told.
  private func connectErrors(
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
      guard let id = errors.text(at: 0).map({ ExactText($0) }),
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
      guard let id = statement.text(at: 0).map({ ExactText($0) }), let known = counts[id],
        let count = statement.wholeNumber(at: 1), count != known
      else { continue }
      changed.insert(id)
    }
    return changed
  }

  private func readTokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    _ queue: inout Queue
  ) throws(SQLiteError) -> [DeltaToken] {
    guard
      var statement = try tables.select(
        [tokens.key, tokens.tableName, tokens.value], from: tokens.table, connection)
    else { return [] }
    var found: [DeltaToken] = []
    var number = 0
    while try statement.step() {
      number += 1
      queue.tell(
        Finding.damagedNames(
          in: statement, at: [(0, "key"), (1, "table")], of: ("setting", number)))
      let (key, table) = (statement.strictText(at: 0), statement.strictText(at: 1))
      guard let target = tokens.target(key, table, names) else { continue }
      var token = DeltaToken(table: target.table, query: target.query)
      switch tokens.time {
      case .iso: token.readISO(statement, at: 2)
      case .milliseconds: token.readMilliseconds(statement, at: 2)
      }
      found.append(token)
    }
    return found
  }

  /// The types of the tables that the queue speaks of, where it names them by these: a server's
  /// routes are named after them.
  ///
  /// Where nothing waits, only tokens tell them.
  func facts(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SourceDescription.Fact] {
    guard operations.namesTypes else { return [] }
    var types: [ExactText: String] = [:]
    for (column, table, type) in [
      (operations.tableName, operations.table, { $0 }), (tokens.key, tokens.table, tokens.type),
    ] as [(String, String, (String) -> String?)] {
      guard var statement = try tables.select([column], from: table, connection) else { continue }
      var last: String?
      while try statement.step() {
        guard let text = statement.strictText(at: 0), text != last else { continue }
        last = text
        guard let type = type(text), let table = names.table(ofEntityType: type),
          types[ExactText(table)] == nil
        else { continue }
        types[ExactText(table)] = type
      }
    }
    return types.sorted { $0.key < $1.key }.map {
      SourceDescription.Fact(typeOf: $0.wrappedValue, $1)
    }
  }
}
