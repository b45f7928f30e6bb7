import Bytes

/// The values that kept a column from having a narrower type, the first for each type.
struct TypeExceptions {
  private struct Exception {
    let value: String
    let row: Int
    let types: Candidates
  }

  private var list: [Exception] = []
  private var large: Exception?
  private var firstRow = 0

  /// What a type is called when a later value is told to be none of it.
  private static let words: [(type: Candidates, word: String)] = [
    (.boolean, "a boolean"), (.real, "a number"), (.timestamp, "a timestamp"),
    (.json, "an array or object"), (.integer, "a whole number"),
  ]

  /// Notes the value that ruled out types, or the first that no double holds.
  mutating func add(
    _ text: Span<UInt8>, row: Int, ruledOut types: Candidates, isFirst: Bool, isLarge: Bool
  ) {
    if isFirst { firstRow = row }
    let exception = Exception(value: Self.shortened(text), row: row, types: types)
    if isLarge, large == nil { large = exception }
    if !types.isEmpty { list.append(exception) }
  }

  /// Which value ruled out a type; nil where none did.
  func reason(for type: Candidates) -> String? {
    list.first { $0.types.contains(type) }.map(Self.place)
  }

  /// Which value left no type but text.
  var lastReason: String {
    guard let last = list.last else { return "every value fits" }
    // Reals that are left over have no number among them, or one that no double holds.
    if !last.types.contains(.real), !last.types.contains(.timestamp), let large {
      return "\(Self.place(large)) is beyond what a real holds"
    }
    guard last.row != firstRow, let word = Self.words.first(where: { last.types.contains($0.type) })
    else { return Self.place(last) }
    return "\(Self.place(last)) is not \(word.word)"
  }

  private static func place(_ exception: Exception) -> String {
    "\"\(exception.value)\" in row \(exception.row)"
  }

  /// The first characters, which say enough.
  private static func shortened(_ text: Span<UInt8>) -> String {
    let bytes = copy(of: text.extracting(0..<min(text.count, 160)))
    let value = String(decoding: bytes, as: UTF8.self)
    return text.count > 160 || value.count > 40 ? value.prefix(40) + "…" : value
  }
}
