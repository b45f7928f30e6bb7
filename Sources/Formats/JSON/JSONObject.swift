import Bytes

/// The members of a JSON object in the order of the source, each key once.
///
/// Keys are compared byte by byte: two spellings of one accented letter are two keys.
package struct JSONObject: Sendable {
  /// A key and its value.
  package struct Member: Sendable {
    /// The key.
    package let key: String
    /// The value.
    package var value: JSONValue

    /// Joins a key and its value.
    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members in the order of the source.
  package private(set) var members: [Member]
  /// Positions in `members`, sorted by key; empty while a plain search is quicker.
  private var order: [Int32] = []

  /// Makes an object without members.
  package init() {
    members = []
  }

  /// Parses a document, strictly; nil where it is no JSON, or no object.
  package init?(parsing bytes: Span<UInt8>, limits: FormatLimits = .standard) {
    guard case .object(let object)? = try? JSONValue(parsing: bytes, limits: limits) else {
      return nil
    }
    self = object
  }

  /// Takes members whose keys all differ; nil where a key comes twice.
  ///
  /// Takes time in proportion to n log n.
  package init?(_ members: [Member]) {
    self.members = members
    guard members.count > searchableCount else {
      for (index, member) in members.enumerated() {
        for other in members[..<index] where hasSameBytes(other.key, member.key) { return nil }
      }
      return
    }
    sortOrder()
    for (left, right) in zip(order, order.dropFirst())
    where hasSameBytes(members[Int(left)].key, members[Int(right)].key) {
      return nil
    }
  }

  /// The value of a key; setting appends a new key, replaces a known one, and nil removes it.
  package subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      guard let found = position(of: key) else {
        if let newValue { append(Member(key: key, value: newValue)) }
        return
      }
      if let newValue {
        members[found].value = newValue
      } else {
        members.remove(at: found)
        sortOrder()
      }
    }
  }

  /// Changes the value of a key, of which there is no other copy meanwhile; nil removes it.
  package mutating func update(_ key: String, _ change: (inout JSONValue?) -> Void) {
    guard let found = position(of: key) else {
      var value: JSONValue?
      change(&value)
      self[key] = value
      return
    }
    var value: JSONValue? = members[found].value
    members[found].value = .null
    change(&value)
    if let value { members[found].value = value } else { self[key] = nil }
  }

  private func position(of key: String) -> Int? {
    guard !order.isEmpty else { return members.firstIndex { hasSameBytes($0.key, key) } }
    let slot = firstSlot(notBefore: key)
    guard slot < order.count, hasSameBytes(members[Int(order[slot])].key, key) else { return nil }
    return Int(order[slot])
  }

  private func firstSlot(notBefore key: String) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = low + (high - low) / 2
      if precedes(members[Int(order[middle])].key, key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func append(_ member: Member) {
    let slot = firstSlot(notBefore: member.key)
    members.append(member)
    if order.isEmpty {
      sortOrder()
    } else {
      order.insert(Int32(clamping: members.count - 1), at: slot)
    }
  }

  private mutating func sortOrder() {
    order = members.count > searchableCount ? members.indices.map { Int32(clamping: $0) } : []
    order.sort { [members] in precedes(members[Int($0)].key, members[Int($1)].key) }
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members in the same order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == .object(right)
  }

  /// Whether both have the same keys in the same order.
  func hasSameKeys(as other: JSONObject) -> Bool {
    members.count == other.members.count
      && zip(members, other.members).allSatisfy { hasSameBytes($0.key, $1.key) }
  }
}

extension JSONObject.Member: Equatable {
  /// Whether key and value are the same, byte by byte.
  package static func == (left: Self, right: Self) -> Bool {
    hasSameBytes(left.key, right.key) && left.value == right.value
  }
}

/// Up to this many members are searched one by one.
private let searchableCount = 8

private func precedes(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}

/// Keys of objects with quotes and colon, as most programs write them.
///
/// Where a text has just these bytes, the key need be neither looked at nor copied.
package struct SpelledKeys: Sendable {
  private var bytes: [UInt8] = []
  /// Where each key ends; one that has escapes is empty.
  private var ends: [Int] = []

  /// Begins without keys.
  package init() {}

  /// Appends a key, which is UTF-8.
  package mutating func append(_ name: [UInt8]) {
    if endOfPlainJSON(in: name.span, from: 0) == name.count {
      bytes.append("\"")
      bytes += name
      bytes.append("\":")
    }
    ends.append(bytes.count)
  }

  /// How many bytes the key at `index` has, if the text begins with it.
  func size(ofPrefix text: Span<UInt8>, _ index: Int) -> Int? {
    guard index < ends.count else { return nil }
    let start = index > 0 ? ends[index &- 1] : 0
    let size = ends[index] &- start
    guard size > 0, size <= text.count,
      text.extracting(..<size).isEqual(to: bytes.span.extracting(start..<ends[index]))
    else { return nil }
    return size
  }
}
