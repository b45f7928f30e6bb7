/// What a table of a store is for, as far as its name tells.
enum StoreTableKind: Sendable, Hashable {
  /// `Z_METADATA`, `Z_PRIMARYKEY` and `Z_MODELCACHE`, which are about the store itself.
  case bookkeeping
  /// What changed when; never a source of data.
  case history
  case cloudMirror
  /// An index of places and its shadow tables, which need a module to be read.
  case spatialIndex
  /// The database engine's own.
  case engine
  /// Objects of a root entity, if the model knows it.
  case objects
  /// A many-to-many relationship, if the model knows it.
  case join
  case foreign

  /// Classifies a table by its name, in any case.
  init(table: String) {
    let name = table.uppercased()
    if name.hasPrefix("SQLITE_") {
      self = .engine
    } else if name.hasPrefix("ANSCK") {
      self = .cloudMirror
    } else if Self.historyTables.contains(name) {
      self = .history
    } else if name.hasPrefix("Z_RT_") {
      self = .spatialIndex
    } else if Self.bookkeepingTables.contains(name) {
      self = .bookkeeping
    } else if name.hasPrefix("Z_"), let next = name.utf8.dropFirst(2).first, next &- 48 < 10 {
      self = .join
    } else if name.hasPrefix("Z") {
      self = .objects
    } else {
      self = .foreign
    }
  }

  /// Whether the table belongs to the framework or the engine and holds no data of the app.
  var isSystem: Bool {
    switch self {
    case .bookkeeping, .history, .cloudMirror, .spatialIndex, .engine: true
    case .objects, .join, .foreign: false
    }
  }

  private static let bookkeepingTables: Set<String> = [
    "Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE",
  ]
  private static let historyTables: Set<String> = [
    "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
  ]
}
