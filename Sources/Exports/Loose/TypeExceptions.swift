import Bytes
import Records

/// The values that kept a column from having a narrower type, the first for each type.
struct TypeExceptions {
  /// A value as it is shown, with its row.
  package struct Value {
    package let text: String
    package var row: Int

    /// Keeps the first characters, which say enough.
    package init(_ value: Span<UInt8>, row: Int, isText: Bool) {
      let bytes = copy(of: value.extracting(0..<min(value.count, 160)))
      let start = String(decoding: bytes, as: UTF8.self)
      let isLong = value.count > 160 || start.count > 40
      text = (isText ? "the string \"" : "\"") + (isLong ? start.prefix(40) + "…" : start) + "\""
      self.row = row
    }

    /// The same value, where so many rows come before those that were counted.
    package func moved(by count: Int) -> Value {
      var value = self
      value.row += count
      return value
    }

    package var place: String { "\(text) in row \(row)" }
  }

  private var list: [(value: Value, types: Candidates)] = []
  private var large: Value?
  private var firstRow = 0

  /// The types from the one that says most of a value that does not fit.
  private static let words: [(candidate: Candidates, type: LogicalType)] = [
    (.boolean, .boolean), (.trueFalse, .boolean), (.yesNo, .boolean), (.real, .real),
    (.timestamp, .timestamp), (.date, .timestamp), (.json, .json), (.integer, .integer),
  ]

  /// Notes the value that ruled out types, or the first that no double holds.
  mutating func add(_ value: Value, ruledOut types: Candidates, isFirst: Bool, isLarge: Bool) {
    if isFirst { firstRow = value.row }
    if isLarge, large == nil { large = value }
    if !types.isEmpty { list.append((value, types)) }
  }

  /// Takes the values of rows that follow `count` others, which left the types `possible`.
  mutating func add(
    _ later: TypeExceptions, after count: Int, while possible: Candidates, isFirst: Bool
  ) {
    if isFirst, later.firstRow > 0 { firstRow = later.firstRow + count }
    // Only where a column can still be real are its numbers looked at.
    if possible.contains(.real), large == nil { large = later.large?.moved(by: count) }
    for (value, types) in later.list where !types.isDisjoint(with: possible) {
      list.append((value.moved(by: count), types.intersection(possible)))
    }
  }

  /// Which value ruled out whole numbers; nil where none did.
  var integerReason: String? {
    list.first { $0.types.contains(.integer) }.map { "not integer: \($0.value.place)" }
  }

  /// Which value left no type but text.
  var textReason: String? {
    guard let last = list.last else { return nil }
    // Reals that are left over have no number among them, or one that no double holds.
    if let large, !list.contains(where: { $0.types.contains(.real) }) {
      return "not real: \(large.place) has too many digits"
    }
    guard last.value.row != firstRow,
      let word = Self.words.first(where: { last.types.contains($0.candidate) })
    else { return last.value.place }
    return "not \(word.type.rawValue): \(last.value.place)"
  }
}
