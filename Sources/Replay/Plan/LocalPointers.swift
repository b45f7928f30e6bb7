package import Bytes
package import Formats

/// The objects of Parse that have a name of their device's own, and who points to them by it.
///
/// The server knows objects by the ids that it gives them; a change that points to one of these can
/// be sent once its id is known.
package struct LocalPointers: Sendable {
  /// What a name stands for.
  package struct Object: Sendable, Equatable {
    /// What the server calls its class.
    package var className: String
    /// The server's id; nil before it has given one.
    package var objectID: String?

    /// An object of a class.
    package init(className: String, objectID: String?) {
      self.className = className
      self.objectID = objectID
    }
  }

  /// The objects by the names that devices gave them.
  package var objects: [ExactText: Object] = [:]
  /// The names to which operations point, by `sequence`.
  package var targets: [Int64: [String]] = [:]
  /// Operations of which it is known beforehand that they cannot be sent.
  package var unsendable: [Int64: PendingReason] = [:]

  /// No objects.
  package init() {}

  func isKnown(_ name: String) -> Bool { objects[ExactText(name)]?.objectID != nil }

  /// Takes in the id that the server gave an object.
  mutating func tie(_ name: String, className: String, objectID: String) {
    objects[ExactText(name)] = Object(className: className, objectID: objectID)
  }

  /// The names that a value holds instead of ids.
  package static func names(in value: JSONValue) -> [String] {
    var names: [String] = []
    JSONValue.forEachObject(in: [value]) { object in
      guard let name = name(of: object) else { return true }
      names.append(name)
      return false
    }
    return names
  }

  /// What a pointer of a device, or of one of its commands, leads to.
  private static func name(of object: JSONObject) -> String? {
    switch object["__type"] {
    case .string("OfflineObject"):
      if case .string(let name)? = object["uuid"] { return name }
    case .string("Pointer") where object["objectId"] == nil || object["objectId"] == .null:
      if case .string(let name)? = object["localId"] { return name }
    default: break
    }
    return nil
  }

  /// A value with the server's ids for names; nil where one of them is not known.
  func resolved(_ value: JSONValue) -> JSONValue? {
    replaced(value) { name, _ in
      guard let object = objects[ExactText(name)], let id = object.objectID else { return nil }
      return Self.pointer(object.className, "objectId", id)
    }
  }

  /// A value as it is shown before anything is sent: objects that are not there yet keep their names.
  func shown(_ value: JSONValue) -> JSONValue {
    let shown = replaced(value) { name, pointer in
      guard let object = objects[ExactText(name)] else { return .object(pointer) }
      return object.objectID.map { Self.pointer(object.className, "objectId", $0) }
        ?? Self.pointer(object.className, "localId", name)
    }
    return shown ?? value
  }

  private static func pointer(_ className: String, _ key: String, _ id: String) -> JSONValue {
    var pointer = JSONObject()
    pointer["__type"] = .string("Pointer")
    pointer["className"] = .string(className)
    pointer[key] = .string(id)
    return .object(pointer)
  }

  /// Values are as deep as the parser allows, which is not deep.
  private func replaced(
    _ value: JSONValue, _ replace: (String, JSONObject) -> JSONValue?
  ) -> JSONValue? {
    switch value {
    case .array(let items):
      var changed: [JSONValue] = []
      for item in items {
        guard let item = replaced(item, replace) else { return nil }
        changed.append(item)
      }
      return .array(changed)
    case .object(let object):
      if let name = Self.name(of: object) { return replace(name, object) }
      var members = object.members
      for place in members.indices {
        guard let value = replaced(members[place].value, replace) else {
          return nil
        }
        members[place].value = value
      }
      return JSONObject(members).map(JSONValue.object)
    case .null, .boolean, .number, .string: return value
    }
  }
}
