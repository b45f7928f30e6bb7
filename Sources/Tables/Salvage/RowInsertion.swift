import Records
import SQLite
import SQLiteFile

/// Puts rows into the plain tables of a new database, as they are stored; one whose key is taken is
/// counted.
struct RowInsertion: ~Copyable {
  private let tables: [RebuiltTable]
  private let encoding: DatabaseEncoding
  /// How many rows each table has refused.
  private(set) var refused: [Int]
  private var statement: Statement?
  /// The table that the statement is for.
  private var purpose: Int?

  init(into tables: [RebuiltTable], encoding: DatabaseEncoding) {
    self.tables = tables
    self.encoding = encoding
    refused = [Int](repeating: 0, count: tables.count)
  }

  /// Inserts a row, whose record may be shorter than the table is wide.
  mutating func insert(
    _ key: Int64, _ values: [StoredValue], _ arena: [UInt8], into table: Int,
    of connection: borrowing Connection
  ) throws(SQLiteError) {
    if purpose != table {
      statement = try connection.prepare(tables[table].insertion)
      purpose = table
    }
    for column in tables[table].profile.columnPlaces {
      if values.indices.contains(column) {
        try bind(values[column], arena, at: column + 1)
      } else {
        try bind(tables[table].default(ofColumn: column), at: column + 1)
      }
    }
    if let parameter = tables[table].keyParameter { try statement?.bind(key, at: parameter) }
    try statement?.run()
    if connection.changes == 0 { refused[table] += 1 }
  }

  private mutating func bind(
    _ value: StoredValue, _ arena: [UInt8], at parameter: Int
  ) throws(SQLiteError) {
    switch value.kind {
    case .null, .missing: try statement?.bindNull(at: parameter)
    case .integer: try statement?.bind(value.integer, at: parameter)
    case .real: try statement?.bind(value.real, at: parameter)
    case .blob: try statement?.bind(blob: Array(arena[value.range]), at: parameter)
    case .text: try statement?.bind(text: Array(arena[value.range]), in: encoding, at: parameter)
    }
  }

  private mutating func bind(_ value: RawValue?, at parameter: Int) throws(SQLiteError) {
    switch value {
    case nil: try statement?.bindNull(at: parameter)
    case .integer(let number): try statement?.bind(number, at: parameter)
    case .real(let number): try statement?.bind(number, at: parameter)
    case .binary(let bytes): try statement?.bind(blob: bytes, at: parameter)
    case .text(let bytes): try statement?.bind(text: bytes, at: parameter)
    }
  }
}

extension RebuiltTable {
  /// The statement that inserts a row: the values by their places, then the row id, which stands in
  /// the place of the column that is another name of it.
  fileprivate var insertion: String {
    let places = profile.columnPlaces
    let columns = places.map { "c\($0)" } + (needsRowID ? ["rowid"] : [])
    let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    return "INSERT OR IGNORE INTO \(name)(\(columns.joined(separator: ", "))) VALUES (\(marks))"
  }

  /// Where the row id goes; nil where there is none.
  fileprivate var keyParameter: Int? {
    if let column = profile.rowIDColumn { return column + 1 }
    return needsRowID ? profile.columnPlaces.count + 1 : nil
  }

  private var needsRowID: Bool { profile.hasRowIDs && profile.rowIDColumn == nil }

  fileprivate func `default`(ofColumn place: Int) -> RawValue? {
    defaults.indices.contains(place) ? defaults[place] : nil
  }
}

extension SalvageAccount.Table {
  /// Counts rows that were read, but that the table does not take.
  mutating func refuse(_ count: Int) {
    recovered -= count
    lost += count
  }
}
