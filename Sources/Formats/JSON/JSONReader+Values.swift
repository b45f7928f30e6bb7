import Bytes

extension JSONReader {
  /// Appends the value that starts with `token` as JSON text without white space.
  ///
  /// - Throws: what `next` throws, and `.invalid` for a repeated key.
  package mutating func appendValue(
    from token: Token, to output: inout [UInt8]
  ) throws(FormatError) {
    let start = tokenOffset
    let first = output.count
    let level = depth - (token == .beginObject || token == .beginArray ? 1 : 0)
    var isFirst = true
    var token = token
    while true {
      let isEnd = token == .endObject || token == .endArray
      if !isFirst, !isEnd { output.append(UInt8(ascii: ",")) }
      isFirst = token == .beginObject || token == .beginArray || token == .key
      append(token, to: &output)
      if depth == level, token != .key { break }
      guard let following = try next() else { throw unexpected("document ends early") }
      token = following
    }
    do {
      _ = try JSONValue(parsing: output.span.extracting(first...))
    } catch {
      throw FormatError(error.code, at: start, error.message)
    }
  }

  /// Moves past the value that starts with `token`.
  ///
  /// - Throws: what `next` throws.
  package mutating func skipValue(from token: Token) throws(FormatError) {
    guard token == .beginObject || token == .beginArray else { return }
    let level = depth - 1
    while depth > level, try next() != nil {}
  }

  /// Reads the value that starts with `token`, for small ones.
  ///
  /// - Throws: what `next` throws, and `.invalid` for a repeated key.
  package mutating func readValue(from token: Token) throws(FormatError) -> JSONValue {
    let start = tokenOffset
    var bytes: [UInt8] = []
    try appendValue(from: token, to: &bytes)
    do {
      return try JSONValue(parsing: bytes.span)
    } catch {
      throw FormatError(error.code, at: start, error.message)
    }
  }

  private func append(_ token: Token, to output: inout [UInt8]) {
    switch token {
    case .beginObject: output.append("{")
    case .endObject: output.append("}")
    case .beginArray: output.append("[")
    case .endArray: output.append("]")
    case .key:
      withText { output.appendJSONString($0) }
      output.append(":")
    case .string: withText { output.appendJSONString($0) }
    case .number: appendText(to: &output)
    case .boolean(let value): output.append(value ? "true" : "false")
    case .null: output.append("null")
    }
  }
}

/// Whether text is a number as RFC 8259 spells it.
package func isJSONNumber(_ text: Span<UInt8>) -> Bool {
  var place = 0
  func digits() -> Int {
    let start = place
    while place < text.count, text[place] &- 48 < 10 { place += 1 }
    return place - start
  }
  if place < text.count, text[place] == UInt8(ascii: "-") { place += 1 }
  let first = place
  let whole = digits()
  guard whole > 0, whole == 1 || text[first] != UInt8(ascii: "0") else { return false }
  if place < text.count, text[place] == UInt8(ascii: ".") {
    place += 1
    guard digits() > 0 else { return false }
  }
  if place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
    place += 1
    if place < text.count, text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-") {
      place += 1
    }
    guard digits() > 0 else { return false }
  }
  return place == text.count
}
