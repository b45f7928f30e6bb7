import Bytes
import Records
import SQLite

extension Connection {
  /// Reads the queue of a canonical store, the operations with or without what the SDK stored.
  func readCanonicalQueue(withRaw: Bool) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.marks = try readMarks()
    // The last mark decides.
    let dropped = queue.marks.filter { $0.value.last?.kind == .drop }
    queue.operations = try readCanonicalOperations(
      dropped: Set(dropped.keys), withRaw: withRaw)
    queue.errors = try readCanonicalErrors()
    var statement = try prepare(
      "SELECT \"table\", query, updatedAt, raw FROM rehome_token ORDER BY id")
    while try statement.step() {
      var token = DeltaToken()
      token.table = statement.text(at: 0)
      token.query = statement.text(at: 1)
      token.updatedAt = statement.text(at: 2)
      token.raw = statement.text(at: 3)
      queue.tokens.append(token)
    }
    return queue
  }

  /// What people have decided, oldest first; a time that cannot be read counts as the beginning.
  private func readMarks() throws(SQLiteError) -> [Int64: [OperationMark]] {
    guard try tables().contains(where: { $0.name == "rehome_mark" }) else { return [:] }
    var marks: [Int64: [OperationMark]] = [:]
    var statement = try prepare(
      "SELECT sequence, mark, at, who, why FROM rehome_mark ORDER BY id")
    while try statement.step() {
      let isDrop = statement.text(at: 1) == OperationMark.Kind.drop.rawValue
      let time = statement.text(at: 2).flatMap { Timestamp(parsing: $0.utf8Span.span) }
      marks[statement.integer(at: 0), default: []].append(
        OperationMark(
          isDrop ? .drop : .keep, at: time ?? .epoch, who: statement.text(at: 3),
          why: statement.text(at: 4)))
    }
    return marks
  }

  private func readCanonicalOperations(
    dropped: Set<Int64>, withRaw: Bool
  ) throws(SQLiteError) -> [PendingOperation] {
    var packing = OperationPacking()
    let hasSeveralSources = try integer("SELECT count(*) FROM rehome_source") > 1
    var statement = try prepare(
      """
      SELECT sequence, kind, state, rowKey, item, \(withRaw ? "raw" : "NULL"),
        "table", itemId, originalId, baseVersion, originalCode, rowTable, source
      FROM rehome_operation ORDER BY sequence
      """)
    while try statement.step() {
      for column in 6..<12 { packing.add(statement, at: column) }
      packing.addPayload(statement, at: 5)
      packing.addItem(statement, at: 4)
      var operation = PendingOperation()
      operation.sequence = statement.integer(at: 0)
      operation.kind = statement.text(at: 1).flatMap(OperationKind.init(rawValue:))
      operation.state = statement.text(at: 2).flatMap(OperationState.init(rawValue:)) ?? .pending
      if dropped.contains(operation.sequence) { operation.state = .dropped }
      operation.rowKey = statement.optionalInteger(at: 3)
      if hasSeveralSources { operation.source = Int32(clamping: statement.integer(at: 12)) }
      packing.finish(operation)
    }
    return packing.take()
  }

  private func readCanonicalErrors() throws(SQLiteError) -> [OperationError] {
    var errors: [OperationError] = []
    var statement = try prepare(
      """
      SELECT "table", itemId, kind, status, code, message, item, serverItem, operation,
        originalId, originalOperationId, raw FROM rehome_error ORDER BY id
      """)
    while try statement.step() {
      var error = OperationError()
      error.table = statement.text(at: 0)
      error.itemID = statement.text(at: 1)
      error.kind = statement.text(at: 2).flatMap(OperationKind.init(rawValue:))
      error.status = statement.optionalInteger(at: 3)
      error.code = statement.text(at: 4)
      error.message = statement.text(at: 5)
      error.item = statement.optionalBytes(at: 6)
      error.serverItem = statement.optionalBytes(at: 7)
      error.operation = statement.optionalInteger(at: 8)
      error.originalID = statement.text(at: 9)
      error.originalOperationID = statement.text(at: 10)
      error.raw = statement.optionalRaw(at: 11)
      errors.append(error)
    }
    return errors
  }
}
