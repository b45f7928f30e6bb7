import Bytes
import Records
import SQLite

/// Reads the queue, the errors and the tokens of the SDK from its three tables.
struct IOSQueueReader {
  let generation: IOSGeneration
  /// The SDK's tables.
  let systemTables: SystemTables
  /// The canonical name of each entity's table.
  let tableNames: [String: String]

  /// Reads everything; rows are attached later.
  func read(_ connection: borrowing Connection) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.operations = try readOperations(connection)
    queue.errors = try readErrors(connection)
    let index = OperationIndex(queue.operations, for: queue.errors)
    for place in queue.errors.indices { index.connect(&queue.errors[place]) }
    queue.tokens = try readTokens(connection)
    return queue
  }

  private func readOperations(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PendingOperation] {
    guard
      var statement = try systemTables.select(
        ["ZID", "ZTABLE", "ZITEMID", "ZPROPERTIES"], from: IOSNames.operationsTable,
        order: ["ZID", "Z_PK"], connection)
    else { return [] }
    var operations: [PendingOperation] = []
    operations.reserveCapacity(try systemTables.count(of: IOSNames.operationsTable, connection))
    var work = OrderedWork<[PendingOperation], [PendingOperation]>(threads: processorCount()) {
      { batch, emit in
        var operations = batch.map(decoded)
        operations.pack()
        _ = emit(operations)
      }
    }
    let take = { (batch: [PendingOperation]) in operations += batch }
    var common = CommonPayloads()
    var batch: [PendingOperation] = []
    var count: Int64 = 0
    while try statement.step() {
      // Most inserts and updates have one payload, which is decoded and kept once; others are
      // decoded by the side.
      var operation =
        common.operation(statement, at: 3) { (payload, isKept) in
          var operation = PendingOperation()
          operation.raw = payload
          return isKept ? decoded(operation) : operation
        }
      count += 1
      operation.sequence = count
      operation.setNames(
        table: canonicalTable(statement.text(at: 1)), itemID: statement.text(at: 2),
        originalID: statement.text(at: 0))
      batch.append(operation)
      guard batch.count == Self.batchSize else { continue }
      work.put(batch, take)
      batch.removeAll(keepingCapacity: true)
    }
    work.put(batch, take)
    work.finish(take)
    return operations
  }

  /// How many operations are decoded at a time.
  private static let batchSize = 256

  /// The operation with what its payload says, unless that is known.
  private func decoded(_ operation: PendingOperation) -> PendingOperation {
    guard operation.kind == nil, operation.originalCode == nil else { return operation }
    var operation = operation
    decode(JSONPayload(untagged: operation.raw), into: &operation)
    return operation
  }

  private func decode(_ payload: JSONPayload, into operation: inout PendingOperation) {
    operation.kind = payload.kind("type")
    operation.originalCode = payload.json("type").map { String(decoding: $0, as: UTF8.self) }
    guard operation.kind == .delete else { return }
    operation.item = payload.objectJSON("item")
    operation.baseVersion = payload.version(
      ofItem: "item", under: IOSNames.versionKeys(of: generation))
  }

  private func readErrors(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [OperationError] {
    guard
      var statement = try systemTables.select(
        ["ZID", "ZOPERATIONID", "ZPROPERTIES"], from: IOSNames.errorsTable, order: ["Z_PK"],
        connection)
    else { return [] }
    var errors: [OperationError] = []
    while try statement.step() {
      var error = OperationError()
      error.originalID = statement.text(at: 0)
      error.originalOperationID = statement.text(at: 1)
      error.raw = statement.optionalRaw(at: 2)
      decode(JSONPayload(untagged: error.raw), into: &error)
      errors.append(error)
    }
    return errors
  }

  private func decode(_ payload: JSONPayload, into error: inout OperationError) {
    error.table = canonicalTable(payload.text("table"))
    error.itemID = payload.text("itemId")
    error.kind = payload.kind("operation")
    // The SDK writes 0 where no answer came.
    error.status = payload.integer("statusCode").flatMap { $0 == 0 ? nil : $0 }
    error.code = payload.json("code").map { String(decoding: $0, as: UTF8.self) }
    error.message = payload.text("description")
    error.item = payload.objectJSON("item")
    error.serverItem = payload.objectJSON("serverItem")
  }

  private func readTokens(_ connection: borrowing Connection) throws(SQLiteError) -> [DeltaToken] {
    guard
      var statement = try systemTables.select(
        ["ZTABLE", "ZKEY", "ZVALUE"], from: IOSNames.configurationTable, order: ["Z_PK"],
        connection)
    else { return [] }
    var tokens: [DeltaToken] = []
    while try statement.step() {
      var token = DeltaToken()
      token.table = canonicalTable(statement.text(at: 0))
      token.query = statement.text(at: 1)
      token.raw = statement.text(at: 2)
      token.updatedAt = token.raw.flatMap { Timestamp(parsing: $0.utf8.span)?.text }
      tokens.append(token)
    }
    return tokens
  }

  private func canonicalTable(_ entity: String?) -> String? {
    entity.map { tableNames[$0] ?? $0 }
  }
}
