import Bytes
import Records
import SQLite

/// The keys that rows of a store have or had, none of which another row gets.
///
/// References keep the number of a row that is gone, so its key must not become that of another item.
struct GivenKeys {
  private let store: LiveStore
  /// The least key above all that were given, of the tables that were asked for.
  private var next: [ExactText: Int64] = [:]
  /// What of it the store itself keeps.
  private var kept: [ExactText: Int64] = [:]
  /// The greatest keys that the bookkeeping names, by table; nil before they were looked for.
  private var named: [ExactText: Int64]?
  /// The rows that were removed, by table.
  private var retired: [ExactText: KeySet] = [:]

  init(in store: LiveStore) { self.store = store }

  /// The key for a new row; nil where the engine has to find one, since the greatest is taken.
  mutating func next(of table: Table) throws(StoreError) -> Int64? {
    let name = ExactText(table.name)
    let key = try free(name)
    guard key < .max else { return nil }
    next[name] = key + 1
    return key
  }

  /// Notes that a row is removed.
  mutating func retire(_ key: Int64, of table: Table) throws(StoreError) {
    let name = ExactText(table.name)
    retired[name, default: []].insert(key)
    let mark = try free(name)
    guard key >= kept[name] ?? .min else { return }
    try store.setFact(CanonicalSchema.nextKey + table.name, to: String(mark))
    kept[name] = mark
  }

  private mutating func free(_ table: ExactText) throws(StoreError) -> Int64 {
    if let known = next[table] { return known }
    let mark = try store.fact(CanonicalSchema.nextKey + table.wrappedValue).flatMap(Int64.init)
    let greatest = try storeErrors(path: store.path) { () throws(SQLiteError) in
      if named == nil { named = try store.connection.greatestNamedKeys() }
      let keys = [
        try store.connection.greatest("_pk", of: table.wrappedValue), named?[table],
        try store.connection.greatestReference(to: table.wrappedValue),
      ]
      return keys.compactMap(\.self).max() ?? 0
    }
    let free = max(mark ?? 1, greatest + 1)
    next[table] = free
    kept[table] = mark
    return free
  }
}

extension GivenKeys {
  /// Takes the keys of removed rows from the operations that would send them, and what no column of
  /// them could take; where a device has kept the row, its operation goes on sending that.
  mutating func forgetRetired() throws(StoreError) {
    guard !retired.isEmpty else { return }
    let retired = retired
    try storeErrors(path: store.path) { () throws(SQLiteError) in
      let devices = CanonicalSchema.deviceItems.name
      let columns = try store.connection.columns(ofTable: devices)
      let sent =
        "SELECT 1 FROM \(devices) WHERE operation = rehome_operation.sequence AND body IS NOT NULL"
      try store.connection.forEachID(
        "SELECT sequence, coalesce(rowTable, \"table\"), rowKey FROM rehome_operation "
          + "WHERE sequence > ?1 AND rowKey IS NOT NULL"
          + (columns.isEmpty ? "" : " AND NOT EXISTS (\(sent))") + " ORDER BY sequence",
        of: retired,
        "UPDATE rehome_operation SET rowKey = NULL, rowTable = NULL WHERE sequence = ?")
      try store.connection.forEachID(
        "SELECT id, \"table\", \"row\" FROM rehome_reject WHERE id > ?1 ORDER BY id", of: retired,
        "DELETE FROM rehome_reject WHERE id = ?")
    }
    self.retired = [:]
  }
}

extension Connection {
  /// Runs a change for each line of the bookkeeping that is about one of some rows; the lines come by
  /// their ids, from behind one that is bound.
  fileprivate func forEachID(
    _ lines: String, of rows: [ExactText: KeySet], _ change: String
  ) throws(SQLiteError) {
    var line = try prepare(lines)
    var statement = try prepare(change)
    var last = Int64.min
    var ids: [Int64] = []
    repeat {
      ids.removeAll(keepingCapacity: true)
      try line.bind(last, at: 1)
      while ids.count < Self.mostIDs, try line.step() {
        last = line.integer(at: 0)
        guard let table = line.text(at: 1), let rows = rows[ExactText(table)],
          rows.contains(line.integer(at: 2))
        else { continue }
        ids.append(last)
      }
      line.reset()
      for id in ids {
        try statement.bind(id, at: 1)
        try statement.run()
      }
    } while ids.count == Self.mostIDs
  }

  /// How many lines are looked for before they are changed.
  private static var mostIDs: Int { 4096 }

  /// The greatest keys of rows that operations and rejects name, by table.
  fileprivate func greatestNamedKeys() throws(SQLiteError) -> [ExactText: Int64] {
    var keys: [ExactText: Int64] = [:]
    var statement = try prepare(
      """
      SELECT name, max(key) FROM (
        SELECT coalesce(rowTable, "table") AS name, rowKey AS key FROM rehome_operation
        UNION ALL SELECT "table", "row" FROM rehome_reject)
      WHERE key < \(Int64.max) GROUP BY name
      """)
    while try statement.step() {
      guard let name = statement.text(at: 0) else { continue }
      keys[ExactText(name)] = statement.integer(at: 1)
    }
    return keys
  }

  /// The greatest key that references to a table hold; the entity of some is known only row by row.
  fileprivate func greatestReference(to table: String) throws(SQLiteError) -> Int64? {
    var columns: [(table: String, name: String)] = []
    var statement = try prepare(
      """
      SELECT "table", name FROM rehome_column
      WHERE role = 'reference' AND (target IS NULL OR target = ?)
      """)
    try statement.bind(table, at: 1)
    while try statement.step() {
      columns.append((statement.text(at: 0) ?? "", statement.text(at: 1) ?? ""))
    }
    var greatest: Int64?
    for column in columns {
      guard let key = try self.greatest(quoted(column.name), of: column.table) else { continue }
      greatest = max(greatest ?? key, key)
    }
    return greatest
  }

  /// The greatest whole number in a column but for the one that has none behind it; nil where there
  /// is none.
  fileprivate func greatest(_ column: String, of table: String) throws(SQLiteError) -> Int64? {
    var statement = try prepare(
      "SELECT max(\(column)) FROM \(quoted(table)) WHERE \(column) < \(Int64.max)")
    guard try statement.step(), statement.storageClass(at: 0) == .integer else { return nil }
    return statement.integer(at: 0)
  }
}
