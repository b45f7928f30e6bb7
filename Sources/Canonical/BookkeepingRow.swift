import Bytes
package import Records
package import SQLite

/// A value of a bookkeeping row; these rows are few, so they are bound with a copy.
package enum BookkeepingValue {
  case integer(Int64)
  case optionalInteger(Int64?)
  case text(String)
  case optionalText(String?)
  case optionalBytesOfText([UInt8]?)
  case raw(RawValue?)
}

extension Connection {
  /// Inserts one row of bookkeeping.
  package func insert(into table: String, _ values: [BookkeepingValue]) throws(SQLiteError) {
    var statement = try prepareInsert(into: table, valueCount: values.count)
    try statement.insert(values)
  }

  func prepareInsert(into table: String, valueCount: Int) throws(SQLiteError) -> Statement {
    let marks = Array(repeating: "?", count: valueCount).joined(separator: ",")
    return try prepare("INSERT INTO \(quoted(table)) VALUES (\(marks))")
  }
}

extension Statement {
  /// Binds the values in order and runs.
  package mutating func insert(_ values: [BookkeepingValue]) throws(SQLiteError) {
    for (place, value) in values.enumerated() {
      try bind(value, at: place + 1)
    }
    try run()
  }

  private mutating func bind(_ value: BookkeepingValue, at place: Int) throws(SQLiteError) {
    switch value {
    case .integer(let number): try bind(number, at: place)
    case .optionalInteger(let number): try bind(number, at: place)
    case .text(let text): try bind(text, at: place)
    case .optionalText(let text): try bind(text, at: place)
    case .optionalBytesOfText(let bytes): try bind(text: bytes, at: place)
    case .raw(let raw): try bind(stored: raw, at: place)
    }
  }

  /// Binds a value by its storage class; text that is not UTF-8 becomes a blob.
  mutating func bind(stored raw: RawValue?, at place: Int) throws(SQLiteError) {
    switch raw {
    case .integer(let number): try bind(number, at: place)
    case .real(let number): try bind(number, at: place)
    case .text(let bytes) where isValidUTF8(bytes.span): try bind(text: bytes, at: place)
    case .text(let bytes), .binary(let bytes): try bind(blob: bytes, at: place)
    case nil: try bindNull(at: place)
    }
  }
}

extension RawValue {
  /// The name of the storage class that the source used.
  var storageName: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .binary: "blob"
    }
  }
}
