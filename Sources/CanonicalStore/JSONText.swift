import Formats
import Records

/// Lists of texts and facts as the JSON text that the bookkeeping keeps them in.
enum JSONText {
  /// A JSON array of strings.
  static func array(_ texts: [String]) -> String {
    spelled(.array(texts.map(JSONValue.string)))
  }

  /// A JSON object of strings; of facts with one key the last counts.
  static func object(_ facts: [SourceDescription.Fact]) -> String {
    var object = JSONObject()
    for fact in facts { object[fact.key] = .string(fact.value) }
    return spelled(.object(object))
  }

  private static func spelled(_ value: JSONValue) -> String {
    var bytes: [UInt8] = []
    value.append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
