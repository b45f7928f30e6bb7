extension ArchivedObject {
  /// The elements of an array, set or ordered set, in the order of the archive.
  package var elements: [ArchivedObject]? {
    switch node {
    case .array(let ids), .set(let ids): ids.map(handle)
    case .dictionary where isKind(of: Self.listClasses):
      listed("NS.objects", orNumbered: "NS.object.")
    default: nil
    }
  }

  /// The keys and values of a dictionary, in the order of the archive.
  package var entries: [(key: ArchivedObject, value: ArchivedObject)]? {
    guard case .dictionary(let fields) = node else { return nil }
    guard hasClass else { return fields.map { (key: handle($0.key), value: handle($0.value)) } }
    guard isKind(of: ["NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1"]) else {
      return nil
    }
    if let mapping = self["searchMapping"] { return knownKeyEntries(mapping) }
    return Self.pairs(
      listed("NS.keys", orNumbered: "NS.key."), listed("NS.objects", orNumbered: "NS.object."))
  }

  private static let listClasses: Set<String> = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]

  /// The elements of an array in one field, or of the numbered fields that older archives use.
  private func listed(_ key: String, orNumbered prefix: String) -> [ArchivedObject]? {
    guard let list = self[key] else { return numbered(prefix) }
    return if case .array(let ids) = list.node { ids.map(handle) } else { nil }
  }

  /// The fields `NS.object.0`, `NS.object.1` and so on; nil where there are gaps or other fields.
  ///
  /// Such an object has no field at all when it is empty, so any other field means another shape.
  private func numbered(_ prefix: String) -> [ArchivedObject]? {
    guard case .dictionary(let fields) = node else { return nil }
    var found: [Int: ArchivedObject] = [:]
    for field in fields {
      guard let name = handle(field.key).string else { return nil }
      if name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) {
        found[number] = handle(field.value)
      } else if name != "$class", !name.hasPrefix("NS.key."), !name.hasPrefix("NS.object.") {
        return nil
      }
    }
    var elements: [ArchivedObject] = []
    while let next = found[elements.count] { elements.append(next) }
    return elements.count == found.count ? elements : nil
  }

  /// The entries of a dictionary with a fixed set of keys, some of whose slots may be empty.
  private func knownKeyEntries(
    _ mapping: ArchivedObject
  ) -> [(key: ArchivedObject, value: ArchivedObject)]? {
    let empty = self["emptyToken"]?.identity
    return Self.pairs(mapping["keys"]?.elements, self["values"]?.elements)?
      .filter { $0.value.identity != empty }
  }

  private static func pairs(
    _ keys: [ArchivedObject]?, _ values: [ArchivedObject]?
  ) -> [(key: ArchivedObject, value: ArchivedObject)]? {
    guard let keys, let values, keys.count == values.count else { return nil }
    return zip(keys, values).map { (key: $0, value: $1) }
  }
}
