import Bytes

/// Whether the first column of a plain file holds whole numbers that grow from row to row, as keys
/// do.
struct RisingKeys {
  private var first: Int64?
  private var last: Int64?
  private(set) var areRising = true

  /// Whether no number was met.
  var isEmpty: Bool { last == nil }

  mutating func add(_ text: Span<UInt8>) {
    guard areRising else { return }
    guard isJSONInteger(text), let key = parseDecimal(text), isAbove(key) else { return addNone() }
    first = first ?? key
    last = key
  }

  /// Takes a row without a value.
  mutating func addNone() { areRising = false }

  /// Takes what was seen of the rows that follow, one at least.
  mutating func add(_ later: RisingKeys) {
    guard areRising else { return }
    areRising = later.areRising && later.first.map(isAbove) ?? false
    last = later.last
  }

  private func isAbove(_ key: Int64) -> Bool { last.map { $0 < key } ?? true }
}
