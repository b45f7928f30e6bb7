import Bytes
import Records
import SQLite
import Tables

extension QueueTables: QueueLayout {
  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    let backups = try readOperations(tables, names, connection, into: &queue)
    if let errors {
      queue.errors = try read(errors, tables, names, connection, &queue)
      try connectErrors(of: &queue, errors, tables, connection)
    }
    addLeft(backups, names, to: &queue)
    queue.tokens = try readTokens(tables, names, connection, &queue)
    return queue
  }

  private func readOperations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) -> ItemBackups {
    let shape = operations
    var columns: [String?] = [
      shape.id, shape.kind, shape.state, shape.tableName, shape.itemID, shape.payload,
      shape.version, shape.status, shape.tableKind,
    ]
    let places = columns.count..<columns.count + shape.order.count
    columns += shape.order
    guard
      var statement = try tables.select(
        columns, from: shape.table, order: shape.order, connection)
    else { return ItemBackups() }
    var backups = try readBackups(tables, connection, &queue)
    let tellsTableKind = shape.tableKind.map { tables.has(shape.table, [$0]) } ?? false
    var unread = UnreadColumns(of: columns)
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      unread.begin(operation, statement)
      let stranger = operation.originalID.flatMap(shape.stranger)
      decodeCodes(of: &operation, isStranger: stranger != nil, statement, &unread)
      Self.keepOddPlaces(statement, at: places, &unread)
      let table = unread.name(statement, at: 3, "table")
      operation.table =
        shape.namesTypes ? names.canonical(entityType: table) : names.canonical(table)
      operation.itemID = unread.name(statement, at: 4, "item's id")
      let payload = payload(of: operation, in: table, statement, &backups, &unread)
      take(payload, of: &operation, statement, &unread)
      operation.keep(unread, behind: payload)
      queue.tell(unread.findings)
      queue.operations.append(operation)
      if errors == nil, operation.state == .failed {
        queue.errors.append(
          Self.error(of: operation, payload, status: statement.wholeNumber(at: 7)))
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
    return backups
  }

  /// Decodes kind and state; of an operation of another SDK nobody can say what it would do now.
  ///
  /// A state without a number means pending, and so does one that no SDK writes, which is told.
  private func decodeCodes(
    of operation: inout PendingOperation, isStranger: Bool, _ statement: borrowing Statement,
    _ unread: inout UnreadColumns
  ) {
    operation.originalCode = unread.code(statement, at: 1)
    switch operations.kinds {
    case .numbers(let kinds):
      let number = statement.wholeNumber(at: 1)
      operation.kind = isStranger ? nil : number.flatMap { kinds[$0] }
    case .words:
      operation.kind = statement.strictText(at: 1).flatMap(OperationKind.init(rawValue:))
    }
    let states = isStranger ? operations.strangerStates : operations.states
    if let state = statement.wholeNumber(at: 2).flatMap({ states[$0] }) {
      operation.state = state
    } else {
      unread.keep(statement, at: 2)
    }
    if statement.wholeNumber(at: 8) != 0 { unread.keep(statement, at: 8) }
    if statement.wholeNumber(at: 7) == nil {
      unread.keep(statement, at: 7, "status", "is no whole number")
    }
  }

  /// Keeps what operations are sorted by where it is not as the SDK writes it: the last column counts,
  /// and one before it has the time of a session.
  private static func keepOddPlaces(
    _ statement: borrowing Statement, at columns: Range<Int>, _ unread: inout UnreadColumns
  ) {
    for column in columns.dropLast()
    where statement.storageClass(at: column) != .text || statement.damagedText(at: column) != nil {
      unread.keep(statement, at: column, "time in push order", "is no text")
    }
    guard let column = columns.last else { return }
    switch statement.storageClass(at: column) {
    case .null, .integer, .real: break
    case .text, .blob:
      unread.keep(
        statement, at: column, "place in push order",
        "is no number, and counts as behind all numbers")
    }
  }

  /// The payload of an operation, for which a delete may need the table of deleted items.
  ///
  /// What else its row there has is kept; items of operations of another kind are left there.
  private func payload(
    of operation: PendingOperation, in table: String?, _ statement: borrowing Statement,
    _ backups: inout ItemBackups, _ unread: inout UnreadColumns
  ) -> RawValue? {
    let own = statement.optionalRaw(at: 5)
    guard !backups.isEmpty, operation.kind == .delete || operation.kind == nil, let table,
      let id = operation.itemID, let found = backups.take("\(table)/\(id)")
    else { return own }
    let isNeeded = own == nil && operation.kind == .delete
    let payload = isNeeded ? found.payload : own
    if found != payload { unread.keep(found, named: operations.backups?.table) }
    return payload
  }

  private func take(
    _ payload: RawValue?, of operation: inout PendingOperation, _ statement: borrowing Statement,
    _ unread: inout UnreadColumns
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
        let version = unread.name(statement, at: 6, "version")
        // One of no length is none, whatever its class.
        operation.baseVersion =
          statement.bytes(at: 6).isEmpty ? nil : version ?? PendingOperation.unreadableVersion
      }
    }
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

  private func readTokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    _ queue: inout Queue
  ) throws(SQLiteError) -> TokenList {
    let columns = [tokens.key, tokens.tableName, tokens.value]
    guard var statement = try tables.select(columns, from: tokens.table, connection) else {
      return []
    }
    var found = TokenList()
    var number = 0
    var unread = UnreadColumns(of: columns, of: ("setting", 0))
    while try statement.step() {
      number += 1
      unread.begin(record: number)
      let key = unread.name(statement, at: 0, "key")
      let table = unread.name(statement, at: 1, "table")
      queue.tell(unread.findings)
      var target = tokens.target(key, table, names)
      // What cannot be told from a token counts as one.
      if key == nil, let spelled = statement.spelledText(at: 0) {
        target = Target(table: target?.table, query: spelled)
      }
      if table == nil, let spelled = statement.spelledName(at: 1) { target?.table = spelled }
      guard let target else { continue }
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
