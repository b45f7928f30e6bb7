import Bytes
import Records
import SQLite
import Tables

/// A table of the bookkeeping: one description makes it, fills it and reads it.
struct RecordTable<Record: Sendable>: Sendable {
  let name: String
  /// The columns in their order, behind a number of its own where rows have nothing else that tells
  /// them apart.
  let fields: [RecordField<Record>]
  /// The fields by which rows are told apart; none where each has a number.
  let key: [String]
  /// A record of which nothing has been read yet.
  let blank: Record
  /// Whether there are stores without the table, and the columns that some do not have: those came
  /// with later versions, or are only for stores of several sources.
  let isOptional: Bool
  let optionalColumns: Set<String>
  /// The columns that are 0 where another program adds a row without them.
  private let zeroColumns: Set<String>

  init(
    _ name: String, key: [String] = [], isOptional: Bool = false,
    optional columns: Set<String> = [], zero zeroColumns: Set<String> = [], blank: Record,
    _ fields: [RecordField<Record>]
  ) {
    self.name = name
    self.fields = fields
    self.key = key
    self.blank = blank
    self.isOptional = isOptional
    optionalColumns = columns
    self.zeroColumns = zeroColumns
  }

  /// The statement that makes the table.
  var creation: String {
    let number = key.isEmpty ? ["id INTEGER PRIMARY KEY"] : []
    let columns = fields.map { field in
      field.declaration(isKey: [field.name] == key)
        + (zeroColumns.contains(field.name) ? " DEFAULT 0" : "")
    }
    let together = key.count > 1 ? ["PRIMARY KEY (\(list(key)))"] : []
    let declarations = (number + columns + together).joined(separator: ", ")
    return "CREATE TABLE IF NOT EXISTS \(name) (\(declarations)) STRICT"
  }

  fileprivate var insertion: String {
    let marks = Array(repeating: "?", count: fields.count).joined(separator: ", ")
    return "INSERT INTO \(name) (\(list(fields.map(\.name)))) VALUES (\(marks))"
  }
}

private func list(_ names: [String]) -> String {
  names.map(quoted).joined(separator: ", ")
}

extension RecordField {
  /// How the column is declared, alone in the key of its table or not.
  func declaration(isKey: Bool = false) -> String {
    let isNumber = isKey && type == .integer
    return "\(quoted(name)) \(storage)" + (isRequired && !isNumber ? " NOT NULL" : "")
      + (isKey ? " PRIMARY KEY" : "")
  }

  private var storage: String { type?.storageName ?? "ANY" }
}

extension Connection {
  /// Writes records as rows of their table.
  func write<Record>(
    _ records: some Sequence<Record>, to table: RecordTable<Record>
  ) throws(SQLiteError) {
    var insertion = try prepareInsertion(into: table)
    for record in records { try insertion.insert(record) }
  }

  func prepareInsertion<Record>(
    into table: RecordTable<Record>
  ) throws(SQLiteError) -> RecordInsertion<Record> {
    RecordInsertion(statement: try prepare(table.insertion), fields: table.fields)
  }

  /// Reads the records of a table, of those rows and in the order that `clause` tells.
  ///
  /// - Returns: nil where the store has no such table, and needs none; optional columns that it has
  ///   not are null.
  func records<Record>(
    of table: RecordTable<Record>, _ clause: String
  ) throws(SQLiteError) -> RecordRows<Record>? {
    let known = try columns(ofTable: table.name)
    if known.isEmpty && table.isOptional { return nil }
    let lacking = table.optionalColumns.subtracting(known)
    let columns = table.fields.map { lacking.contains($0.name) ? "NULL" : quoted($0.name) }
    let statement = try prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) \(clause)")
    return RecordRows(statement: statement, fields: table.fields, blank: table.blank)
  }

  /// The names of a table's columns; none where there is no such table.
  func columns(ofTable name: String) throws(SQLiteError) -> Set<String> {
    var names: Set<String> = []
    // A table of the app may be called like the source of a query for this.
    var statement = try prepare("PRAGMA main.table_xinfo(\(quoted(name)))")
    while try statement.step() {
      if let name = statement.text(at: 1) { names.insert(name) }
    }
    return names
  }
}

/// Writes records one by one.
struct RecordInsertion<Record>: ~Copyable {
  fileprivate var statement: Statement
  fileprivate let fields: [RecordField<Record>]

  mutating func insert(_ record: Record) throws(SQLiteError) {
    for (place, field) in fields.enumerated() {
      try statement.bind(field.value(record), at: place + 1)
    }
    try statement.run()
  }
}

/// Reads records one by one.
struct RecordRows<Record>: ~Copyable {
  /// The statement, for those who have to tell it something.
  var statement: Statement
  fileprivate let fields: [RecordField<Record>]
  fileprivate let blank: Record

  /// As `next`, for those whose errors name the store.
  mutating func next(path: String?) throws(StoreError) -> Record? {
    do {
      return try next()
    } catch {
      throw StoreError(error, path: path)
    }
  }

  mutating func next() throws(SQLiteError) -> Record? {
    guard try statement.step() else { return nil }
    var record = blank
    statement.take(fields, from: 0, into: &record)
    return record
  }
}

extension Statement {
  /// Takes the fields of a record from the current row, from one column on.
  func take<Record>(_ fields: [RecordField<Record>], from column: Int, into record: inout Record) {
    for (place, field) in fields.enumerated() {
      field.take(value(at: column + place, of: field.type), &record)
    }
  }

  private func value(at column: Int, of type: LogicalType?) -> FieldValue {
    guard storageClass(at: column) != .null else { return .null }
    switch type {
    case nil: return optionalRaw(at: column).map(FieldValue.raw) ?? .null
    case .integer: return .integer(integer(at: column))
    case .json:
      let json = bytes(at: column)
      return .utf8(isValidUTF8(json.span) ? json : repairedUTF8(json.span))
    case .timestamp:
      // What else somebody has written there is no moment that an export could tell.
      let isTime = Timestamp(parsing: bytes(at: column).span) != nil
      return isTime ? FieldValue(text(at: column)) : .null
    default: return FieldValue(text(at: column))
    }
  }

  fileprivate mutating func bind(_ value: FieldValue, at place: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: place)
    case .integer(let number): try bind(number, at: place)
    case .text(let text): try bind(text, at: place)
    case .utf8(let bytes): try bind(text: bytes, at: place)
    case .raw(let raw): try bind(stored: raw, at: place)
    }
  }
}

extension TableLoad {
  /// Begins to load a table of the bookkeeping, of which the key is no column of the batches.
  init(_ table: RecordTable<some Sendable>, into file: inout StoreFile) throws(StoreError) {
    try self.init(
      table.name, valueCount: table.fields.count - table.key.count, into: &file)
  }
}
