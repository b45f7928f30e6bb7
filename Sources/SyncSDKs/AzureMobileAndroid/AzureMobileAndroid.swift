import Records
import Tables

extension Layout {
  static let azureMobileAndroid = Layout(named: "azure-mobile-android")
}

extension SDK {
  static let azureMobileAndroid = SDK(layout: .azureMobileAndroid) { generation in
    let isOld = generation == AzureMobileAndroid.Generation.d1.rawValue
    var traits = SDKTraits()
    traits.dialect = isOld ? .v1 : .v2
    traits.style = SDKStyle(
      marksWholeReals: true, reservedPrefixes: isOld ? [AzureMobileAndroid.oldPrefix] : [])
    traits.tellsCaseTwinsApart = true
    traits.numbers = .truthValues
    traits.systemPrefixes =
      isOld ? [AzureMobileAndroid.oldPrefix] : ["", AzureMobileAndroid.oldPrefix]
    return traits
  } recognise: { tables, _ in
    AzureMobileAndroid.recognise(tables)
  }
}

/// What the SDK for Android keeps in a store: all its names are in lower case.
enum AzureMobileAndroid {
  static let operations = "__operations"
  static let errors = "__errors"
  static let backups = "__itembackups"
  static let tokens = "__incrementalpulldata"
  /// The prefix of system columns in Mobile Services.
  static let oldPrefix = "__"

  /// The shapes that the SDK gave its stores.
  enum Generation: String {
    /// Mobile Services 1.x and 2.x.
    case d1
    /// The first Mobile Apps 3.0.
    case d2
    /// Later 3.x.
    case d3
  }

  /// Recognises a store by the time at which each session loaded its queue.
  ///
  /// The nearest generation counts; an upgraded file is of the newest that wrote to it.
  static func recognise(_ tables: SystemTables) -> SDK.Recognition? {
    let columns = ["id", "kind", "tablename", "itemid", "__queueloadedat"]
    guard tables.has(operations, columns), tables.has(tokens),
      !tables.has(AzureMobileDotnet.configuration)
    else { return nil }
    let hasItem = tables.has(operations, ["item"])
    let hasNewDate = tables.has(operations, ["createdat"])
    let hasOldDate = tables.has(operations, ["__createdat"])
    let generation: Generation = hasItem ? .d3 : hasNewDate ? .d2 : .d1
    let traits = [
      TraitCheck(
        hasItem, expected: generation == .d3, "operations hold the deleted item",
        "operations do not hold the deleted item"),
      TraitCheck(
        hasNewDate, expected: generation != .d1, "operations have createdat",
        "operations have no createdat"),
      TraitCheck(
        hasOldDate, expected: generation == .d1, "operations have __createdat, of Mobile Services",
        "operations have no __createdat"),
      TraitCheck(
        tables.has(backups), expected: generation != .d3, "table \(backups)", "no table \(backups)"),
    ]
    var layout = RecognisedTables(
      layout: .azureMobileAndroid, generation: generation.rawValue,
      evidence: ["tables \(operations) and \(tokens)", "operations have __queueloadedat"]
        + traits.evidence(for: generation.rawValue),
      // The platform's `android_metadata` is left out with them.
      systemTables: [operations, errors, backups, tokens], columns: Self.columns(of: generation),
      queue: queue(of: generation))
    if hasNewDate, hasOldDate {
      layout.findings = [.twoGenerations("operations have createdat and __createdat")]
    }
    return .tables(layout)
  }

  private static func columns(of generation: Generation) -> ColumnRules {
    let time = StoredTime(spelling: .iso)
    return ColumnRules(
      system: SystemColumn.all(time: time),
      prefixes: SDK.azureMobileAndroid.traits(generation.rawValue).systemPrefixes, time: time)
  }

  /// The queue, whose numbers are stored as reals, or even as text.
  ///
  /// The counter begins anew in every session, so the session comes first. Deleted items of d1 and
  /// d2 have a table of their own.
  private static func queue(of generation: Generation) -> QueueTables {
    QueueTables(
      operations: QueueTables.Operations(
        table: operations, id: "id", kind: "kind", state: "state", tableName: "tablename",
        itemID: "itemid", payload: "item", order: ["__queueloadedat", "sequence"],
        kinds: .numbers([0: .insert, 1: .update, 2: .delete]),
        states: [0: .pending, 1: .attempted, 2: .failed], payloads: .itemOfDeletes,
        versionKeys: generation == .d1 ? VersionKeys.old : VersionKeys.new,
        backups: QueueTables.Backups(
          table: backups, id: "id", tableName: "tablename", itemID: "itemid", item: "clientitem")),
      errors: QueueTables.Errors(
        table: errors, id: "id", operationID: "operationid", tableName: "tablename",
        itemID: "itemid", kind: "operationkind", status: "statuscode", item: "clientitem",
        message: "errormessage", answer: "serverresponse", serverItem: "serveritem"),
      tokens: QueueTables.Tokens(
        table: tokens, key: "id", value: "maxupdateddate", time: .iso
      ) { key, _, names in
        guard let (table, query) = key.map(names.splitKey) else { return QueueTables.Target() }
        return QueueTables.Target(table: names.canonical(table), query: query)
      })
  }
}
