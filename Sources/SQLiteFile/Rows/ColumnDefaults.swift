package import Records

/// What rows have in columns that their table was given later: the defaults of these columns.
///
/// It has identity so that the scans of all threads share it, and count one reference at most.
package final class ColumnDefaults: Sendable {
  /// The value of each column, of texts and blobs the range of `bytes`; `missing` where a column has
  /// no default.
  private let values: [StoredValue]
  /// The bytes of all texts and blobs.
  package let bytes: [UInt8]

  /// The defaults of columns in their order; nil where there is none.
  package init(_ defaults: [RawValue?]) {
    var bytes: [UInt8] = []
    values = defaults.map { value in
      switch value {
      case .integer(let number): return .integer(number)
      case .real(let number): return .real(number)
      case .text(let more), .binary(let more):
        defer { bytes += more }
        return StoredValue(
          bits: UInt64(bytes.count), length: UInt32(truncatingIfNeeded: more.count),
          kind: value?.isText == true ? .text : .blob)
      case nil: return .missing
      }
    }
    self.bytes = bytes
  }

  /// How the default of a column is stored.
  package func kind(ofColumn column: Int) -> StoredKind {
    column < values.count ? values[column].kind : .missing
  }

  /// What a row that ends before a column has there; the bytes begin at `start` of its batch.
  func value(ofColumn column: Int, bytesAt start: Int) -> StoredValue {
    guard column < values.count else { return .missing }
    let value = values[column]
    guard value.kind == .text || value.kind == .blob else { return value }
    return StoredValue(
      bits: value.bits &+ UInt64(truncatingIfNeeded: start), length: value.length, kind: value.kind)
  }
}

extension RawValue {
  fileprivate var isText: Bool {
    if case .text = self { true } else { false }
  }
}

/// Which rows of a table are wanted: those with a whole number in one of its columns.
package struct RowCondition: Sendable, Equatable {
  let column: Int
  private let number: Int64

  /// Rows with this number; nil where a double could be mistaken for it.
  package init?(column: Int, number: Int64) {
    guard number.magnitude < 1 << 53 else { return nil }
    self.column = column
    self.number = number
  }

  /// Whether a value of the column is the number, as the engine compares them.
  @inline(__always)
  func isMet(by value: StoredValue) -> Bool {
    switch value.kind {
    case .integer: value.integer == number
    case .real: value.real == Double(number)
    case .null, .missing, .text, .blob: false
    }
  }
}
