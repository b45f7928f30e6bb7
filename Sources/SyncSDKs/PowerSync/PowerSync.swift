import Records
import SQLite
import Tables

extension Layout {
  static let powerSync = Layout(named: "powersync")
}

extension SDK {
  /// PowerSync, whose upload queue holds what changed.
  static let powerSync = SDK(layout: .powerSync) { _ in
    var traits = SDKTraits()
    traits.dialect = .rows
    traits.service = "what the app's own backend takes for PowerSync's upload queue"
    traits.tellsCaseTwinsApart = true
    traits.tellsNameTwinsApart = true
    traits.deletesAcceptMissing = true
    traits.sendsChanges = true
    traits.numbers = .truthValues
    traits.keepsDeletedItems = false
    traits.keepsSeveralOperations = true
    traits.hasTokensOfStore = true
    traits.staysOnDevice = { $0.hasPrefix(PowerSync.localData) }
    traits.details = .entry(changes: "data", kept: ["old", "metadata"])
    return traits
  } recognise: { tables, connection throws(SQLiteError) in
    try PowerSync.recognise(tables, connection)
  }
}

/// The layout of PowerSync: rows as JSON documents behind views, and an upload queue.
package enum PowerSync {
  static let migrations = "ps_migration"
  package static let queue = "ps_crud"
  static let downloads = "ps_oplog"
  static let buckets = "ps_buckets"
  static let untyped = "ps_untyped"
  static let facts = "ps_kv"
  static let written = "ps_updated_rows"
  static let syncState = "ps_sync_state"
  static let subscriptions = "ps_stream_subscriptions"
  static let data = "ps_data__"
  static let localData = "ps_data_local__"
  /// The bucket of what was written here.
  static let local = "$local"
  static let newest: Int64 = 14

  /// Recognises a store by its bookkeeping; the last migration is its generation.
  static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> SDK.Recognition? {
    let names = { Set(tables.exactly($0)?.columns.map(\.name) ?? []) }
    guard names(migrations) == ["id", "down_migrations"],
      names(queue).isSuperset(of: ["id", "data"]),
      [downloads, buckets, untyped].allSatisfy({ tables.exactly($0) != nil })
    else { return nil }
    let generation = try connection.integer("SELECT ifnull(max(id), 0) FROM \(migrations)")
    var layout = RecognisedTables(
      layout: .powerSync, generation: generation > 0 ? String(generation) : nil,
      evidence: [
        "tables \(migrations), \(queue), \(downloads), \(buckets) and \(untyped)",
        "the last migration is \(generation)",
      ],
      columns: ColumnRules(
        goesByContent: true, time: StoredTime(unit: .milliseconds, spelling: .lenient)),
      tables: PowerSyncTables(), queue: PowerSyncQueue())
    let traits = [
      TraitCheck(
        names(syncState).isEmpty == false, expected: generation >= 7, "table \(syncState)",
        "no table \(syncState)"),
      TraitCheck(
        keepsSuperseded(tables), expected: generation < 5,
        "\(downloads) has superseded", "\(downloads) lacks superseded"),
      TraitCheck(
        keepsGateInBuckets(tables), expected: generation < 14, "\(buckets) has target_op",
        "\(buckets) lacks target_op"),
      TraitCheck(
        countsMicroseconds(tables), expected: generation >= 13, "times of \(syncState) are numbers",
        "no times of \(syncState) that are numbers"),
      TraitCheck(
        names(subscriptions).isEmpty == false, expected: generation >= 11, "table \(subscriptions)",
        "no table \(subscriptions)"),
    ]
    layout.evidence += traits.evidence(for: String(generation))
    if generation > newest {
      layout.findings.append(
        Finding(
          "schema-newer-than-known", .warning,
          message: "the last migration is \(generation), and \(newest) is the last that is known"))
    }
    return .tables(layout)
  }

  // Where the number of the last migration says otherwise, what is there decides.

  /// Whether the downloads keep removals and what was superseded.
  static func keepsSuperseded(_ tables: SystemTables) -> Bool {
    tables.has(downloads, ["superseded"])
  }

  /// Whether what must be confirmed before downloads are applied stands beside the buckets.
  static func keepsGateInBuckets(_ tables: SystemTables) -> Bool {
    tables.has(buckets, ["target_op"])
  }

  /// Whether the times of downloads are numbers of microseconds.
  static func countsMicroseconds(_ tables: SystemTables) -> Bool {
    tables.declaredType(of: "last_synced_at", in: syncState) == "integer"
  }

  /// Whether a table is the SDK's own, or a trace of it; those with rows are none of these.
  static func isBookkeeping(_ name: String) -> Bool {
    ["ps_", "powersync_", "__ps_temp_"].contains { name.hasPrefix($0) }
      || name == "android_metadata"
  }
}
