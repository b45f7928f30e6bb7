import Bytes
package import Records

extension RecordBatch {
  /// Appends a text, or an empty cell where there is none.
  package mutating func append(_ text: String?) {
    guard let text else { return append(Cell.null) }
    appendText { arena in arena.append(utf8: text) }
  }

  /// Appends a number, or an empty cell where there is none.
  package mutating func append(_ number: Int64?) {
    append(number.map(Cell.integer) ?? .null)
  }

  /// Appends the bytes of a text, or an empty cell where there is none.
  package mutating func append(utf8 bytes: [UInt8]?) {
    guard let bytes else { return append(Cell.null) }
    appendText(bytes.span)
  }

  /// Appends a raw value as the store keeps it: text that is not UTF-8 as bytes.
  package mutating func append(stored raw: RawValue?) {
    switch raw {
    case .integer(let number): append(Cell.integer(number))
    case .real(let number): append(Cell.real(number))
    case .text(let bytes) where isValidUTF8(bytes.span): appendText(bytes.span)
    case .text(let bytes), .binary(let bytes): appendBinary(bytes.span)
    case nil: append(Cell.null)
    }
  }
}
