import SQLite

/// Changes to the rows and tables of a sample: stores that are sound, and that no app ever wrote.
struct RowEdits {
  private var input: InputBytes
  private let sample: SampleStores.Store

  /// An input that begins with the sample it changes.
  init(_ input: [UInt8], of samples: SampleStores) {
    self.input = InputBytes(input)
    sample = samples.store(self.input.byte())
  }

  /// The bytes that the changes begin with.
  var files: (main: [UInt8], log: [UInt8]) { (sample.main, sample.log) }

  /// Makes the changes; one that the engine refuses is left out.
  mutating func apply(to connection: borrowing Connection) throws {
    guard !sample.tables.isEmpty else { return }
    try connection.execute("PRAGMA synchronous = OFF; BEGIN")
    var count = 0
    while !input.isEmpty, count < 40 {
      count += 1
      let kind = input.byte()
      let table = sample.tables[Int(input.byte()) % sample.tables.count]
      guard !table.columns.isEmpty else { continue }
      let column = table.columns[Int(input.byte()) % table.columns.count]
      ignoringErrors { try change(kind, quoted(table.name), quoted(column), connection) }
    }
    try connection.execute("COMMIT")
  }

  private mutating func change(
    _ kind: UInt8, _ table: String, _ column: String, _ connection: borrowing Connection
  ) throws {
    let row = kind >> 4
    let chosen = "rowid = (SELECT rowid FROM \(table) LIMIT 1 OFFSET \(row))"
    switch kind & 15 {
    case 0...4: try setValue(kind & 15, "\(table) SET \(column) = ? WHERE \(chosen)", connection)
    case 5...7: try setValue(kind & 15 - 5, "\(table) SET \(column) = ?", connection)
    case 8: try connection.execute("DELETE FROM \(table) WHERE \(chosen)")
    case 9: try connection.execute("DELETE FROM \(table)")
    case 10: try connection.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
    case 11:
      try connection.execute("ALTER TABLE \(table) RENAME COLUMN \(column) TO \(quoted(word()))")
    case 12: try connection.execute("ALTER TABLE \(table) RENAME TO \(quoted(word()))")
    case 13: try connection.execute("ALTER TABLE \(table) ADD COLUMN \(quoted(word()))")
    case 14: try connection.execute("DROP TABLE \(table)")
    default: try patch(table, column, chosen, connection)
    }
  }

  private mutating func setValue(
    _ kind: UInt8, _ target: String, _ connection: borrowing Connection
  ) throws {
    var statement = try connection.prepare("UPDATE \(target)")
    switch kind {
    case 0: try statement.bind(text: input.bytes(Int(input.byte())), at: 1)
    case 1: try statement.bind(blob: input.bytes(Int(input.byte())), at: 1)
    case 2: try statement.bind(Int64(input.number() - 0x8000), at: 1)
    case 3:
      let bits = input.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      try statement.bind(Double(bitPattern: bits), at: 1)
    default: try statement.bindNull(at: 1)
    }
    try statement.run()
  }

  /// Puts some bytes into a value that is there: a payload stays almost what it was.
  private mutating func patch(
    _ table: String, _ column: String, _ chosen: String, _ connection: borrowing Connection
  ) throws {
    let place = input.number()
    let bytes = input.bytes(Int(input.byte() & 15))
    var statement = try connection.prepare(
      """
      UPDATE \(table) SET \(column) = CASE typeof(\(column))
        WHEN 'text' THEN CAST(substr(CAST(\(column) AS BLOB), 1, ?1) || ?2
          || substr(CAST(\(column) AS BLOB), ?1 + ?3) AS TEXT)
        ELSE CAST(substr(\(column), 1, ?1) || ?2 || substr(\(column), ?1 + ?3) AS BLOB) END
      WHERE \(chosen)
      """)
    try statement.bind(Int64(place % 4096), at: 1)
    try statement.bind(blob: bytes, at: 2)
    try statement.bind(Int64(bytes.count + 1), at: 3)
    try statement.run()
  }

  /// A name: one that the stores use, or any text.
  private mutating func word() -> String {
    let choice = input.byte()
    guard choice < 128 else {
      return String(decoding: input.bytes(Int(choice & 31)), as: UTF8.self)
    }
    let names = sample.tables.flatMap { [$0.name] + $0.columns }
    return names[Int(choice) % names.count]
  }
}
