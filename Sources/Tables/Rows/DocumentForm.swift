package import Formats
package import Records

/// A column whose values are members of the JSON documents that a table keeps as rows.
package struct DocumentMember: Sendable, Equatable {
  /// The key of the member, literally.
  package let key: String
  /// How its values become those of the column.
  package let form: DocumentForm
}

/// How a member of a document becomes the value of a column.
package enum DocumentForm: Sendable, Equatable {
  /// As a view casts it, where that loses nothing; other values are left as they are, for a reject.
  case cast(LogicalType)
  /// As what the members of all documents are.
  case content(LogicalType)

  /// The value of a member; nil for null.
  package func value(_ member: JSONValue) -> RawValue? {
    if case .null = member { return nil }
    switch self {
    case .cast(.integer): return Self.integer(member)
    case .cast(.real): return Self.real(member)
    case .content(.json): return .text(member.json)
    case .cast, .content: return Self.plain(member, asText: self == .cast(.text))
    }
  }

  /// A value as what it is, or as the text that stands for it.
  private static func plain(_ member: JSONValue, asText: Bool) -> RawValue? {
    switch member {
    case .null: return nil
    case .string(let text): return .text(Array(text.utf8))
    case .boolean(let truth):
      return asText ? .text(Array((truth ? "1" : "0").utf8)) : .integer(truth ? 1 : 0)
    case .number(let number):
      let isWhole = number.text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 48 < 10 }
      if !asText, let whole = number.integer { return .integer(whole) }
      if !asText, !isWhole, let real = number.real { return .real(real) }
      let text = isWhole ? number.text : number.real?.description ?? number.text
      return .text(Array(text.utf8))
    case .array, .object: return .text(member.json)
    }
  }

  private static func integer(_ member: JSONValue) -> RawValue? {
    switch member {
    case .string(let text):
      let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
      guard text == "0" || digits.first != "0", digits.utf8.count <= 18,
        digits.utf8.allSatisfy({ $0 &- 48 < 10 }), let whole = Int64(text)
      else { return .text(Array(text.utf8)) }
      return .integer(whole)
    case .number(let number):
      if let whole = number.real.flatMap({ Int64(exactly: $0) }), number.integer == nil {
        return .integer(whole)
      }
      return plain(member, asText: false)
    default: return plain(member, asText: false)
    }
  }

  private static func real(_ member: JSONValue) -> RawValue? {
    switch member {
    case .string(let text):
      guard isDecimal(text), let number = Double(text), number.isFinite else {
        return .text(Array(text.utf8))
      }
      return .real(number)
    case .number(let number): return number.real.map { .real($0) } ?? .text(member.json)
    case .boolean(let truth): return .real(truth ? 1 : 0)
    default: return plain(member, asText: false)
    }
  }

  /// Whether a text is digits, perhaps with a sign before them and a fraction behind.
  private static func isDecimal(_ text: String) -> Bool {
    let number = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 48 < 10 } }
  }
}
