/// The tables that all handles of one archive share.
///
/// It is a class so that a handle costs one reference, however large the archive is.
final class ArchiveContents: Sendable {
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
      largeObjects[id] = Dictionary(named) { first, _ in first }
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

/// Up to this many fields are searched one by one.
private let searchableCount = 24
