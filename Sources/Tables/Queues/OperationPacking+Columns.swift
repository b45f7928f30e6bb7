import Bytes
import Records
import SQLite

extension OperationPacking {
  /// Adds a column as the next text; only the engine can spell a floating point number.
  package mutating func add(_ row: borrowing some StoredRow & ~Copyable, at column: Int) {
    switch row.storageClass(at: column) {
    case .null: addNone()
    case .integer: add(row.integer(at: column))
    case .text: row.withText(at: column) { add($0) }
    case .real, .blob: row.withBlob(at: column) { add($0) }
    }
  }

  /// Adds a column as the next text, which names something: with invalid bytes repaired, it would
  /// name another thing, so it is left without a value then, and false comes back.
  @discardableResult
  package mutating func addName(
    _ row: borrowing some StoredRow & ~Copyable, at column: Int
  ) -> Bool {
    let isText = row.damagedText(at: column) == nil
    if isText { add(row, at: column) } else { addNone() }
    return isText
  }

  /// Adds a part of some bytes as the next text, if there is one.
  package mutating func add(_ part: Range<Int>?, of bytes: Span<UInt8>) {
    if let part { add(bytes.extracting(part)) } else { addNone() }
  }

  /// Adds a column as the item.
  package mutating func addItem(_ row: borrowing some StoredRow & ~Copyable, at column: Int) {
    switch row.storageClass(at: column) {
    case .null: addNone()
    case .text: row.withText(at: column) { addText($0) }
    case .integer, .real, .blob: row.withBlob(at: column) { addText($0) }
    }
  }

  private mutating func addText(_ item: Span<UInt8>) {
    if isValidUTF8(item) { return addItem(item) }
    let repaired = repairedUTF8(item)
    addItem(repaired.span)
  }

  /// Adds a column as the payload.
  package mutating func addPayload(_ row: borrowing some StoredRow & ~Copyable, at column: Int) {
    switch row.storageClass(at: column) {
    case .null: addNone()
    case .integer: addPayload(.integer(row.integer(at: column)))
    case .real: addPayload(.real(row.real(at: column)))
    case .text: row.withText(at: column) { addPayload($0, isText: true) }
    case .blob: row.withBlob(at: column) { addPayload($0, isText: false) }
    }
  }
}

extension Statement {
  /// The whole number that a value stands for, which some SDKs keep as a real or in a text.
  package func wholeNumber(at column: Int) -> Int64? {
    switch storageClass(at: column) {
    case .integer: integer(at: column)
    case .real: Int64(exactly: real(at: column))
    case .text: strictText(at: column).flatMap(Self.wholeNumber)
    case .blob, .null: nil
    }
  }

  /// `2` and `2.0` are 2; anything else is no whole number.
  private static func wholeNumber(_ text: String) -> Int64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.hasPrefix("+") else { return nil }
    if parts.count > 1 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) else {
        return nil
      }
    }
    return Int64(whole)
  }
}
