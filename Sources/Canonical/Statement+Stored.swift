import Bytes
import Records
import SQLite

extension Statement {
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
