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
  package var ids: some Sequence<ObjectID> { nodes.indices.lazy.compactMap { ObjectID($0) } }

  /// An object by its number.
  package subscript(id: ObjectID) -> PropertyListNode { nodes[id.index] }

  /// Where an object starts in the bytes it was parsed from.
  package func offset(of id: ObjectID) -> Int { offsets[id.index] }

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
