package import Bytes
package import Formats
package import Records

/// What the members of many documents are, key by key.
package struct MemberKinds: Sendable {
  private var keys = MemberKeys()
  /// By the numbers of the keys.
  private var kinds: [ValueKinds] = []

  /// Knows no document yet.
  package init() {}

  /// Takes in the members of a document.
  package mutating func add(_ document: DocumentMembers) {
    for (place, member) in document.list.enumerated() {
      let kind = document.withText(member) { ValueKinds(member.kind, $0) }
      add(kind, ofKey: keys.number(of: member, at: place, in: document))
    }
  }

  /// Takes in the members of a document that was built.
  package mutating func add(_ document: JSONObject) {
    var members = DocumentMembers(tellingStructures: false)
    for member in document.members { members.add(member.value, for: member.key) }
    add(members)
  }

  /// Takes in what is known of other documents.
  package mutating func add(_ other: MemberKinds) {
    for (key, kind) in zip(other.keys.list, other.kinds) { add(kind, ofKey: keys.number(of: key)) }
  }

  private mutating func add(_ kind: ValueKinds, ofKey number: Int) {
    if number == kinds.count { kinds.append([]) }
    kinds[number].formUnion(kind)
  }

  /// A key, and what its values are.
  package struct Member {
    package let key: String
    /// The type that takes all of them.
    package let type: LogicalType
    /// Whether there is none but null.
    package let isUndecided: Bool
  }

  /// The keys in the order of their bytes, but for some.
  package func members(but known: Set<ExactText>) -> [Member] {
    zip(keys.list, kinds).sorted { $0.0.lexicographicallyPrecedes($1.0) }
      .map { key, kinds in
        Member(
          key: String(decoding: key, as: UTF8.self), type: kinds.type, isUndecided: kinds.isEmpty)
      }
      .filter { !known.contains(ExactText($0.key)) }
  }
}

extension ValueKinds {
  fileprivate init(_ kind: DocumentMembers.Kind, _ text: Span<UInt8>) {
    switch kind {
    case .null: self = []
    case .text: self = .text
    case .boolean: self = .boolean
    case .structure: self = .json
    case .number:
      if isWholeNumber(text) {
        self = parseDecimal(text) == nil ? .json : .integer
      } else {
        self = parseReal(text) == nil ? .json : .real
      }
    }
  }
}

/// Whether a number of JSON has neither a fraction nor an exponent.
package func isWholeNumber(_ text: Span<UInt8>) -> Bool {
  for place in text.indices where text[place] != UInt8(ascii: "-") && text[place] &- 48 > 9 {
    return false
  }
  return true
}
