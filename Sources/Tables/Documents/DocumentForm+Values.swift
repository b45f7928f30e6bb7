import Bytes
package import Formats
package import Records

extension DocumentForm {
  /// The value of a member that was built; nil for null.
  package func value(_ member: JSONValue) -> RawValue? {
    var members = DocumentMembers()
    let member = members.add(member)
    return members.withText(member) { text in
      switch value(member.kind, text) {
      case .null: return nil
      case .integer(let number): return .integer(number)
      case .real(let number): return .real(number)
      case .text(let text): return .text(text)
      case .asIs: return .text([UInt8](copying: text))
      }
    }
  }

  /// What a member becomes.
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// A text that is the member's own.
    case asIs
    case text([UInt8])
  }

  /// The value of a member, of which `text` is that of a string, or the JSON of another value.
  func value(_ kind: DocumentMembers.Kind, _ text: Span<UInt8>) -> Value {
    switch kind {
    case .null: .null
    case .structure: .asIs
    case .boolean(let truth): value(truth)
    case .text: value(ofText: text)
    case .number: value(ofNumber: text)
    }
  }

  private func value(_ truth: Bool) -> Value {
    switch self {
    case .content(.json): .asIs
    case .cast(.text): .text([UInt8(ascii: truth ? "1" : "0")])
    case .cast(.real): .real(truth ? 1 : 0)
    case .cast, .content: .integer(truth ? 1 : 0)
    }
  }

  private func value(ofText text: Span<UInt8>) -> Value {
    switch self {
    case .content(.json):
      var json: [UInt8] = []
      json.appendJSONString(text)
      return .text(json)
    case .cast(.integer): return Self.wholeNumber(text).map { .integer($0) } ?? .asIs
    case .cast(.real):
      guard isPlainDecimal(text) else { return .asIs }
      return parseReal(withoutLeadingZeros(text).span).map { .real($0) } ?? .asIs
    case .cast, .content: return .asIs
    }
  }

  /// The number that a text is, where the text is all that can be made of it again.
  private static func wholeNumber(_ text: Span<UInt8>) -> Int64? {
    let digits = text.count - (text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0)
    guard (1...18).contains(digits),
      text[text.count - digits] != UInt8(ascii: "0") || text.count == 1
    else { return nil }
    return parseDecimal(text)
  }

  private func value(ofNumber text: Span<UInt8>) -> Value {
    switch self {
    case .content(.json): return .asIs
    case .cast(.text):
      // To the engine this is a whole number, which has no sign.
      if parseDecimal(text) == 0 { return .text([UInt8(ascii: "0")]) }
      guard !isWholeNumber(text), let real = parseReal(text) else { return .asIs }
      return .text(Array(real.description.utf8))
    case .cast(.real): return parseReal(text).map { .real($0) } ?? .asIs
    case .cast(.integer):
      if let number = parseDecimal(text) { return .integer(number) }
      guard !isWholeNumber(text), let real = parseReal(text) else { return .asIs }
      return Int64(exactly: real).map { .integer($0) } ?? .real(real)
    case .cast, .content:
      if let number = parseDecimal(text) { return .integer(number) }
      guard !isWholeNumber(text), let real = parseReal(text) else { return .asIs }
      return .real(real)
    }
  }
}

/// A plain decimal number as JSON spells it.
private func withoutLeadingZeros(_ text: Span<UInt8>) -> [UInt8] {
  let sign = text[0] == UInt8(ascii: "-") ? 1 : 0
  var start = sign
  while start + 1 < text.count, text[start] == UInt8(ascii: "0"),
    text[start + 1] != UInt8(ascii: ".")
  { start += 1 }
  var number: [UInt8] = []
  number.append(text.extracting(0..<sign))
  number.append(text.extracting(start..<text.count))
  return number
}
