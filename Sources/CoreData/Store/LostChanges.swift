import Records
import SQLite

/// What the keys that are in use tell of changes that are missing: Core Data keeps the last key that it
/// has given, in the same change as the object that has it.
enum LostChanges {
  /// Tells of last keys below one that is in use: the newest changes of the bookkeeping are missing.
  static func findings(
    of entities: [ResolvedEntity], _ connection: borrowing Connection
  ) -> [Finding] {
    // What keeps no last keys tells nothing, and whoever reads the rows tells of a table that is damaged.
    guard let given = try? lastKeys(connection) else { return [] }
    return entities.compactMap { entity in
      guard entity.parent == nil, let table = entity.table, let last = given[entity.number],
        let highest = try? connection.integer("SELECT ifnull(max(Z_PK), 0) FROM \(quoted(table))"),
        last < highest
      else { return nil }
      return Finding(
        "wal-missing", .warning, table: entity.name,
        message: "the last key given for \(entity.name) is \(last), but \(highest) is in use: "
          + "the -wal file with recent changes seems to be missing")
    }
  }

  private static func lastKeys(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Int64: Int64] {
    var keys: [Int64: Int64] = [:]
    var statement = try connection.prepare("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY")
    while try statement.step() {
      guard statement.storageClass(at: 1) == .integer else { continue }
      keys[statement.integer(at: 0)] = statement.integer(at: 1)
    }
    return keys
  }
}
