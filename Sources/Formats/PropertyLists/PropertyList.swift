import Bytes

/// A parsed binary property list: a flat table of objects that name each other by number.
///
/// A cycle among the objects is possible and harmless here; who walks the objects must watch for
/// it.
package struct PropertyList: Sendable {
  /// The number of an object in its property list.
  package struct ObjectID: Hashable, Sendable {
    private let number: UInt32

    /// Numbers an object; nil for a number that no table can hold.
    init?(_ index: some BinaryInteger) {
      guard let number = UInt32(exactly: index) else { return nil }
      self.number = number
    }

    /// The number as an index into the object table.
    package var index: Int { Int(number) }
  }

  /// The object that contains the others.
  package let root: ObjectID
  /// The limits it was parsed with, which also hold for expanding it.
  let limits: FormatLimits
  private let nodes: [PropertyListNode]
  private let offsets: [Int]

  /// Parses a binary property list (`bplist00`) that fills the bytes.
  ///
  /// - Throws: `.truncated` where the bytes cannot hold one, `.invalid` where they break the
  ///   format's rules, `.unsupported` for other versions and for values that nothing here can hold,
  ///   `.limit` where it has too many or overlapping objects.
  package init(
    parsing bytes: [UInt8], limits: FormatLimits = .standard
  ) throws(FormatError) {
    self = try BinaryPropertyListParser.parse(bytes.span, limits: limits)
  }

  /// Takes a checked table whose references are all inside it.
  init(root: ObjectID, nodes: [PropertyListNode], offsets: [Int], limits: FormatLimits) {
    self.root = root
    self.nodes = nodes
    self.offsets = offsets
    self.limits = limits
  }

  /// The numbers of all objects, in the order of the table.
  var ids: some Sequence<ObjectID> { nodes.indices.lazy.compactMap { ObjectID($0) } }

  /// An object by its number.
  package subscript(id: ObjectID) -> PropertyListNode { nodes[id.index] }

  /// Where an object starts in the bytes it was parsed from.
  func offset(of id: ObjectID) -> Int { offsets[id.index] }

  /// The text of an object that is a string.
  package func string(_ id: ObjectID) -> String? {
    guard case .string(let text) = self[id] else { return nil }
    return text
  }

  /// The value that an object, if it is a dictionary, has for a key.
  package func value(of key: String, in id: ObjectID) -> ObjectID? {
    guard case .dictionary(let entries) = self[id] else { return nil }
    return entries.first { string($0.key) == key }?.value
  }
}

/// One object of a property list; containers name their parts by number.
package enum PropertyListNode: Sendable {
  /// No value; also what padding stands for.
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A whole number above `Int64.max`.
  case unsigned(UInt64)
  /// A floating-point number, of 32 or 64 bits in the file.
  case real(Double)
  /// A moment in seconds since the start of 2001, UTC.
  case date(Double)
  case data([UInt8])
  case string(String)
  /// A number that stands for another object of a keyed archive.
  case uid(Int)
  /// Objects in order.
  case array([PropertyList.ObjectID])
  /// Objects of a set or ordered set, in the order of the file.
  case set([PropertyList.ObjectID])
  /// Keys and values in the order of the file.
  case dictionary([(key: PropertyList.ObjectID, value: PropertyList.ObjectID)])
}

extension PropertyList {
  /// Writes the whole list out as JSON, for people to look at.
  ///
  /// Data become base64, dates ISO 8601 text (or their seconds since 2001 outside the years 1 to
  /// 9999), references of archives `{"CF$UID": n}`, and numbers that JSON has no spelling for text.
  ///
  /// - Throws: `.limit` where it is too deep, or has more than `maxNodes` values once shared ones
  ///   are written out; `.invalid` where a container contains itself or a key comes twice;
  ///   `.unsupported` where a key is not a string.
  package func json(maxNodes: Int) throws(FormatError) -> JSONValue {
    var limits = limits
    limits.maxObjects = min(limits.maxObjects, max(0, maxNodes))
    var expansion = JSONExpansion<ObjectID>(limits: limits)
    let value = try expansion.expand(
      root,
      identity: { (number: $0.index, offset: offset(of: $0)) },
      shape: { id throws(FormatError) in try jsonShape(of: id) })
    return value ?? .null
  }

  private func jsonShape(of id: ObjectID) throws(FormatError) -> JSONShape<ObjectID> {
    switch self[id] {
    case .null: return .scalar(.null)
    case .boolean(let value): return .scalar(.boolean(value))
    case .integer(let value): return .scalar(.number(JSONNumber(value)))
    case .unsigned(let value): return .scalar(.number(JSONNumber(value)))
    case .real(let value): return .scalar(jsonReal(value) ?? .string("NaN"))
    case .date(let seconds):
      let text = timestampText(secondsSince2001: seconds)
      return .scalar(text.map { .string($0) } ?? jsonReal(seconds) ?? .string("NaN"))
    case .data(let bytes): return .scalar(.string(base64Text(bytes)))
    case .string(let text): return .scalar(.string(text))
    case .uid(let number): return .scalar(Self.jsonReference(number))
    case .array(let elements), .set(let elements): return .array(elements)
    case .dictionary(let entries): return .object(try jsonMembers(entries))
    }
  }

  private static func jsonReference(_ number: Int) -> JSONValue {
    var object = JSONObject()
    object["CF$UID"] = .number(JSONNumber(number))
    return .object(object)
  }

  private func jsonMembers(
    _ entries: [(key: ObjectID, value: ObjectID)]
  ) throws(FormatError) -> [(key: String, value: ObjectID)] {
    var members: [(key: String, value: ObjectID)] = []
    for (key, value) in entries {
      guard let text = string(key) else {
        throw FormatError(.unsupported, at: offset(of: key), "dictionary has a key that is no text")
      }
      members.append((key: text, value: value))
    }
    return members
  }
}
