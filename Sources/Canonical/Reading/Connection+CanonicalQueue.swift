import Bytes
import Records
import SQLite
import Tables

extension Connection {
  /// Reads the queue of a canonical store but for the operations.
  func readCanonicalQueue(ofSeveral: Bool) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.marks = try readMarks()
    queue.deliveries = try readDeliveries()
    queue.errors = try readCanonicalErrors(ofSeveral: ofSeveral)
    var statement = try prepare(
      "SELECT \"table\", query, updatedAt, raw, source FROM rehome_token ORDER BY id")
    while try statement.step() {
      var token = DeltaToken()
      token.table = statement.text(at: 0)
      token.query = statement.text(at: 1)
      token.updatedAt = statement.text(at: 2)
      token.raw = statement.text(at: 3)
      if ofSeveral { token.source = Int32(clamping: statement.integer(at: 4)) }
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

  /// The last entry of the journal about each operation and target; words that no replay writes
  /// change nothing.
  private func readDeliveries() throws(SQLiteError) -> Deliveries {
    let journal = try tables().first { $0.name == "rehome_replay" }
    // The first stores had a journal without targets, in which nothing was ever written.
    let columns = Set(journal?.columns.map(\.name) ?? [])
    guard columns.isSuperset(of: ["target", "status"]) else { return Deliveries() }
    let words = ReplayOutcome.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    var statement = try prepare(
      """
      SELECT sequence, target, event, at, status, iif(event = 'sending', NULL, detail), max(id)
      FROM rehome_replay
      WHERE target IS NOT NULL AND event IN ('sending', \(words))
      GROUP BY sequence, target ORDER BY sequence, target
      """)
    var deliveries = Deliveries()
    while try statement.step() {
      guard let target = statement.text(at: 1) else { continue }
      let time = statement.text(at: 3).flatMap { Timestamp(parsing: $0.utf8Span.span) }
      // What was being sent when the journal ends is in doubt.
      let outcome = statement.text(at: 2).flatMap(ReplayOutcome.init(rawValue:)) ?? .inDoubt
      deliveries.add(
        Delivery(
          target: target, outcome: outcome, time: time ?? .epoch,
          status: statement.optionalInteger(at: 4), detail: statement.text(at: 5)),
        of: statement.integer(at: 0), entry: statement.integer(at: 6))
    }
    return deliveries
  }

  /// Reads the operations of a canonical store in their order.
  func readCanonicalOperations(
    _ decoder: consuming CanonicalOperationDecoder
  ) throws(SQLiteError) -> OperationList {
    var operations = OperationList()
    let columns = CanonicalOperationDecoder.columns.map(quoted).joined(separator: ", ")
    var statement = try prepare(
      "SELECT sequence, \(columns) FROM rehome_operation ORDER BY sequence")
    while try statement.step() {
      decoder.add(statement, sequence: statement.integer(at: 0))
      if decoder.isFull { operations.append(contentsOf: decoder.take()) }
    }
    operations.append(contentsOf: decoder.take())
    return operations
  }

  private func readCanonicalErrors(ofSeveral: Bool) throws(SQLiteError) -> ErrorList {
    var errors = ErrorList()
    var statement = try prepare(
      """
      SELECT "table", itemId, kind, status, code, message, item, serverItem, operation,
        originalId, originalOperationId, raw, source FROM rehome_error ORDER BY id
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
      if ofSeveral { error.source = Int32(clamping: statement.integer(at: 12)) }
      errors.append(error)
    }
    return errors
  }
}

extension Connection {
  /// Prepares the reading of what devices would send for their operations, one row for each.
  func prepareDeviceItems() throws(SQLiteError) -> Statement {
    let hasItems = try tables().contains { $0.name == "rehome_device_item" }
    return try prepare(
      hasItems
        ? """
        SELECT o.sequence, o.source, d."table", d.item, d.body, d.updatedAt, d.version
        FROM rehome_operation AS o LEFT JOIN rehome_device_item AS d ON d.operation = o.sequence
        ORDER BY o.sequence
        """
        : """
        SELECT sequence, source, NULL, NULL, NULL, NULL, NULL
        FROM rehome_operation ORDER BY sequence
        """)
  }

  private static let journalColumns = [
    "sequence", "at", "event", "detail", "target", "attempt", "status", "version",
  ]

  /// Whether there is a journal that knows its targets.
  func hasJournal() throws(SQLiteError) -> Bool {
    let columns = try tables().first { $0.name == "rehome_replay" }?.columns.map(\.name) ?? []
    return Set(columns).isSuperset(of: Self.journalColumns)
  }

  func prepareJournal() throws(SQLiteError) -> Statement {
    try prepare(
      "SELECT \(Self.journalColumns.joined(separator: ", ")) FROM rehome_replay ORDER BY id")
  }
}

extension DeviceItem {
  /// The item in a row of `prepareDeviceItems`.
  init(canonical row: borrowing Statement) {
    self.init(operation: row.integer(at: 0), source: Int32(clamping: row.integer(at: 1)))
    table = row.text(at: 2)
    item = row.optionalBytes(at: 3)
    body = row.optionalBytes(at: 4)
    updatedAt = row.text(at: 5)
    version = row.text(at: 6)
  }
}

extension JournalLine {
  /// The line in a row of `prepareJournal`.
  init(canonical row: borrowing Statement) {
    let at = Array((row.text(at: 1) ?? "").utf8)
    self.init(
      sequence: row.integer(at: 0), time: Timestamp(parsing: at.span) ?? .epoch,
      event: row.text(at: 2) ?? "")
    detail = row.text(at: 3)
    target = row.text(at: 4)
    attempt = row.optionalInteger(at: 5)
    status = row.optionalInteger(at: 6)
    version = row.text(at: 7)
  }
}
