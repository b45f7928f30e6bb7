import Bytes
import Records
import SQLite
import Tables

/// Reads the queue, the errors and the tokens of the SDK from its three tables.
struct IOSQueueReader {
  let generation: IOSGeneration
  /// The SDK's tables.
  let systemTables: SystemTables
  /// The canonical name of each entity's table.
  let tableNames: [ExactText: String]
  /// Where payloads may be files; nil where none is.
  let externalData: ExternalDataFolder?

  /// Reads everything, the operations only where they are not given; rows are attached later.
  func read(
    _ connection: borrowing Connection, operations: OperationList?
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    if let operations {
      queue.operations = operations
    } else {
      queue.operations = try readOperations(connection) { queue.tell($0) }
    }
    queue.errors = try readErrors(connection) { queue.tell($0) }
    let index = OperationIndex(queue.operations, for: queue.errors)
    queue.errors.updateEach { index.connect(&$0) }
    queue.tokens = try readTokens(connection) { queue.tell($0) }
    return queue
  }

  private func readErrors(
    _ connection: borrowing Connection, telling tell: ([Finding]) -> Void
  ) throws(SQLiteError) -> ErrorList {
    let columns: [String?] = ["ZID", "ZOPERATIONID", "ZPROPERTIES"]
    guard
      var statement = try systemTables.select(
        columns, from: IOSNames.errorsTable, order: ["Z_PK"], connection)
    else { return ErrorList() }
    var errors = ErrorList()
    var unread = UnreadColumns(of: columns, of: ("error", 0))
    while try statement.step() {
      var error = OperationError()
      unread.begin(record: errors.count + 1)
      error.originalID = unread.id(statement, at: 0)
      error.originalOperationID = unread.id(statement, at: 1, "operation")
      error.raw = statement.optionalRaw(at: 2)
      if case .binary(let stored)? = error.raw, let file = payload(namedBy: stored.span) {
        error.raw = .binary(file)
      }
      let payload = JSONPayload(untagged: error.raw)
      decode(payload, into: &error)
      if !payload.isObject, error.raw != nil { unread.tell("payload", UnreadColumns.noObject) }
      error.raw = unread.raw(behind: error.raw)
      tell(unread.findings)
      errors.append(error)
    }
    return errors
  }

  /// The payload in the file that a stored one names; nil where it names none, or the file is missing.
  func payload(namedBy stored: Span<UInt8>) -> [UInt8]? {
    externalData?.contents(namedBy: stored)
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

  private func readTokens(
    _ connection: borrowing Connection, telling tell: (Finding) -> Void
  ) throws(SQLiteError) -> TokenList {
    guard
      var statement = try systemTables.select(
        ["ZTABLE", "ZKEY", "ZVALUE"], from: IOSNames.configurationTable, order: ["Z_PK"],
        connection)
    else { return [] }
    var tokens = TokenList()
    while try statement.step() {
      var token = DeltaToken()
      Finding.damagedNames(
        in: statement, at: [(0, "table"), (1, "query")], of: ("token", tokens.count + 1)
      ).forEach(tell)
      token.table = canonicalTable(statement.spelledText(at: 0))
      token.query = statement.spelledText(at: 1)
      token.raw = statement.spelledText(at: 2)
      token.updatedAt = token.raw.flatMap { Timestamp(parsing: $0.utf8.span)?.text }
      tokens.append(token)
    }
    return tokens
  }

  private func canonicalTable(_ entity: String?) -> String? {
    entity.map { tableNames[ExactText($0)] ?? $0 }
  }
}
