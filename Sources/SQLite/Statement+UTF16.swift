import Bytes
import CSQLite

// Texts of databases that write them in UTF-16. The engine turns half a pair of surrogates, and what
// stands behind it, into other letters; so the texts are turned into UTF-8 here.

extension Statement {
  /// Hands out a text column of a database in UTF-16 as UTF-8, which is not valid where the stored
  /// text is not.
  @usableFromInline
  func withUTF16Text<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    var text: [UInt8] = []
    withUnits(at: column) { units, half in
      text.append(utf16: units)
      // Half a unit is no text; the byte is one that UTF-8 never has.
      if half != nil { text.append(0xFF) }
    }
    return body(text.span)
  }

  /// A copy of the bytes of a text or blob: of a text that is not valid as the database has them.
  package func storedBytes(at column: Int) -> [UInt8] {
    let bytes = bytes(at: column)
    guard encoding != .utf8, storageClass(at: column) == .text, !isValidUTF8(bytes.span) else {
      return bytes
    }
    var stored: [UInt8] = []
    withUnits(at: column) { units, half in
      for place in units.indices { stored += encoding.bytes(ofUnit: units[place]) }
      if let half { stored.append(half) }
    }
    return stored
  }

  /// Hands out the units of a text column, and half a one at its end.
  private func withUnits(at column: Int, _ body: (Span<UInt16>, _ half: UInt8?) -> Void) {
    let index = Int32(truncatingIfNeeded: column)
    // The engine swaps bytes where they are in the other order, and aligns them. The pointer holds
    // as in `withText`.
    let start = unsafe sqlite3_column_text16(handle, index)
    let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes16(handle, index))
    let units = unsafe UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt16.self), count: count / 2)
    let half =
      unsafe count.isMultiple(of: 2)
      ? nil : start?.load(fromByteOffset: count - 1, as: UInt8.self)
    body(unsafe Span(_unsafeElements: units), half)
  }
}

extension Connection {
  /// How the database writes its texts, once `learnEncoding` has found out.
  package var encoding: DatabaseEncoding { known.encoding }

  /// Finds out how the database writes its texts, for all statements that are prepared from now on.
  func learnEncoding() throws(SQLiteError) {
    known.encoding = DatabaseEncoding(pragma: try encodingWord())
  }

  private func encodingWord() throws(SQLiteError) -> String? {
    var statement = try prepare("PRAGMA encoding")
    return try statement.step() ? statement.text(at: 0) : nil
  }
}
