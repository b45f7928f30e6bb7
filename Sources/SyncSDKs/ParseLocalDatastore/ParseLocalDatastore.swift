import Records
import SQLite
package import Tables

/// The layout of Parse's Local Datastore: objects that are JSON documents in one table.
package enum ParseLocalDatastore {
  package static let objects = "ParseObjects"
  static let dependencies = "Dependencies"
  static let pin = "_Pin"
  static let eventuallyPin = "_EventuallyPin"
  static let eventuallyName = "_eventuallyPin"

  /// Whether a store has both tables with their columns, spelled as the SDK does.
  package static func isStore(_ tables: SystemTables) -> Bool {
    tables.hasExactly(objects, ["uuid", "className", "objectId", "json", "isDeletingEventually"])
      && tables.hasExactly(dependencies, ["key", "uuid"])
  }

  /// What of a class would let others in; such keys make no columns and reach no output.
  package static func secrets(of className: String) -> Set<String> {
    switch className {
    case "_User": ["sessionToken", "authData", "password"]
    case "_Session": ["sessionToken"]
    case "_Installation": ["installationId"]
    default: []
    }
  }

  /// Whether a key of a document is none of the app's fields.
  static func isReserved(_ key: String) -> Bool {
    key.hasPrefix("__")
      || ["className", "objectId", "createdAt", "updatedAt", "isDeletingEventually"].contains(key)
  }
}

/// What the documents of a store show about the SDK that wrote last.
struct ParseGeneration {
  private var hasSelectedKeys = false
  private var hasNewFlag = false
  private var hasOldFlag = false

  /// Takes in a document.
  mutating func look(at object: ParseObject) {
    hasSelectedKeys = hasSelectedKeys || object.has("__selectedKeys")
    hasNewFlag = hasNewFlag || object.has("__isDeletingEventually")
    hasOldFlag = hasOldFlag || object.has("isDeletingEventually")
  }

  /// The newest sign counts, because rows are rewritten one by one.
  func name(isAndroid: Bool) -> String {
    guard isAndroid else { return "ios" }
    if hasSelectedKeys { return "android-2" }
    if hasNewFlag { return "android-1" }
    return hasOldFlag ? "android-0" : "android-2"
  }
}
