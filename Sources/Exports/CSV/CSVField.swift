import Bytes

/// The byte that a safe file puts before a field which a spreadsheet might take for a formula.
private let marker = UInt8(ascii: "'")

/// How many bytes a field of CSV takes at most when its text has `count`.
func csvSize(ofTextOf count: Int) -> Int { count &* 2 &+ 3 }

extension OutputSpan<UInt8> {
  /// Appends text as a field of RFC 4180; it has quotes when it is empty, or what stands for no value
  /// elsewhere, or needs them.
  ///
  /// There must be room for `csvSize` bytes.
  @inline(__always)
  mutating func appendCSV(_ text: Span<UInt8>, isSafe: Bool) {
    let start = count
    let isMarked = isSafe && isFormulaLike(text)
    if isMarked { append(marker) }
    if !text.isEmpty, !isEscapedNull(text), appendUnquoted(text) { return }
    removeLast(count - start)
    if isMarked { return appendMarked(text) }
    append(UInt8(ascii: "\""))
    appendDoublingQuotes(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends text as a field with the marker before it.
  mutating func appendMarked(_ text: Span<UInt8>) {
    append(UInt8(ascii: "\""))
    append(marker)
    appendDoublingQuotes(text)
    append(UInt8(ascii: "\""))
  }

  /// Appends text as it is; false, and something appended, when a field cannot hold it so.
  private mutating func appendUnquoted(_ text: Span<UInt8>) -> Bool {
    for place in text.indices where needsQuotes(text[place]) { return false }
    append(text)
    return true
  }

  private mutating func appendDoublingQuotes(_ text: Span<UInt8>) {
    var start = 0
    for place in text.indices where text[place] == UInt8(ascii: "\"") {
      append(text.extracting(start...place))
      append(UInt8(ascii: "\""))
      start = place + 1
    }
    append(text.extracting(start...))
  }
}

extension ByteRoom {
  /// Appends a range of text as a field of RFC 4180, as an `OutputSpan` does.
  ///
  /// There must be room for `csvSize` bytes. Quickest where bytes of the source follow the range.
  @inline(__always)
  mutating func appendCSV(_ source: Span<UInt8>, _ range: Range<Int>, isSafe: Bool) {
    let text = source.extracting(range)
    guard source.count &- range.upperBound >= Self.blockSize, !text.isEmpty, !isEscapedNull(text),
      !(isSafe && isFormulaLike(text))
    else {
      return append(upTo: csvSize(ofTextOf: text.count)) { $0.appendCSV(text, isSafe: isSafe) }
    }
    if append(source, range, unlessAny: bytesToQuote) { return }
    append(UInt8(ascii: "\""))
    var place = range.lowerBound
    while true {
      place = append(source, place..<range.upperBound, upTo: { bytes(of: $0, equalTo: 0x22) })
      guard place < range.upperBound else { break }
      append(UInt8(ascii: "\""))
      append(UInt8(ascii: "\""))
      place &+= 1
    }
    append(UInt8(ascii: "\""))
  }
}

/// Whether a field begins as a formula does, or with the marker itself.
///
/// Because fields that begin with the marker get one as well, taking one away gives every field
/// back.
@inline(__always)
private func isFormulaLike(_ text: Span<UInt8>) -> Bool {
  guard let first = text.isEmpty ? nil : text[0] else { return false }
  switch first {
  case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A,
    0x0D, marker:
    return true
  default:
    return false
  }
}

/// Whether a text is `\N`, which without quotes may be no value.
@inline(__always)
private func isEscapedNull(_ text: Span<UInt8>) -> Bool {
  text.count == 2 && text[0] == UInt8(ascii: "\\") && text[1] == UInt8(ascii: "N")
}

/// Whether a field with this byte has quotes.
@inline(__always)
private func needsQuotes(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
  default: false
  }
}

/// Finds the first byte of each word with which a field has quotes.
@inline(__always)
private func bytesToQuote(_ words: SIMD2<UInt64>) -> SIMD2<UInt64> {
  // A quote becomes a blank when its second bit is turned; most words have no byte as low as that.
  let low = (words ^ (ones &* 0x02)) &- ones &* 0x21
  let commas = words ^ (ones &* 0x2C)
  let candidates = (low | (commas &- ones)) & ~words & tops
  if candidates.x | candidates.y == 0 { return candidates }
  return bytes(of: words, equalTo: 0x22) | bytes(of: words, equalTo: 0x2C)
    | bytes(of: words, equalTo: 0x0A) | bytes(of: words, equalTo: 0x0D)
}

/// Sets the top bit of the lowest byte of each word that is equal to a given one.
@inline(__always)
private func bytes(of words: SIMD2<UInt64>, equalTo byte: UInt8) -> SIMD2<UInt64> {
  let differences = words ^ (ones &* UInt64(byte))
  return (differences &- ones) & ~differences & tops
}

private var ones: SIMD2<UInt64> { SIMD2(repeating: 0x0101_0101_0101_0101) }
private var tops: SIMD2<UInt64> { SIMD2(repeating: 0x8080_8080_8080_8080) }

/// For whom CSV is written.
package enum CSVStyle: Sendable {
  /// For programs: every field is as it is.
  case plain
  /// For programs and careless spreadsheets: fields that look like formulas are marked.
  case safe
  /// For a spreadsheet: also with a byte order mark, times that it takes for such, and numbers
  /// that it would change as text.
  case spreadsheet

  /// Whether fields that look like formulas are marked.
  var isSafe: Bool { self != .plain }
}
