import Bytes
import Records
import Tables

extension Layout {
  static let parseLocalDatastore = Layout(named: "parse-local-datastore")
  static let parseCommandCache = Layout(named: "parse-command-cache")
}

extension SDK {
  /// The SDKs of Parse where objects are pinned in the Local Datastore.
  static let parseLocalDatastore = SDK(layout: .parseLocalDatastore) { _ in
    var traits = SDKTraits.ofParse
    // What an object is called on its device is never sent.
    traits.style = SDKStyle(reservedPrefixes: ["_uuid"])
    return traits
  } recognise: { tables, _ in
    guard ParseLocalDatastore.isStore(tables) else { return nil }
    return .own("a Local Datastore of Parse") { database throws(StoreError) in
      try ParseReader(database)
    }
  }

  /// The same SDKs where the Local Datastore is off: commands in files, which are no database.
  static let parseCommandCache = SDK(
    layout: .parseCommandCache,
    traits: { _ in
      var traits = SDKTraits.ofParse
      traits.sendsParts = true
      traits.hasQueueOnly = true
      return traits
    }, recognise: nil)

  /// The code of operations that are commands to the server and change no object.
  static let commandCodeOfParse = "3"
}

extension SDKTraits {
  /// What all SDKs of Parse have in common: objects without versions, and without ids before they
  /// are saved; an id is ten letters of either case, drawn at random.
  fileprivate static var ofParse: SDKTraits {
    var traits = SDKTraits()
    traits.dialect = .parse
    traits.tellsCaseTwinsApart = true
    traits.tellsNameTwinsApart = true
    traits.keepsDeletedItems = false
    traits.keepsSeveralOperations = true
    traits.hasVersions = false
    traits.hasIDsFromTheStart = false
    traits.hasDeletionMarks = false
    traits.caseTwins = nil
    traits.commandCode = SDK.commandCodeOfParse
    return traits
  }
}

/// The layout of Parse's Local Datastore: objects that are JSON documents in one table.
enum ParseLocalDatastore {
  static let objects = "ParseObjects"
  static let dependencies = "Dependencies"
  static let pin = "_Pin"
  static let eventuallyPin = "_EventuallyPin"
  static let eventuallyName = "_eventuallyPin"

  /// Whether a store has both tables with their columns, spelled as the SDK does.
  static func isStore(_ tables: SystemTables) -> Bool {
    tables.hasExactly(objects, ["uuid", "className", "objectId", "json", "isDeletingEventually"])
      && tables.hasExactly(dependencies, ["key", "uuid"])
  }

  /// Whether a table is the SDK's, whatever the letter case.
  static func isOwnTable(_ name: String) -> Bool {
    [objects, dependencies].contains { asciiLowercased($0) == asciiLowercased(name) }
  }

  /// What of a class would let others in; such keys make no columns and reach no output.
  static func secrets(of className: String) -> Set<String> {
    switch className {
    case "_User": ["sessionToken", "authData", "password"]
    case "_Session": ["sessionToken"]
    case "_Installation": ["installationId"]
    default: []
    }
  }

  /// What to tell of a folder of waiting commands in the folder of the store; nil without one.
  static func finding(on surroundings: Surroundings) -> Finding? {
    let folder = ["Command Cache", "CommandCache"].first { name in
      surroundings.fileNames(Paths.join(Paths.folder(of: surroundings.path), name))
        .contains(where: ParseCommandReader.isPart)
    }
    return folder.map {
      Finding(
        "command-cache-beside", .warning,
        message:
          "commands wait in the folder \($0) beside the store: a second queue, and no part of "
          + "the store's own")
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
