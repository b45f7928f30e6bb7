import Bytes
import Formats
package import Records
import SQLite

/// The members of a JSON object that a table keeps as the rest of a row.
///
/// Of most documents nothing need be built: what they hold is told by places in their bytes.
package struct DocumentMembers {
  /// A member by the places of its bytes.
  package struct Member {
    let key: Range<Int>
    package let kind: Kind
    /// The text of a string, or the JSON of another value.
    let text: Range<Int>
  }

  /// What a value is.
  package enum Kind: Equatable {
    case null
    case boolean(Bool)
    case number
    case text
    /// An array or object.
    case structure
  }

  /// The bytes of the document, and those of what had to be built of it.
  private var bytes: [UInt8] = []
  package private(set) var list: [Member] = []
  /// What a text with escapes stands for.
  private var unescaped: [UInt8] = []
  /// Whether the JSON of arrays and objects is told where it must be built.
  private let tellsStructures: Bool

  /// Has no members; of arrays and objects it may be enough that they are some.
  package init(tellingStructures tellsStructures: Bool = true) {
    self.tellsStructures = tellsStructures
  }

  /// Takes the members of a document; false where it is no JSON object.
  package mutating func read(_ document: Span<UInt8>) -> Bool {
    if readPlain(document) { return true }
    removeAll()
    guard let object = JSONObject(parsing: document) else { return false }
    for member in object.members { add(member.value, for: member.key) }
    return true
  }

  /// Forgets the members, but not the memory.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    list.removeAll(keepingCapacity: true)
  }

  /// A copy of the bytes of a key.
  func key(_ member: Member) -> [UInt8] { Array(bytes[member.key]) }

  /// Lends the text of a string, or the JSON of another value.
  func withText<Result>(_ member: Member, _ body: (Span<UInt8>) -> Result) -> Result {
    withBytes(member.text, body)
  }

  /// Lends bytes of which a member tells the places.
  func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
    body(bytes.span.extracting(range))
  }

  /// The text of a string, or the JSON of another value.
  package func text(_ member: Member) -> String {
    String(decoding: bytes[member.text], as: UTF8.self)
  }

  /// The JSON of a value.
  package func json(_ member: Member) -> [UInt8] {
    withText(member) { text in
      var json: [UInt8] = []
      if member.kind == .text { json.appendJSONString(text) } else { json.append(text) }
      return json
    }
  }

  /// The member of a key; nil where there is none.
  package subscript(key: String) -> Member? {
    let key = Array(key.utf8)
    return list.first { isKey(key, of: $0) }
  }

  /// Whether a key is that of a member.
  func isKey(_ key: [UInt8], of member: Member) -> Bool {
    bytes.span.extracting(member.key).isEqual(to: key.span)
  }
}

// MARK: - Documents of which nothing need be built

extension DocumentMembers {
  /// Takes the members of a document that is plain JSON; false where it is not.
  private mutating func readPlain(_ document: Span<UInt8>) -> Bool {
    removeAll()
    var (list, hasEscapedKey, hasEscapes) = (self.list, false, false)
    self.list = []
    defer { self.list = list }
    let isPlain = forEachMember(ofPlainJSON: document) { key, value in
      // The bytes of a key with escapes are not what others compare.
      if endOfPlainJSON(in: document, from: key.lowerBound) != key.upperBound {
        hasEscapedKey = true
      }
      switch document[value.lowerBound] {
      case UInt8(ascii: "\""):
        let text = value.lowerBound + 1..<value.upperBound - 1
        if endOfPlainJSON(in: document, from: text.lowerBound) != text.upperBound {
          hasEscapes = true
        }
        list.append(Member(key: key, kind: .text, text: text))
      case UInt8(ascii: "t"): list.append(Member(key: key, kind: .boolean(true), text: value))
      case UInt8(ascii: "f"): list.append(Member(key: key, kind: .boolean(false), text: value))
      case UInt8(ascii: "n"): list.append(Member(key: key, kind: .null, text: value))
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        list.append(Member(key: key, kind: .structure, text: value))
      default: list.append(Member(key: key, kind: .number, text: value))
      }
    }
    guard isPlain, !hasEscapedKey else { return false }
    bytes.append(document)
    if hasEscapes { Self.resolveEscapes(in: &list, of: &bytes, &unescaped) }
    return true
  }

  /// Puts texts with escapes behind the document as what they stand for.
  private static func resolveEscapes(
    in list: inout [Member], of bytes: inout [UInt8], _ unescaped: inout [UInt8]
  ) {
    for place in list.indices where list[place].kind == .text {
      let member = list[place]
      let end = endOfPlainJSON(in: bytes.span, from: member.text.lowerBound)
      guard end != member.text.upperBound else { continue }
      unescaped.removeAll(keepingCapacity: true)
      Formats.append(textOfPlainJSON: bytes.span.extracting(member.text), to: &unescaped)
      let text = bytes.count..<bytes.count + unescaped.count
      bytes.append(unescaped.span)
      list[place] = Member(key: member.key, kind: .text, text: text)
    }
  }
}

// MARK: - Values that were built

extension DocumentMembers {
  /// Adds a member that was built.
  @discardableResult
  mutating func add(_ value: JSONValue, for name: String = "") -> Member {
    let key = append(name)
    let (kind, text) = append(value)
    let member = Member(key: key, kind: kind, text: text)
    list.append(member)
    return member
  }

  private mutating func append(_ text: String) -> Range<Int> {
    let start = bytes.count
    bytes += text.utf8
    return start..<bytes.count
  }

  private mutating func append(_ value: JSONValue) -> (Kind, Range<Int>) {
    switch value {
    case .null: return (.null, append("null"))
    case .boolean(let truth): return (.boolean(truth), append(truth ? "true" : "false"))
    case .number(let number): return (.number, append(number.text))
    case .string(let text): return (.text, append(text))
    case .array, .object:
      let start = bytes.count
      if tellsStructures { value.append(to: &bytes) }
      return (.structure, start..<bytes.count)
    }
  }
}

/// What a table keeps as the rest of a row.
package enum StoredDocument {
  case none
  case object
  case unreadable(RawValue)

  /// Reads the document in a column of a row, of which `members` takes what it holds.
  package init(
    _ row: borrowing some StoredRow & ~Copyable, at column: Int, _ members: inout DocumentMembers
  ) {
    let isObject: Bool
    switch row.storageClass(at: column) {
    case .null:
      members.removeAll()
      self = .none
      return
    case .text: isObject = row.withText(at: column) { members.read($0) }
    case .blob: isObject = row.withBlob(at: column) { members.read($0) }
    case .integer, .real:
      members.removeAll()
      isObject = false
    }
    self = isObject ? .object : .unreadable(RawValue(row, at: column))
  }
}
