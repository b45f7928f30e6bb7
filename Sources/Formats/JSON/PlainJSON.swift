import Bytes

/// Whether bytes are one whole JSON document, as `JSONValue` parses it.
///
/// Most payloads are one object of plain members, which can be seen without building it.
package func isJSON(_ bytes: Span<UInt8>) -> Bool {
  // What is not plain, or passes a limit, is for the parser to judge.
  forEachMember(ofPlainJSON: bytes) { _, _ in } || (try? JSONValue(parsing: bytes)) != nil
}

/// Goes through the members of a JSON object that needs no building: without white space and
/// exponents, with few members, all of different names, and at most one object inside another.
///
/// Its bytes, and those of its values, are what `JSONValue` would write again, escapes included.
/// `body` is told where each key is, without its quotes, and its value, with them.
///
/// - Returns: whether the bytes are such an object; what `body` was told counts only then.
package func forEachMember(
  ofPlainJSON bytes: Span<UInt8>, _ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void
) -> Bool {
  let limits = FormatLimits.standard
  let depth = 2
  guard bytes.count <= limits.maxBytes, limits.maxDepth >= depth, isValidUTF8(bytes) else {
    return false
  }
  return endOfPlainObject(in: bytes, at: 0, depth: depth, body) == bytes.count
}

/// What follows the object at a place; nil where there is no plain one.
private func endOfPlainObject(
  in bytes: Span<UInt8>, at start: Int, depth: Int,
  _ body: (_ key: Range<Int>, _ value: Range<Int>) -> Void
) -> Int? {
  guard start &+ 2 < bytes.count, bytes[start] == UInt8(ascii: "{"), depth > 0 else { return nil }
  var keys = InlineArray<16, Range<Int>>(repeating: 0..<0)
  var place = start + 1
  for count in keys.indices {
    guard let key = plainString(in: bytes, at: place), key.upperBound + 1 < bytes.count,
      bytes[key.upperBound + 1] == UInt8(ascii: ":")
    else { return nil }
    for other in 0..<count
    where bytes.extracting(keys[other]).isEqual(to: bytes.extracting(key)) { return nil }
    let value = key.upperBound + 2
    guard let end = endOfPlainValue(in: bytes, at: value, depth: depth), end < bytes.count else {
      return nil
    }
    keys[count] = key
    body(key, value..<end)
    if bytes[end] == UInt8(ascii: "}") { return end + 1 }
    guard bytes[end] == UInt8(ascii: ",") else { return nil }
    place = end + 1
  }
  return nil
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
private func endOfPlainValue(in bytes: Span<UInt8>, at place: Int, depth: Int) -> Int? {
  guard place < bytes.count else { return nil }
  switch bytes[place] {
  case UInt8(ascii: "{"):
    return endOfPlainObject(in: bytes, at: place, depth: depth - 1) { _, _ in }
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
