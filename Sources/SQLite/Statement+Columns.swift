import Bytes
import CSQLite

/// How SQLite holds a value, whatever the column was declared as.
@frozen
package enum StorageClass: Sendable {
  case null
  case integer
  case real
  case text
  case blob
}

extension Statement {
  /// The storage class of a column of the current row.
  @inlinable
  package func storageClass(at column: Int) -> StorageClass {
    switch unsafe sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// A column of the current row as a whole number.
  @inlinable
  package func integer(at column: Int) -> Int64 {
    unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
  }

  /// A column of the current row as a floating point number.
  @inlinable
  package func real(at column: Int) -> Double {
    unsafe sqlite3_column_double(handle, Int32(truncatingIfNeeded: column))
  }

  /// Hands out the UTF-8 bytes of a text column of the current row, without a copy where the database
  /// has them like this.
  @inlinable
  package func withText<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    storesUTF16 ? withUTF16Text(at: column, body) : withTextOfEngine(at: column, body)
  }

  /// Hands out the bytes of a text column as the engine turns them into UTF-8.
  @inlinable
  func withTextOfEngine<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let index = Int32(truncatingIfNeeded: column)
    // The pointer holds until the next step or conversion of this column, and neither can happen
    // inside `body`, which sees only a span.
    let start = unsafe sqlite3_column_text(handle, index)
    let count = unsafe Int(sqlite3_column_bytes(handle, index))
    let buffer = unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
    return unsafe body(Span(_unsafeElements: buffer))
  }

  /// Hands out the bytes of a blob column of the current row, without a copy.
  @inlinable
  package func withBlob<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let index = Int32(truncatingIfNeeded: column)
    // As above.
    let start = unsafe sqlite3_column_blob(handle, index)
    let count = unsafe Int(sqlite3_column_bytes(handle, index))
    let buffer = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return unsafe body(Span(_unsafeBytes: buffer))
  }

  /// A copy of the bytes of a text or blob column.
  package func bytes(at column: Int) -> [UInt8] {
    storageClass(at: column) == .text
      ? withText(at: column, [UInt8].init(copying:)) : withBlob(at: column, [UInt8].init(copying:))
  }

  /// A name of the schema as a string, in which bytes that are no UTF-8 are kept; empty for NULL.
  ///
  /// It is as the engine reads it, which must find by it what it names.
  package func name(at column: Int) -> String {
    guard storageClass(at: column) == .text else { return text(at: column) ?? "" }
    let bytes = withTextOfEngine(at: column, [UInt8].init(copying:))
    let name = String(decoding: bytes, as: UTF8.self)
    let isWhole = name.utf8.elementsEqual(bytes) && !name.hasKeptBytes
    return isWhole ? name : String(keepingBytes: bytes)
  }

  /// A text column as a string, with invalid bytes repaired; nil for NULL.
  package func text(at column: Int) -> String? {
    switch storageClass(at: column) {
    case .null: return nil
    case .text:
      // A valid text is copied once, straight into the string.
      let text: String? = withText(at: column) { (bytes) -> String? in
        do {
          return String(copying: try UTF8Span(validating: bytes))
        } catch {
          return nil
        }
      }
      if let text { return text }
    case .integer, .real, .blob: break
    }
    return String(decoding: bytes(at: column), as: UTF8.self)
  }
}
