import Bytes

/// Whether bytes are one whole JSON document, as `JSONValue` parses it.
///
/// Most payloads are one object of plain members, which can be told without building it.
package func isJSON(_ bytes: Span<UInt8>) -> Bool {
  // What is not plain, or passes a limit, is for the parser to judge.
  isPlainObject(bytes) || (try? JSONValue(parsing: bytes)) != nil
}

/// Whether bytes are an object without white space, escapes, exponents and nested values, and with
/// few members, all of different names.
private func isPlainObject(_ bytes: Span<UInt8>) -> Bool {
  let limits = FormatLimits.standard
  guard bytes.count > 2, bytes.count <= limits.maxBytes, limits.maxDepth > 0, bytes[0] == 0x7B,
    isValidUTF8(bytes)
  else { return false }
  var keys = InlineArray<16, Range<Int>>(repeating: 0..<0)
  var place = 1
  for number in keys.indices {
    guard let key = plainString(in: bytes, at: place), key.upperBound + 1 < bytes.count,
      bytes[key.upperBound + 1] == UInt8(ascii: ":")
    else { return false }
    for earlier in 0..<number
    where bytes.extracting(keys[earlier]).isEqual(to: bytes.extracting(key)) { return false }
    keys[number] = key
    guard let end = endOfPlainValue(in: bytes, at: key.upperBound + 2), end < bytes.count else {
      return false
    }
    if bytes[end] == UInt8(ascii: "}") { return end + 1 == bytes.count }
    guard bytes[end] == UInt8(ascii: ",") else { return false }
    place = end + 1
  }
  return false
}

/// The text of the string that begins with a quote at a place; nil where there is no plain one.
private func plainString(in bytes: Span<UInt8>, at place: Int) -> Range<Int>? {
  guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
  let end = endOfPlainJSON(in: bytes, from: place + 1)
  return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? place + 1..<end : nil
}

/// What follows the string, number or literal at a place; nil where there is no plain one.
private func endOfPlainValue(in bytes: Span<UInt8>, at place: Int) -> Int? {
  guard place < bytes.count else { return nil }
  switch bytes[place] {
  case UInt8(ascii: "\""): return plainString(in: bytes, at: place).map { $0.upperBound + 1 }
  case UInt8(ascii: "t"): return end(of: "true", in: bytes, at: place)
  case UInt8(ascii: "f"): return end(of: "false", in: bytes, at: place)
  case UInt8(ascii: "n"): return end(of: "null", in: bytes, at: place)
  default: return endOfPlainNumber(in: bytes, at: place)
  }
}

private func end(of literal: StaticString, in bytes: Span<UInt8>, at place: Int) -> Int? {
  let end = place + literal.utf8CodeUnitCount
  return end <= bytes.count && bytes.extracting(place..<end).isEqual(to: literal) ? end : nil
}

private func endOfPlainNumber(in bytes: Span<UInt8>, at start: Int) -> Int? {
  let first = bytes[start] == UInt8(ascii: "-") ? start + 1 : start
  let end = endOfDigits(in: bytes, from: first)
  // A zero in front is allowed only alone.
  guard end > first, bytes[first] != UInt8(ascii: "0") || end == first + 1 else { return nil }
  guard end < bytes.count, bytes[end] == UInt8(ascii: ".") else { return end }
  let fraction = endOfDigits(in: bytes, from: end + 1)
  return fraction > end + 1 ? fraction : nil
}

private func endOfDigits(in bytes: Span<UInt8>, from start: Int) -> Int {
  var place = start
  while place < bytes.count, bytes[place].isASCIIDigit { place += 1 }
  return place
}
