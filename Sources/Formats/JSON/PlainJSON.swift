import Bytes

/// Whether bytes are one whole JSON document, as `JSONValue` parses it.
///
/// Most payloads are one object of plain members, which can be told without building it.
package func isJSON(_ bytes: Span<UInt8>) -> Bool {
  // What is not plain, or passes a limit, is for the parser to judge.
  PlainJSONObject(bytes) != nil || (try? JSONValue(parsing: bytes)) != nil
}

/// A JSON object that needs no building: without white space, escapes and exponents, with few
/// members, all of different names, and at most one object inside another.
///
/// Its bytes, and those of its values, are what `JSONValue` would write again.
package struct PlainJSONObject {
  private var keys = InlineArray<16, Range<Int>>(repeating: 0..<0)
  private var values = InlineArray<16, Range<Int>>(repeating: 0..<0)
  private var count = 0
  private var end = 0

  /// Looks at a whole document; nil where it is anything else.
  package init?(_ bytes: Span<UInt8>) {
    let limits = FormatLimits.standard
    guard bytes.count <= limits.maxBytes, limits.maxDepth >= Self.depth, isValidUTF8(bytes) else {
      return nil
    }
    self.init(bytes, at: 0, depth: Self.depth)
    guard end == bytes.count else { return nil }
  }

  private static let depth = 2

  /// Where the value of a key is, quotes included; nil where there is no such key.
  package func value(of key: StaticString, in bytes: Span<UInt8>) -> Range<Int>? {
    for member in 0..<count where bytes.extracting(keys[member]).isEqual(to: key) {
      return values[member]
    }
    return nil
  }

  /// Looks at the object that begins at a place.
  private init?(_ bytes: Span<UInt8>, at start: Int, depth: Int) {
    guard start &+ 2 < bytes.count, bytes[start] == UInt8(ascii: "{"), depth > 0 else {
      return nil
    }
    var place = start + 1
    while count < keys.count {
      guard let key = plainString(in: bytes, at: place), key.upperBound + 1 < bytes.count,
        bytes[key.upperBound + 1] == UInt8(ascii: ":"), !hasKey(key, in: bytes)
      else { return nil }
      let value = key.upperBound + 2
      guard let end = Self.end(ofValueIn: bytes, at: value, depth: depth), end < bytes.count else {
        return nil
      }
      keys[count] = key
      values[count] = value..<end
      count += 1
      self.end = end + 1
      if bytes[end] == UInt8(ascii: "}") { return }
      guard bytes[end] == UInt8(ascii: ",") else { return nil }
      place = end + 1
    }
    return nil
  }

  private func hasKey(_ key: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    for member in 0..<count
    where bytes.extracting(keys[member]).isEqual(to: bytes.extracting(key)) { return true }
    return false
  }

  private static func end(ofValueIn bytes: Span<UInt8>, at place: Int, depth: Int) -> Int? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "{") else {
      return endOfPlainValue(in: bytes, at: place)
    }
    return PlainJSONObject(bytes, at: place, depth: depth - 1)?.end
  }
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
