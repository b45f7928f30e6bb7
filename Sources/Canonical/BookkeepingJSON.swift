import Formats
import Records

/// Lists of texts and facts as the JSON text that the bookkeeping keeps them in.
enum BookkeepingJSON {
  static func array(_ texts: [String]) -> String {
    JSONValue.array(texts.map(JSONValue.string)).jsonText
  }

  /// The texts in a JSON array; none where it is something else.
  static func texts(_ text: String) -> [String] {
    // What is no JSON was not written by this tool, and says nothing that could be relied on.
    guard case .array(let values)? = try? JSONValue(parsing: Array(text.utf8).span) else {
      return []
    }
    return values.compactMap { value in
      if case .string(let text) = value { text } else { nil }
    }
  }

  /// A JSON object of strings; of facts with one key the last counts.
  static func object(_ facts: [SourceDescription.Fact]) -> String {
    var object = JSONObject()
    for fact in facts { object[fact.key] = .string(fact.value) }
    return JSONValue.object(object).jsonText
  }

  /// The facts in a JSON object of strings; none where it is something else.
  static func facts(_ text: String) -> [SourceDescription.Fact] {
    // As above.
    guard let object = JSONObject(parsing: text.utf8Span.span) else {
      return []
    }
    return object.members.compactMap { member in
      guard case .string(let value) = member.value else { return nil }
      return SourceDescription.Fact(member.key, value)
    }
  }

  /// Whether a JSON object says so of what it is about.
  static func isTrue(_ key: String, in bytes: [UInt8]) -> Bool {
    JSONObject(parsing: bytes.span)?[key] == .boolean(true)
  }
}
