import Bytes

/// A parsed keyed archive: an object graph that `NSKeyedArchiver` wrote as a property list.
package struct KeyedArchive: Sendable {
  /// The object that was archived.
  package let root: ArchivedObject

  /// Parses an archive that fills the bytes, and checks that every reference has a target.
  ///
  /// - Throws: What parsing a property list throws, `.invalid` where the list is no keyed
  ///   archive, has no single top object, or refers to an object it does not have,
  ///   and `.limit` where a class has far too many superclasses.
  package init(
    parsing bytes: [UInt8], limits: FormatLimits = .standard
  ) throws(FormatError) {
    let list = try PropertyList(parsing: bytes, limits: limits)
    let offset = list.offset(of: list.root)
    guard let archiver = list.value(of: "$archiver", in: list.root), list.string(archiver) != nil,
      let objects = list.value(of: "$objects", in: list.root),
      let top = list.value(of: "$top", in: list.root),
      case .array(let table) = list[objects], case .dictionary(let entries) = list[top]
    else {
      throw FormatError(.invalid, at: offset, "property list is not a keyed archive")
    }
    let only = entries.count == 1 ? entries.first?.value : nil
    guard let root = list.value(of: "root", in: top) ?? only else {
      throw FormatError(.invalid, at: list.offset(of: top), "archive has no single top object")
    }
    try Self.checkReferences(of: list, table)
    let contents = KeyedArchive.Contents(list: list, objects: table)
    self.root = ArchivedObject(contents, contents.target(of: root))
  }

  private static func checkReferences(
    of list: PropertyList, _ table: [PropertyList.ObjectID]
  ) throws(FormatError) {
    for id in list.ids {
      if case .uid(let number) = list[id], !table.indices.contains(number) {
        throw FormatError(
          .invalid, at: list.offset(of: id), "archive refers to an object it does not have")
      }
      // Chains are walked once for each object; real ones have a dozen classes at most.
      if let classes = list.value(of: "$classes", in: id), case .array(let chain) = list[classes],
        chain.count > longestClassChain
      {
        throw FormatError(.limit, at: list.offset(of: id), "class has too many superclasses")
      }
    }
    for id in table {
      guard case .uid = list[id] else { continue }
      throw FormatError(.invalid, at: list.offset(of: id), "archive has a reference as an object")
    }
  }

  /// The tables that all handles of one archive share.
  ///
  /// It is a class so that a handle costs one reference, however large the archive is.
  final class Contents: Sendable {
    /// Everything in the archive, the objects' fields included.
    let list: PropertyList
    private let objects: [PropertyList.ObjectID]
    /// The object that stands for no object.
    private let null: PropertyList.ObjectID?
    /// The fields of large objects by name, so that visiting one often stays cheap.
    private let largeObjects: [PropertyList.ObjectID: [String: PropertyList.ObjectID]]

    /// Takes a list whose archive references all have a target in `objects`.
    init(list: PropertyList, objects: [PropertyList.ObjectID]) {
      self.list = list
      self.objects = objects
      null = objects.first.flatMap { list.string($0) == "$null" ? $0 : nil }
      var largeObjects: [PropertyList.ObjectID: [String: PropertyList.ObjectID]] = [:]
      for id in list.ids {
        guard case .dictionary(let fields) = list[id], fields.count > searchableCount else {
          continue
        }
        let named = fields.compactMap { field in list.string(field.key).map { ($0, field.value) } }
        largeObjects[id] = Dictionary(keepingFirst: named)
      }
      self.largeObjects = largeObjects
    }

    /// The value of one field of an object, before references are followed.
    func field(_ key: String, of id: PropertyList.ObjectID) -> PropertyList.ObjectID? {
      if let fields = largeObjects[id] { fields[key] } else { list.value(of: key, in: id) }
    }

    /// Follows an archive reference; other values are their own target.
    func target(of id: PropertyList.ObjectID) -> PropertyList.ObjectID {
      guard case .uid(let number) = list[id] else { return id }
      return objects[number]
    }

    /// Whether this is the object that stands for no object.
    func isNull(_ id: PropertyList.ObjectID) -> Bool { id == null }
  }
}

/// The most classes that one class and its superclasses may be.
private let longestClassChain = 256

/// Up to this many fields are searched one by one.
private let searchableCount = 24
