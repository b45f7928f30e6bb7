import Bytes
import Records
import SQLite
import Tables

extension Connection {
  /// Reads the queue of a canonical store but for the operations and what became of them.
  func readCanonicalQueue(ofSeveral: Bool) throws(SQLiteError) -> Queue {
    var queue = Queue()
    queue.marks = try readMarks()
    try forEachRecord(of: CanonicalSchema.errors, called: "error", naming: Self.errorNames) {
      error, findings in
      queue.errors.append(error.known(toBeOfSeveral: ofSeveral))
      queue.tell(findings)
    }
    try forEachRecord(of: CanonicalSchema.tokens, called: "token", naming: Self.tokenNames) {
      token, findings in
      queue.tokens.append(token.known(toBeOfSeveral: ofSeveral))
      queue.tell(findings)
    }
    return queue
  }

  /// Lends the records of a table in the order in which they were written.
  func forEachRecord<Record>(
    of table: RecordTable<Record>, by order: String = "id", _ body: (Record) -> Void
  ) throws(SQLiteError) {
    guard var rows = try records(of: table, "ORDER BY \(order)") else { return }
    while let record = try rows.next() { body(record) }
  }

  /// The columns that name something, with words for them.
  private static let errorNames = [
    "table": "table", "itemId": "item's id", "originalId": "SDK's own id",
    "originalOperationId": "operation",
  ]
  private static let tokenNames = ["table": "table", "query": "query"]

  /// The same, without names that are no text, of which the findings tell.
  private func forEachRecord<Record>(
    of table: RecordTable<Record>, called kind: String, naming names: [String: String],
    _ body: (Record, [Finding]) -> Void
  ) throws(SQLiteError) {
    guard var rows = try records(of: table, "ORDER BY id") else { return }
    let columns = table.fields.enumerated().compactMap { place, field in
      names[field.name].map { (place, $0) }
    }
    var number = 0
    while var record = try rows.next() {
      number += 1
      for (place, _) in columns where rows.statement.damagedText(at: place) != nil {
        table.fields[place].take(.null, &record)
      }
      body(
        record,
        Finding.damagedNames(in: rows.statement, at: columns, of: (kind, number)))
    }
  }

  /// What people have decided, oldest first.
  private func readMarks() throws(SQLiteError) -> OperationMarks {
    var marks = OperationMarks()
    try forEachRecord(of: CanonicalSchema.marks) { marks.append($0) }
    marks.settle()
    return marks
  }

  /// Prepares the reading of what a long journal tells of deliveries, oldest first; nil where it knows
  /// of no targets.
  func prepareDeliveries() throws(SQLiteError) -> Statement? {
    // The first stores had a journal without targets, in which nothing was ever written.
    let columns = try columns(ofTable: CanonicalSchema.journal.name)
    guard columns.isSuperset(of: ["target", "status"]) else { return nil }
    return try prepare(
      "SELECT sequence, at, event, target, status, detail FROM rehome_replay ORDER BY id")
  }

  /// Reads the operations of a canonical store in their order; tells of names that are no text.
  func readCanonicalOperations(
    _ decoder: consuming CanonicalOperationDecoder, telling tell: ([Finding]) -> Void
  ) throws(SQLiteError) -> OperationList {
    var operations = OperationList()
    let columns = CanonicalOperationDecoder.columns.map(quoted).joined(separator: ", ")
    var statement = try prepare(
      "SELECT sequence, \(columns) FROM rehome_operation ORDER BY sequence")
    while try statement.step() {
      let sequence = statement.integer(at: 0)
      decoder.add(statement, sequence: sequence)
      tell(
        Finding.damagedNames(
          in: statement, at: CanonicalOperationDecoder.names, ofOperation: sequence))
      if decoder.isFull { operations.append(contentsOf: decoder.take()) }
    }
    operations.append(contentsOf: decoder.take())
    return operations
  }
}

extension Sourced {
  /// The record with its source, where the store is of several.
  func known(toBeOfSeveral isOfSeveral: Bool) -> Self {
    var record = self
    if !isOfSeveral { record.source = 0 }
    return record
  }
}

extension Connection {
  /// Prepares the reading of what devices would send for their operations, one row for each.
  func prepareDeviceItems() throws(SQLiteError) -> Statement {
    let items = CanonicalSchema.deviceItems
    let isLacking = try columns(ofTable: items.name).isEmpty
    let columns = DeviceItem.fields.map { isLacking ? "NULL" : "d.\(quoted($0.name))" }
    let join = isLacking ? "" : "LEFT JOIN \(items.name) AS d ON d.operation = o.sequence"
    return try prepare(
      """
      SELECT o.sequence, o.source, \(columns.joined(separator: ", "))
      FROM rehome_operation AS o \(join) ORDER BY o.sequence
      """)
  }
}

extension JournalLine {
  /// What counts of a line in a row of `prepareDeliveries`.
  init(delivery row: borrowing Statement) {
    let time = row.text(at: 1).flatMap { Timestamp(parsing: $0.utf8Span.span) }
    self.init(
      sequence: row.integer(at: 0), time: time ?? .epoch, event: row.text(at: 2) ?? "")
    target = row.text(at: 3)
    status = row.optionalInteger(at: 4)
    detail = row.text(at: 5)
  }
}

extension DeviceItem {
  /// The item in a row of `prepareDeviceItems`.
  init(canonical row: borrowing Statement) {
    self.init(operation: row.integer(at: 0), source: Int32(clamping: row.integer(at: 1)))
    row.take(Self.fields, from: 2, into: &self)
  }
}
