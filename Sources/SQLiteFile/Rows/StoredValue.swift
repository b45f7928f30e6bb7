/// How a value is stored, whatever its column was declared as.
@frozen
@usableFromInline
package enum StoredKind: UInt8, Sendable {
  case null
  case integer
  case real
  case text
  case blob
  /// The record is older than the column: the value is the column's default, which the schema
  /// alone knows, or NULL.
  case missing
}

/// A value of a row: a number, or a range of the batch's bytes.
@frozen
@usableFromInline
package struct StoredValue: Sendable {
  @usableFromInline let bits: UInt64
  @usableFromInline let length: UInt32
  /// How the value is stored.
  @usableFromInline package let kind: StoredKind

  @inlinable
  @inline(__always)
  init(bits: UInt64, length: UInt32, kind: StoredKind) {
    self.bits = bits
    self.length = length
    self.kind = kind
  }

  /// The value of an integer.
  @inlinable @inline(__always) package var integer: Int64 { Int64(bitPattern: bits) }

  /// The value of a floating point number.
  @inlinable @inline(__always) package var real: Double { Double(bitPattern: bits) }

  /// Where the bytes of a text or blob are in the batch.
  @inlinable @inline(__always) package var range: Range<Int> {
    let start = Int(truncatingIfNeeded: bits)
    return start..<start &+ Int(length)
  }

  static let null = StoredValue(bits: 0, length: 0, kind: .null)
  static let missing = StoredValue(bits: 0, length: 0, kind: .missing)

  static func integer(_ value: Int64) -> StoredValue {
    StoredValue(bits: UInt64(bitPattern: value), length: 0, kind: .integer)
  }

  static func real(_ value: Double) -> StoredValue {
    StoredValue(bits: value.bitPattern, length: 0, kind: .real)
  }
}

/// Some rows of a table in key order: one byte arena and one array of values.
///
/// The arena holds the pages themselves, as they were read; nothing of a row is copied unless it
/// is on overflow pages. A batch can be filled again and again without new memory.
package struct StoredBatch: Sendable {
  /// The values of all rows, `columnCount` for each.
  package internal(set) var values: [StoredValue] = []
  /// The row id of each row.
  package internal(set) var keys: [Int64] = []
  /// The bytes that texts and blobs are ranges of; texts are in the file's encoding, unchecked.
  package internal(set) var arena: [UInt8] = []
  /// How many values make a row.
  package internal(set) var columnCount = 0

  /// A batch without rows.
  package init() {}

  /// How many rows there are.
  package var rowCount: Int { keys.count }

  /// Forgets all rows and keeps the memory.
  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
  }
}
