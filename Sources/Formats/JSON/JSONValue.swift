import Bytes

/// A parsed JSON document (RFC 8259) that loses nothing: exact numbers, member order, exact text.
///
/// It is meant for small payloads and for files whose shape varies; rows are written as bytes.
package enum JSONValue: Sendable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case boolean(Bool)
  /// A number, spelled as in the source.
  case number(JSONNumber)
  /// A string, its escapes resolved.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members in order.
  case object(JSONObject)

  /// Parses one whole document, strictly.
  ///
  /// - Throws: `.truncated` where the document ends early; `.invalid` for everything RFC 8259 does
  ///   not allow, for a byte order mark, a repeated key, half a surrogate pair, or text that is not
  ///   UTF-8; `.limit` where it is too deep, too long or has too many values.
  package init(parsing bytes: Span<UInt8>, limits: FormatLimits = .standard) throws(FormatError) {
    guard bytes.count <= limits.maxBytes else {
      throw FormatError(.limit, at: limits.maxBytes, "document is too long", passing: .valueBytes)
    }
    try Self.checkEncoding(bytes)
    var copy: [UInt8] = []
    copy.append(bytes)
    // With a second owner the reader would copy the bytes once more to go on.
    var reader = JSONReader(checked: consume copy)
    guard let token = try reader.next() else { throw reader.unexpected("document ends early") }
    self = try reader.readValue(from: token, limits: limits)
    // Only the end can follow; asking for it checks that.
    _ = try reader.next()
  }

  private static func checkEncoding(_ bytes: Span<UInt8>) throws(FormatError) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw FormatError(.invalid, at: 0, "a byte order mark is not allowed")
    }
    do {
      _ = try UTF8Span(validating: bytes)
    } catch {
      throw FormatError(.invalid, at: error.byteOffsets.lowerBound, "text is not UTF-8")
    }
  }

  fileprivate struct OpenContainer {
    private let elements: [JSONValue]
    private let members: [JSONObject.Member]?
    private var position = 0

    init(elements: [JSONValue]) {
      self.elements = elements
      members = nil
    }

    init(members: [JSONObject.Member]) {
      elements = []
      self.members = members
    }

    /// Appends what stands before the next value and returns that; after the last, the bracket.
    mutating func appendSeparator(to output: inout [UInt8]) -> JSONValue? {
      guard position < (members?.count ?? elements.count) else {
        output.append(members == nil ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        return nil
      }
      if position > 0 { output.append(UInt8(ascii: ",")) }
      defer { position += 1 }
      guard let member = members?[position] else { return elements[position] }
      output.appendJSONString(member.key.utf8Span.span)
      output.append(UInt8(ascii: ":"))
      return member.value
    }
  }
}

extension JSONValue: Equatable {
  /// Whether both are spelled the same, apart from white space and escapes.
  ///
  /// It goes without recursion, since comparing needs more stack for a level than anything else.
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    var pending = [(left, right)]
    while let (left, right) = pending.popLast() {
      switch (left, right) {
      case (.null, .null): continue
      case (.boolean(let left), .boolean(let right)) where left == right: continue
      case (.number(let left), .number(let right)) where left == right: continue
      case (.string(let left), .string(let right)) where hasSameBytes(left, right): continue
      case (.array(let left), .array(let right)) where left.count == right.count:
        pending.append(contentsOf: zip(left, right))
      case (.object(let left), .object(let right)) where left.hasSameKeys(as: right):
        pending.append(contentsOf: zip(left.members, right.members).map { ($0.value, $1.value) })
      default: return false
      }
    }
    return true
  }
}

/// A JSON number as its exact source text, so that no digit is lost.
package struct JSONNumber: Sendable {
  /// The text, spelled as RFC 8259 allows.
  package let text: String

  /// Keeps text that is already known to be a JSON number.
  init(verified text: String) {
    self.text = text
  }

  /// Takes text that is a JSON number and nothing else; nil for other text.
  package init?(_ text: String) {
    guard isJSONNumber(text.utf8Span.span) else { return nil }
    self.text = text
  }

  /// Spells an integer.
  package init(_ value: some BinaryInteger) {
    text = String(value)
  }

  /// Spells a finite number with the fewest digits that read back to it; nil for other numbers.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    text = value.description
  }

  /// The value of an integer without fraction and exponent that fits 64 bits.
  package var integer: Int64? { Int64(text) }

  /// The nearest double, or nil where the number is too large for one.
  package var real: Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }
}

extension JSONNumber: Equatable {
  /// Whether both are spelled the same; `1.0` and `1` differ.
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    hasSameBytes(left.text, right.text)
  }
}

extension JSONValue {
  /// Shows `body` the objects in some values, the last first; what is inside one is looked at only
  /// where it says so.
  package static func forEachObject(
    in values: [JSONValue], _ body: (JSONObject) -> Bool
  ) {
    var waiting = values
    while let value = waiting.popLast() {
      switch value {
      case .array(let items): waiting += items
      case .object(let object): if body(object) { waiting += object.members.map(\.value) }
      case .null, .boolean, .number, .string: continue
      }
    }
  }
}

extension JSONObject {
  /// The object as compact JSON.
  package var json: [UInt8] { JSONValue.object(self).json }
}

extension JSONValue {
  /// The value as compact JSON.
  package var json: [UInt8] {
    var output: [UInt8] = []
    append(to: &output)
    return output
  }

  /// The value as the text of compact JSON.
  package var jsonText: String { String(decoding: json, as: UTF8.self) }

  /// Appends the value as compact JSON; equal values give equal bytes.
  package func append(to output: inout [UInt8]) {
    var open: [JSONValue.OpenContainer] = []
    var current: JSONValue? = self
    while true {
      if let container = current?.appendStart(to: &output) { open.append(container) }
      guard !open.isEmpty else { return }
      current = open[open.count - 1].appendSeparator(to: &output)
      if current == nil { open.removeLast() }
    }
  }

  private func appendStart(to output: inout [UInt8]) -> JSONValue.OpenContainer? {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.text.utf8)
    case .string(let text): output.appendJSONString(text.utf8Span.span)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      return JSONValue.OpenContainer(elements: elements)
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      return JSONValue.OpenContainer(members: object.members)
    }
    return nil
  }
}
