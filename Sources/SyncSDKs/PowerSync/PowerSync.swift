import Records
package import SQLite
package import Tables

/// The layout of PowerSync: rows as JSON documents behind views, and an upload queue.
package enum PowerSync {
  static let migrations = "ps_migration"
  package static let queue = "ps_crud"
  static let downloads = "ps_oplog"
  static let buckets = "ps_buckets"
  static let untyped = "ps_untyped"
  package static let facts = "ps_kv"
  package static let written = "ps_updated_rows"
  static let syncState = "ps_sync_state"
  static let subscriptions = "ps_stream_subscriptions"
  package static let data = "ps_data__"
  static let localData = "ps_data_local__"
  /// The bucket of what was written here.
  static let local = "$local"
  /// The newest generation that is known.
  package static let newest: Int64 = 14

  /// Recognises a store by its bookkeeping; the last migration is its generation.
  package static func recognise(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> PlainLayout? {
    let names = { Set(tables.exactly($0)?.columns.map(\.name) ?? []) }
    guard names(migrations) == ["id", "down_migrations"],
      names(queue).isSuperset(of: ["id", "data"]),
      [downloads, buckets, untyped].allSatisfy({ tables.exactly($0) != nil })
    else { return nil }
    let generation = try connection.integer("SELECT ifnull(max(id), 0) FROM \(migrations)")
    var layout = PlainLayout(
      layout: .powerSync, generation: generation > 0 ? String(generation) : nil,
      evidence: [
        "tables \(migrations), \(queue), \(downloads), \(buckets) and \(untyped)",
        "the last migration is \(generation)",
      ],
      columns: ColumnRules(
        goesByContent: true, time: StoredTime(unit: .milliseconds, spelling: .lenient)),
      tables: PowerSyncTables(), queue: PowerSyncQueue(generation: generation))
    let traits = [
      TraitCheck(
        names(syncState).isEmpty == false, expected: generation >= 7, "table \(syncState)",
        "no table \(syncState)"),
      TraitCheck(
        names(downloads).contains("superseded"), expected: generation < 5,
        "\(downloads) has superseded", "\(downloads) lacks superseded"),
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
    return layout
  }

  /// Whether a table is the SDK's own, or a trace of it; those with rows are none of these.
  static func isBookkeeping(_ name: String) -> Bool {
    ["ps_", "powersync_", "__ps_temp_"].contains { name.hasPrefix($0) }
      || name == "android_metadata"
  }
}
