import Formats
import Records
import Tables

/// A mutation of the SDK for Android, whose text is JSON but for one bare word.
struct AmplifyRecord {
  private let object: JSONObject
  private let mutated: JSONObject

  /// Decodes a stored payload; nil where it holds no item that could be sent.
  init?(_ raw: RawValue?) {
    guard case .text(let bytes)? = raw,
      let object = JSONObject(parsing: Self.quotingID(bytes).span),
      let mutated = Self.object(object["mutatedItem"])
    else { return nil }
    (self.object, self.mutated) = (object, mutated)
  }

  private var schema: JSONObject? { Self.object(object["modelSchema"]) }
  private var data: JSONObject? { Self.object(mutated["serializedData"]) }

  /// The SDK's word for what it does.
  var code: String? { Self.text(object["mutationType"]) }

  /// The name of the model, where the payload tells it.
  var model: String? {
    Self.text(schema?["name"])
      ?? Self.text(object["classOfMutatedItem"]).map { Self.lastPart(of: $0) }
  }

  var item: [UInt8] {
    var bytes: [UInt8] = []
    JSONValue.object(data ?? mutated).append(to: &bytes)
    return bytes
  }

  /// Whether the item is kept in the SDK's own form for models of any class.
  var isSerialized: Bool { data != nil }

  /// Whether it looks like one of the releases up to 1.6.9.
  var isOfFirstReleases: Bool {
    object["classOfMutatedItem"] != nil || mutated["serializedData"] == nil
  }

  /// Whether it lacks fields that the model has, apart from relations.
  var isPartial: Bool {
    guard let data, let fields = Self.object(schema?["fields"]) else { return false }
    let relations = Self.object(schema?["associations"])
    return fields.members.contains { field in
      data[field.key] == nil && relations?[field.key] == nil && !Self.isRelation(field.value)
    }
  }

  /// Whether it is to be carried out only under a condition.
  var isConditional: Bool {
    switch object["predicate"] {
    case nil, .null?: false
    case .object(let predicate)?: Self.text(predicate["_type"]) != "ALL"
    default: true
    }
  }

  /// Whether the SDK itself cannot read it back: the members of a group tell no type.
  var stopsTheSDK: Bool { Self.hasBareMembers(object["predicate"]) }

  private static func hasBareMembers(_ predicate: JSONValue?) -> Bool {
    var waiting = [predicate]
    while let next = waiting.popLast() {
      guard case .array(let members)? = object(next)?["predicates"] else { continue }
      if members.contains(where: { object($0)?["_type"] == nil }) { return true }
      waiting += members
    }
    return false
  }

  private static func isRelation(_ field: JSONValue) -> Bool {
    ["isModel", "isModelReference", "isModelList"].contains {
      object(field)?[$0] == .boolean(true)
    }
  }

  private static func object(_ value: JSONValue?) -> JSONObject? {
    if case .object(let object)? = value { object } else { nil }
  }

  private static func text(_ value: JSONValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  /// The name of a class without its package.
  static func lastPart(of name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? name
  }
}

extension AmplifyRecord {
  /// The text with quotes around the bare word behind `mutationId` of the outermost object.
  private static func quotingID(_ text: [UInt8]) -> [UInt8] {
    let key = Array("\"mutationId\"".utf8)
    var depth = 0
    var place = 0
    while place < text.count {
      switch text[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        if depth == 1, text[place...].starts(with: key),
          let word = bareWord(in: text, behind: place + key.count)
        {
          let quote = [UInt8(ascii: "\"")]
          return text[..<word.lowerBound] + quote + text[word] + quote + text[word.upperBound...]
        }
        place = endOfString(in: text, from: place)
      default: break
      }
      place += 1
    }
    return text
  }

  /// The place of the closing quote of a string, or the end of the text.
  private static func endOfString(in text: [UInt8], from start: Int) -> Int {
    var place = start + 1
    while place < text.count, text[place] != UInt8(ascii: "\"") {
      place += text[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place
  }

  /// The 36 hexadecimal digits and hyphens behind a colon; nil where anything else stands there.
  private static func bareWord(in text: [UInt8], behind start: Int) -> Range<Int>? {
    let colon = skippingBlanks(in: text, from: start)
    guard colon < text.count, text[colon] == UInt8(ascii: ":") else { return nil }
    let first = skippingBlanks(in: text, from: colon + 1)
    let end = first + 36
    guard end < text.count, text[first..<end].allSatisfy(isPartOfUUID) else { return nil }
    let next = skippingBlanks(in: text, from: end)
    guard next < text.count, text[next] == UInt8(ascii: ",") || text[next] == UInt8(ascii: "}")
    else { return nil }
    return first..<end
  }

  private static func skippingBlanks(in text: [UInt8], from start: Int) -> Int {
    text[min(start, text.count)...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      ?? text.count
  }

  private static func isPartOfUUID(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6 || byte == UInt8(ascii: "-")
  }
}
