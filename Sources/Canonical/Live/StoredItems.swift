import Bytes
package import Records
import SQLite

/// The items of a store by their ids, looked up and changed one by one.
///
/// Changes belong to the transaction in which the caller makes them.
package final class StoredItems {
  /// An item as it stands in its table.
  package struct Item: Sendable, Equatable {
    /// The `_pk` of its row.
    package let key: Int64
    /// The values in catalogue order, nil for NULL.
    package var values: [RawValue?]
  }

  private enum Verb {
    case find
    case insert
    case replace
    case remove
  }

  private struct Use: Hashable {
    @ExactText var table: String
    let verb: Verb
  }

  private let store: LiveStore
  private var statements: [Use: KeptStatement] = [:]
  private var keys: GivenKeys

  /// Prepares to change the items of a store.
  package init(in store: LiveStore) {
    self.store = store
    keys = GivenKeys(in: store)
  }

  /// The item with this id; of several the one with the lowest key.
  ///
  /// An id of ASCII is found in another case, too, when all of it is upper or lower case: devices
  /// and servers differ in how they spell UUIDs. Other letters change more than their case, as `ß`
  /// becomes `SS`, so such an id is found only as it is; so are all where it is to be exact.
  package func find(
    _ id: String, in table: Table, exactly: Bool = false
  ) throws(StoreError) -> Item? {
    if let item = try look(id, table) { return item }
    guard !exactly, id.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    for spelling in [id.lowercased(), id.uppercased()] where !hasSameBytes(spelling, id) {
      if let item = try look(spelling, table) { return item }
    }
    return nil
  }

  /// Adds an item under a key that no row of the table has ever had.
  package func insert(_ values: [RawValue?], into table: Table) throws(StoreError) {
    let kept = try statement(for: table, .insert)
    try run(kept, [try keys.next(of: table).map(RawValue.integer)] + values)
  }

  /// Replaces all values of an item.
  package func replace(_ item: Item, in table: Table) throws(StoreError) {
    let kept = try statement(for: table, .replace)
    try run(kept, item.values + [.integer(item.key)])
  }

  /// Removes an item, whose key no other one gets.
  ///
  /// - Throws: `StoreError` when the store cannot be changed.
  package func remove(_ item: Item, from table: Table) throws(StoreError) {
    let kept = try statement(for: table, .remove)
    try keys.retire(item.key, of: table)
    try run(kept, [.integer(item.key)])
  }

  /// Takes the keys of removed items out of the store's queue, and what was kept of their values.
  ///
  /// One pass over these for all items; until then they tell of rows that are gone, as they do for
  /// good where a run is killed.
  package func forgetRemoved() throws(StoreError) { try keys.forgetRetired() }

  /// Forgets what was prepared for a table that has changed.
  package func forget(_ table: Table) {
    statements = statements.filter { !hasSameBytes($0.key.table, table.name) }
  }

  private func look(_ id: String, _ table: Table) throws(StoreError) -> Item? {
    let kept = try statement(for: table, .find)
    return try storeErrors(path: store.path) { () throws(SQLiteError) in
      try kept.statement.bind(id, at: 1)
      defer { kept.statement.reset() }
      guard try kept.statement.step() else { return nil }
      return Item(
        key: kept.statement.integer(at: 0),
        values: kept.statement.values(1..<table.columns.count + 1))
    }
  }

  private func run(_ kept: KeptStatement, _ values: [RawValue?]) throws(StoreError) {
    try storeErrors(path: store.path) { () throws(SQLiteError) in
      for (place, value) in values.enumerated() {
        try kept.statement.bind(stored: value, at: place + 1)
      }
      try kept.statement.run()
    }
  }

  private func statement(for table: Table, _ verb: Verb) throws(StoreError) -> KeptStatement {
    let use = Use(table: table.name, verb: verb)
    if let kept = statements[use] { return kept }
    let kept = try storeErrors(path: store.path) { () throws(SQLiteError) in
      KeptStatement(try store.connection.prepare(Self.sql(verb, table)))
    }
    statements[use] = kept
    return kept
  }

  private static func sql(_ verb: Verb, _ table: Table) -> String {
    let name = quoted(table.name)
    let columns = table.columns.map { quoted($0.name) }
    switch verb {
    case .find:
      let id = table.index(of: .id).map { columns[$0] } ?? "NULL"
      let list = (["_pk"] + columns).joined(separator: ", ")
      return "SELECT \(list) FROM \(name) WHERE \(id) = ? ORDER BY _pk LIMIT 1"
    case .insert:
      let all = ["_pk"] + columns
      let marks = all.map { _ in "?" }.joined(separator: ", ")
      return "INSERT INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(marks))"
    case .replace:
      let settings = columns.map { "\($0) = ?" }.joined(separator: ", ")
      return "UPDATE \(name) SET \(settings) WHERE _pk = ?"
    case .remove:
      return "DELETE FROM \(name) WHERE _pk = ?"
    }
  }
}
