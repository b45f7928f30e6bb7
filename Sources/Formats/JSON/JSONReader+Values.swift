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
  package mutating func skipValue(from token: Token) throws(FormatError) {
    guard token == .beginObject || token == .beginArray else { return }
    let level = depth - 1
    while depth > level, try next() != nil {}
  }

  /// Reads the value that starts with `token`, for small ones.
  ///
  /// - Throws: what `next` throws, `.invalid` for a repeated key, `.limit` for too much of it.
  package mutating func readValue(
    from token: Token, limits: FormatLimits = .standard
  ) throws(FormatError) -> JSONValue {
    let start = tokenOffset
    var builder = JSONBuilder(limits: limits)
    var token = token
    while true {
      try add(token, to: &builder)
      if let root = builder.root { return root }
      guard let following = try next() else { throw unexpected("document ends early") }
      guard tokenOffset - start <= limits.maxBytes else {
        throw FormatError(.limit, at: tokenOffset, "document is too long", passing: .valueBytes)
      }
      token = following
    }
  }

  private func add(_ token: Token, to builder: inout JSONBuilder) throws(FormatError) {
    switch token {
    case .beginObject: try builder.open(object: true, at: tokenOffset)
    case .beginArray: try builder.open(object: false, at: tokenOffset)
    case .endObject, .endArray: try builder.close()
    case .key: builder.setKey(string)
    case .string: try builder.add(.string(string), at: tokenOffset)
    case .number: try builder.add(.number(JSONNumber(verified: string)), at: tokenOffset)
    case .boolean(let value): try builder.add(.boolean(value), at: tokenOffset)
    case .null: try builder.add(.null, at: tokenOffset)
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
  guard !text.isEmpty, let end = endOfJSONNumber(in: text, from: 0) else { return false }
  return end == text.count
}

/// Where the number that begins at a place ends; nil where none does.
func endOfJSONNumber(in text: Span<UInt8>, from start: Int, withExponent: Bool = true) -> Int? {
  var place = start
  func digits() -> Int {
    let start = place
    while place < text.count, text[place].isASCIIDigit { place += 1 }
    return place - start
  }
  if place < text.count, text[place] == UInt8(ascii: "-") { place += 1 }
  let first = place
  let whole = digits()
  // A zero in front is allowed only alone.
  guard whole > 0, whole == 1 || text[first] != UInt8(ascii: "0") else { return nil }
  if place < text.count, text[place] == UInt8(ascii: ".") {
    place += 1
    guard digits() > 0 else { return nil }
  }
  if withExponent, place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
    place += 1
    if place < text.count, text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-") {
      place += 1
    }
    guard digits() > 0 else { return nil }
  }
  return place
}
