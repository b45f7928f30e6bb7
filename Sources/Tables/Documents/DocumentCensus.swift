package import Bytes
package import Formats
package import Records

/// What the members of the documents of a table are, key by key.
package struct DocumentCensus {
  private struct Kinds: OptionSet {
    let rawValue: UInt8
    static let text = Kinds(rawValue: 1)
    static let boolean = Kinds(rawValue: 2)
    static let integer = Kinds(rawValue: 4)
    static let real = Kinds(rawValue: 8)
    static let other = Kinds(rawValue: 16)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ value: JSONValue) {
      switch value {
      case .null: self = []
      case .string: self = .text
      case .boolean: self = .boolean
      case .array, .object: self = .other
      case .number(let number):
        let isWhole = number.text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 48 < 10 }
        let isHeld = isWhole ? number.integer != nil : number.real != nil
        self = !isHeld ? .other : isWhole ? .integer : .real
      }
    }

    /// The type that takes all of them.
    var type: LogicalType {
      switch self {
      case [], .text: .text
      case .boolean: .boolean
      case .integer: .integer
      case .real, [.integer, .real]: .real
      default: .json
      }
    }
  }

  private var kinds: [[UInt8]: Kinds] = [:]

  /// Knows no document yet.
  package init() {}

  /// Takes in the members of a document, but for those of some keys.
  package mutating func add(_ document: JSONObject, but known: Set<ExactText>) {
    for member in document.members where !known.contains(ExactText(member.key)) {
      kinds[Array(member.key.utf8), default: []].formUnion(Kinds(member.value))
    }
  }

  /// The keys in the order of their bytes, each with the type that takes all of its values.
  package var members: [(key: String, type: LogicalType)] {
    kinds.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .map { (String(decoding: $0.key, as: UTF8.self), $0.value.type) }
  }
}

extension PlannedColumn {
  /// A column of the members of a key, at a place behind others.
  package init(member key: String, _ form: DocumentForm, at position: Int) {
    let type: LogicalType =
      switch form {
      case .cast(let type), .content(let type): type
      }
    let decoding: CellDecoding =
      switch type {
      case .integer: .integer
      case .real: .real
      case .boolean: .boolean
      default: .text
      }
    self.init(
      column: Column(name: key, type: type), position: position, expression: "NULL",
      decoding: decoding, member: DocumentMember(key: key, form: form))
  }
}
