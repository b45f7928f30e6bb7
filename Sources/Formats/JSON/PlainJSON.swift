import Bytes

/// Whether bytes are one whole JSON document, as `JSONValue` parses it.
///
/// Most payloads are one object of plain members, which can be seen without building it.
package func isJSON(_ bytes: Span<UInt8>) -> Bool {
  // What is not plain, or passes a limit, is for the parser to judge.
  forEachMember(ofPlainJSON: bytes) { _, _ in } || (try? JSONValue(parsing: bytes)) != nil
}

/// Whether bytes are one JSON object, as `JSONObject` parses it.
package func isJSONObject(_ bytes: Span<UInt8>) -> Bool {
  forEachMember(ofPlainJSON: bytes) { _, _ in } || JSONObject(parsing: bytes) != nil
}

/// Goes through the members of a JSON object that needs no building: without white space and
/// exponents, with few members, all of different names, and not many values inside each other.
///
/// Its bytes, and those of its values, are what `JSONValue` would write again, escapes included.
/// `body` is told where each key is, without its quotes, and its value, with them.
///
/// - Returns: whether the bytes are such an object; what `body` was told counts only then.
package func forEachMember(
  ofPlainJSON bytes: Span<UInt8>, _ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void
) -> Bool {
  let limits = FormatLimits.standard
  guard bytes.count <= limits.maxBytes, isValidUTF8(bytes) else { return false }
  var rest = PlainRest(depth: min(8, limits.maxDepth), values: min(4096, limits.maxObjects - 1))
  return endOfPlainObject(in: bytes, at: 0, &rest, body) == bytes.count
}

/// How much more a plain document may hold, so that it passes none of the parser's limits.
private struct PlainRest {
  var depth: Int
  var values: Int
}

/// What follows the object at a place; nil where there is no plain one.
private func endOfPlainObject(
  in bytes: Span<UInt8>, at start: Int, _ rest: inout PlainRest,
  _ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void
) -> Int? {
  guard start &+ 2 < bytes.count, bytes[start] == UInt8(ascii: "{"), rest.depth > 0 else {
    return nil
  }
  // What is inside of it is deeper.
  rest.depth -= 1
  defer { rest.depth += 1 }
  var keys = PlainKeys()
  var place = start + 1
  while true {
    guard let key = plainString(in: bytes, at: place), key.upperBound + 1 < bytes.count,
      bytes[key.upperBound + 1] == UInt8(ascii: ":"), keys.add(key, of: bytes)
    else { return nil }
    let value = key.upperBound + 2
    guard let end = endOfPlainValue(in: bytes, at: value, &rest), end < bytes.count else {
      return nil
    }
    body(key, value..<end)
    if bytes[end] == UInt8(ascii: "}") { return end + 1 }
    guard bytes[end] == UInt8(ascii: ",") else { return nil }
    place = end + 1
  }
}

/// What follows the array at a place; nil where there is no plain one.
private func endOfPlainArray(
  in bytes: Span<UInt8>, at start: Int, _ rest: inout PlainRest
) -> Int? {
  rest.depth -= 1
  defer { rest.depth += 1 }
  var place = start + 1
  while true {
    guard let end = endOfPlainValue(in: bytes, at: place, &rest), end < bytes.count else {
      return nil
    }
    if bytes[end] == UInt8(ascii: "]") { return end + 1 }
    guard bytes[end] == UInt8(ascii: ",") else { return nil }
    place = end + 1
  }
}

/// The keys of an object so far; each is compared with all others, so they are few.
private struct PlainKeys {
  private var few = InlineArray<16, Range<Int>>(repeating: 0..<0)
  /// Those that come behind them, which take memory of their own.
  private var more: [Range<Int>] = []
  private var count = 0

  private static let most = 64

  /// Adds a key; false where it is there already, or there are too many.
  mutating func add(_ key: Range<Int>, of bytes: Span<UInt8>) -> Bool {
    let text = bytes.extracting(key)
    for place in 0..<min(count, few.count) {
      if bytes.extracting(few[place]).isEqual(to: text) { return false }
    }
    for other in more where bytes.extracting(other).isEqual(to: text) { return false }
    guard count < Self.most else { return false }
    if count < few.count { few[count] = key } else { more.append(key) }
    count += 1
    return true
  }
}

/// The text of the string that begins with a quote at a place; nil where there is no plain one.
private func plainString(in bytes: Span<UInt8>, at place: Int) -> Range<Int>? {
  guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
  var end = endOfPlainJSON(in: bytes, from: place + 1)
  while end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\\"), isOwnEscape(bytes[end + 1]) {
    end = endOfPlainJSON(in: bytes, from: end + 2)
  }
  return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? place + 1..<end : nil
}

/// Whether a letter behind a backslash is what `JSONValue` would write again.
private func isOwnEscape(_ letter: UInt8) -> Bool {
  letter != UInt8(ascii: "/") && meaning(ofEscaped: letter) != nil
}

/// Appends what a string of a plain object stands for, which is given without its quotes.
package func append(textOfPlainJSON string: Span<UInt8>, to text: inout [UInt8]) {
  var place = 0
  while true {
    let end = endOfPlainJSON(in: string, from: place)
    text.append(string.extracting(place..<end))
    guard end + 1 < string.count, let byte = meaning(ofEscaped: string[end + 1]) else { return }
    text.append(byte)
    place = end + 2
  }
}

/// What follows the value at a place; nil where there is no plain one.
private func endOfPlainValue(
  in bytes: Span<UInt8>, at place: Int, _ rest: inout PlainRest
) -> Int? {
  guard place < bytes.count, rest.values > 0 else { return nil }
  rest.values -= 1
  switch bytes[place] {
  case UInt8(ascii: "{") where rest.depth > 0:
    return end(of: "{}", in: bytes, at: place)
      ?? endOfPlainObject(in: bytes, at: place, &rest) { _, _ in }
  case UInt8(ascii: "[") where rest.depth > 0:
    return end(of: "[]", in: bytes, at: place) ?? endOfPlainArray(in: bytes, at: place, &rest)
  case UInt8(ascii: "\""): return plainString(in: bytes, at: place).map { $0.upperBound + 1 }
  case UInt8(ascii: "t"): return end(of: "true", in: bytes, at: place)
  case UInt8(ascii: "f"): return end(of: "false", in: bytes, at: place)
  case UInt8(ascii: "n"): return end(of: "null", in: bytes, at: place)
  default: return endOfJSONNumber(in: bytes, from: place, withExponent: false)
  }
}

private func end(of literal: StaticString, in bytes: Span<UInt8>, at place: Int) -> Int? {
  let end = place + literal.utf8CodeUnitCount
  return end <= bytes.count && bytes.extracting(place..<end).isEqual(to: literal) ? end : nil
}
