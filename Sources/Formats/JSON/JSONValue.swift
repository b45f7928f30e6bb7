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
    self = try JSONParser.parse(bytes, limits: limits)
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

/// Whether two texts have the same bytes; `==` also takes canonically equivalent texts as equal.
func hasSameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
}
