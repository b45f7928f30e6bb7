import Foundation
import TestSupport

/// A keyed archive in the making: a table of objects that refer to each other.
struct ArchiveFixture {
  private var objects: [Any] = ["$null"]
  private var classes: [String: Int] = [:]

  /// A reference to an object.
  typealias Reference = [String: Int]

  static let null: Reference = ["$uid": 0]

  /// Adds a plain value or a finished object.
  mutating func add(_ object: Any) -> Reference {
    objects.append(object)
    return ["$uid": objects.count - 1]
  }

  /// Adds an object of a class.
  mutating func add(_ className: String, _ fields: [String: Any]) -> Reference {
    add(instance(className, fields))
  }

  /// Adds an object that is filled in later.
  mutating func reserve() -> Reference { add("") }

  mutating func fill(_ reference: Reference, _ className: String, _ fields: [String: Any]) {
    let object = instance(className, fields)
    objects[reference["$uid"] ?? 0] = object
  }

  private mutating func instance(_ className: String, _ fields: [String: Any]) -> [String: Any] {
    let index: Int
    if let known = classes[className] {
      index = known
    } else {
      objects.append(["$classname": className, "$classes": [className, "NSObject"]])
      index = objects.count - 1
      classes[className] = index
    }
    return fields.merging(["$class": ["$uid": index]]) { first, _ in first }
  }

  mutating func dictionary(_ entries: [(String, Reference)]) -> Reference {
    let keys = entries.map { add($0.0) }
    return add("NSDictionary", ["NS.keys": keys, "NS.objects": entries.map(\.1)])
  }

  mutating func array(_ elements: [Reference]) -> Reference {
    add("NSArray", ["NS.objects": elements])
  }

  /// An entity with properties, each under its name.
  mutating func entity(
    _ name: String, _ properties: [(String, Reference)] = [], _ fields: [String: Any] = [:]
  ) -> Reference {
    let text = add(name)
    let listed = dictionary(properties)
    return add(
      "NSEntityDescription",
      ["NSEntityName": text, "NSProperties": listed].merging(fields) { $1 })
  }

  mutating func attribute(
    _ name: String, _ type: Int, _ fields: [String: Any] = [:],
    class className: String = "NSAttributeDescription"
  ) -> Reference {
    let text = add(name)
    return add(
      className, ["NSPropertyName": text, "NSAttributeType": type].merging(fields) { $1 })
  }

  /// The archive as a binary property list whose root is a model with these entities.
  mutating func model(_ entities: [(String, Reference)]) throws -> [UInt8] {
    let listed = dictionary(entities)
    let root = add("NSManagedObjectModel", ["NSEntities": listed])
    return try bytes(root: root)
  }

  /// The archive as a binary property list.
  func bytes(root: Reference) throws -> [UInt8] {
    let json = try JSONSerialization.data(withJSONObject: ["objects": objects, "root": root])
    return [UInt8](try Python.run(Self.script, input: json))
  }

  private static let script = """
    import json, plistlib, sys
    def turn(x):
        if isinstance(x, list): return [turn(y) for y in x]
        if isinstance(x, dict):
            if "$uid" in x: return plistlib.UID(x["$uid"])
            if "$data" in x: return bytes(x["$data"])
            return {k: turn(v) for k, v in x.items()}
        return x
    given = json.load(sys.stdin)
    plist = {"$archiver": "NSKeyedArchiver", "$version": 100000,
             "$top": {"root": turn(given["root"])}, "$objects": turn(given["objects"])}
    sys.stdout.buffer.write(plistlib.dumps(plist, fmt=plistlib.FMT_BINARY, sort_keys=False))
    """
}
