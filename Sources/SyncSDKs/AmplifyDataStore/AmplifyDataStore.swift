import Bytes
import Records
import SQLite
import Tables

extension Layout {
  static let amplifyDataStore = Layout(named: "amplify-datastore")
}

extension SDK {
  /// Amplify DataStore, whose payloads stand beside the rows.
  static let amplifyDataStore = SDK(layout: .amplifyDataStore) { generation in
    var traits = SDKTraits()
    traits.dialect = .rows
    traits.service = "the GraphQL of AWS AppSync"
    traits.style = SDKStyle(
      reservedPrefixes: generation == "js" ? ["_lastChangedAt"] : [], sendsRows: true)
    traits.tellsCaseTwinsApart = true
    traits.tellsNameTwinsApart = true
    // On iOS every payload is the whole item, in which what is absent is empty.
    traits.sendsParts = generation?.hasPrefix("ios") == false
    traits.hasUpdatesOfChanges = generation == "js"
    // What is called version without a mark is the app's own.
    traits.systemPrefixes = generation == "js" ? ["_"] : []
    traits.hasNumbersAsVersions = true
    traits.keepsSeveralOperations = true
    traits.hasPayloadsBesideRows = true
    traits.numbers = .truthValues
    traits.hasTokensOfPulls = true
    traits.caseTwins = .note
    return traits
  } recognise: { tables, connection throws(SQLiteError) in
    try AmplifyDataStore.recognise(tables, connection)
  }
}

/// The layouts of Amplify DataStore, three that share nothing but ideas.
enum AmplifyDataStore {
  /// Which of the SDKs has made a store.
  enum Variant: String {
    case ios
    case android
    case js

    /// The tables that tell it, and what each has at least.
    var signs: [(table: String, columns: [String])] {
      switch self {
      case .ios:
        [
          (
            AmplifyNames.events,
            [
              "id", "createdAt", "inProcess", "json", "modelId", "modelName", "mutationType",
              "version",
            ]
          ),
          (AmplifyNames.iosMetadata, ["id", "deleted", "lastChangedAt", "version"]),
          (AmplifyNames.iosTokens, ["id", "lastSync"]),
        ]
      case .android:
        [
          (
            AmplifyNames.records,
            ["id", "containedModelId", "containedModelClassName", "serializedMutationData"]
          ),
          (AmplifyNames.androidTokens, ["id", "modelClassName", "lastSyncTime"]),
          (AmplifyNames.androidVersions, ["id", "version"]),
          (AmplifyNames.metadata, ["id", "_deleted", "_lastChangedAt", "_version"]),
        ]
      case .js:
        [
          (AmplifyNames.events, ["id", "model", "data", "modelId", "operation", "condition"]),
          (
            AmplifyNames.metadata,
            ["id", "namespace", "model", "lastSync", "lastFullSync", "fullSyncInterval"]
          ),
          (AmplifyNames.settings, ["id", "key", "value"]),
        ]
      }
    }

    /// The tables that are the SDK's or its platform's; an app may own one that has the name of another
    /// variant's.
    var systemTables: Set<String> {
      let more: [String] =
        switch self {
        case .ios: [AmplifyNames.iosMetadata + "Copy"]
        case .android: [AmplifyNames.metadata + "Copy", AmplifyNames.flags, "android_metadata"]
        case .js: []
        }
      return Set((signs.map(\.table) + more).map(asciiLowercased))
    }
  }

  /// Recognises a store by all tables of a variant, spelled as the SDK does.
  static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> SDK.Recognition? {
    for variant in [Variant.ios, .android, .js] {
      guard variant.signs.allSatisfy({ tables.hasExactly($0.table, $0.columns) }) else { continue }
      let system = variant.systemTables
      let models = tables.all.filter { !system.contains(asciiLowercased($0.name)) }
      let metadata = try AmplifyMetadata(variant, models: models, connection)
      let generation = try AmplifyGeneration(variant, tables, metadata, connection)
      return .tables(
        RecognisedTables(
          layout: .amplifyDataStore, generation: generation.name,
          evidence: [
            "tables \(variant.signs.map(\.table).joined(separator: ", ")) with the columns of "
              + "Amplify DataStore for \(variant.words)"
          ] + generation.evidence,
          systemTables: system, columns: columns(of: variant, metadata),
          queue: AmplifyQueue(variant: variant, metadata: metadata)))
    }
    return nil
  }

  private static func columns(
    of variant: Variant, _ metadata: AmplifyMetadata
  ) -> ColumnRules {
    let time = StoredTime(spelling: .iso)
    var rules = ColumnRules(declared: ["": .text], time: time)
    rules.perhaps = SystemColumn.all(time: time).filter { $0.form.type == .timestamp }
    rules.identity = .primaryKey(unless: AmplifyNames.compositeKey)
    rules.versions = metadata.versions
    guard variant == .js else { return rules }
    // A list keeps the declared type of its elements, so a whole column may be text.
    rules.goesByContent = true
    rules.system = SystemColumn.all(time: time, version: ColumnForm(.text, .versionNumber))
      .filter { $0.role == .version || $0.role == .deleted }
    rules.prefixes = ["_"]
    rules.marks = ["id", "_version", "_lastchangedat", "_deleted"]
    return rules
  }
}

extension AmplifyDataStore.Variant {
  /// What people call it.
  fileprivate var words: String {
    switch self {
    case .ios: "iOS and macOS"
    case .android: "Android"
    case .js: "React Native"
    }
  }
}

/// The names that the SDKs spell.
enum AmplifyNames {
  static let events = "MutationEvent"
  static let iosMetadata = "MutationSyncMetadata"
  static let iosTokens = "ModelSyncMetadata"
  static let records = "PersistentRecord"
  static let androidTokens = "LastSyncMetadata"
  static let androidVersions = "PersistentModelVersion"
  static let metadata = "ModelMetadata"
  static let flags = "migration_flags"
  static let settings = "Setting"
  static let compositeKey = "@@primaryKey"
  static let serializedModel = "SerializedModel"
}
