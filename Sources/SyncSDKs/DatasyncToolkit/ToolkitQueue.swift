import Bytes
import Records
import SQLite
import Tables

/// Reads the queue of the Community Toolkit; each operation holds a snapshot of its item.
struct ToolkitQueue: QueueLayout {
  /// An operation carries the version that was known when it was made.
  var takesVersionsFromRows: Bool { false }

  private static let kinds: [Int64: OperationKind] = [0: .insert, 1: .delete, 2: .update]
  private static let states: [Int64: OperationState] = [0: .pending, 1: .completed, 2: .failed]

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    try readOperations(tables, names, connection, into: &queue)
    queue.tokens = try tokens(tables, names, connection)
    return queue
  }

  /// The types of the tables that the queue speaks of: a server's routes are named after them.
  func facts(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SourceDescription.Fact] {
    guard
      var statement = try tables.select(
        ["EntityType"], from: DatasyncToolkit.operations, connection)
    else { return [] }
    var types: [String: String] = [:]
    var last: String?
    while try statement.step() {
      guard let type = statement.strictText(at: 0), type != last else { continue }
      last = type
      if let table = EntityTypeName(type).table(in: names), types[table] == nil {
        types[table] = type
      }
    }
    return types.sorted { $0.key < $1.key }.map { SourceDescription.Fact(typeOf: $0, $1) }
  }

  /// The toolkit pushes rows as SQLite gives them, so `Sequence` says nothing about the order.
  private func readOperations(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    let columns = [
      "Id", "Kind", "State", "EntityType", "ItemId", "EntityVersion", "Item", "HttpStatusCode",
    ]
    guard
      var statement = try tables.select(columns, from: DatasyncToolkit.operations, connection)
    else { return }
    while try statement.step() {
      var operation = PendingOperation(number: queue.operations.count + 1, statement)
      operation.decodeCodes(statement, kinds: Self.kinds, states: Self.states)
      operation.table = names.canonical(entityType: statement.strictText(at: 3))
      operation.itemID = statement.strictText(at: 4)
      operation.raw = statement.optionalRaw(at: 6)
      if operation.kind != nil {
        operation.item = JSONPayload(operation.raw).bytes(of: operation.raw)
      }
      if operation.kind == .update || operation.kind == .delete {
        let version = statement.strictText(at: 5)
        operation.baseVersion = version?.isEmpty ?? true ? nil : version
      }
      queue.operations.append(operation)
      if operation.state == .failed {
        queue.errors.append(error(of: operation, status: statement.wholeNumber(at: 7)))
      }
    }
  }

  /// The toolkit keeps no errors of its own: a failed operation tells all that is left of one.
  private func error(of operation: PendingOperation, status: Int64?) -> OperationError {
    var error = OperationError()
    error.table = operation.table
    error.itemID = operation.itemID
    error.kind = operation.kind
    error.takeStatus(status)
    error.item = JSONPayload(operation.raw).bytes(of: operation.raw)
    error.operation = operation.sequence
    error.originalOperationID = operation.originalID
    return error
  }

  private func tokens(
    _ tables: SystemTables, _ names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [DeltaToken] {
    guard
      var statement = try tables.select(["Id", "Value"], from: DatasyncToolkit.tokens, connection)
    else { return [] }
    var tokens: [DeltaToken] = []
    while try statement.step() {
      let (type, query) = Self.parts(of: statement.strictText(at: 0) ?? "")
      var token = DeltaToken(table: names.canonical(entityType: type), query: query)
      token.readMilliseconds(statement, at: 1)
      tokens.append(token)
    }
    return tokens
  }

  /// `q-<type>-<query>`, or the type alone where everything is pulled.
  private static func parts(of key: String) -> (type: String, query: String?) {
    guard let rest = key.removing(prefix: "q-") else { return (key, nil) }
    let parts = rest.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }
}
