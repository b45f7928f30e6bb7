/// One object or value of a keyed archive, as a light handle.
///
/// A handle never looks further than its own fields, so an archive with cycles is safe to hold;
/// who follows references must remember identities.
package struct ArchivedObject: Sendable {
  private let contents: ArchiveContents
  private let id: PropertyList.ObjectID

  /// Makes a handle for what a reference leads to.
  init(_ contents: ArchiveContents, _ id: PropertyList.ObjectID) {
    self.contents = contents
    self.id = id
  }

  /// A number that is the same for all handles of one object, and differs between objects.
  package var identity: Int { id.index }

  /// Where the object starts in the bytes that were parsed.
  package var offset: Int { contents.list.offset(of: id) }

  /// Whether the reference leads to no object, as an archived nil does.
  package var isNull: Bool {
    if case .null = node { true } else { false }
  }

  /// The value as the property list has it; `.null` for an archived nil.
  var node: PropertyListNode {
    contents.isNull(id) ? .null : contents.list[id]
  }

  /// The name of the object's class; nil for a plain value.
  package var className: String? {
    guard let description = classDescription,
      let name = contents.field("$classname", of: description)
    else { return nil }
    return contents.list.string(contents.target(of: name))
  }

  /// The names of the object's class and its superclasses, from the object's own upwards.
  package var classNames: [String] {
    guard let description = classDescription else { return [] }
    guard let names = contents.field("$classes", of: description),
      case .array(let chain) = contents.list[names]
    else { return className.map { [$0] } ?? [] }
    return chain.compactMap { contents.list.string(contents.target(of: $0)) }
  }

  /// The value of one of the object's fields; nil where it is absent or an archived nil.
  package subscript(key: String) -> ArchivedObject? {
    guard let value = contents.field(key, of: id) else { return nil }
    let object = handle(value)
    return object.isNull ? nil : object
  }

  /// A handle for what another value of the same archive leads to.
  func handle(_ value: PropertyList.ObjectID) -> ArchivedObject {
    ArchivedObject(contents, contents.target(of: value))
  }

  /// Whether the object says what class it has, and so is more than a plain value.
  var hasClass: Bool { classDescription != nil }

  private var classDescription: PropertyList.ObjectID? {
    contents.field("$class", of: id).map { contents.target(of: $0) }
  }
}
