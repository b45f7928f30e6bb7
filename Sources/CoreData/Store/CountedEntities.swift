import Bytes
import SQLite
import Tables

/// The rows of tables by entity, each table counted once.
struct CountedEntities {
  private var counted: [ExactText: EntityRows] = [:]
  /// Where rows of entities have content; nil where nobody looked.
  private(set) var occupied: Set<OccupiedColumn>?
  /// The tables that cannot hold objects, in which nobody looked.
  private(set) var unseen: Set<String> = []

  /// Counts all tables of objects and looks for content, where an entity is below another.
  ///
  /// Without a model, content is the only sign of which columns of a shared table are an entity's.
  init(
    of tables: [ActualTable], _ rows: [PrimaryKeyRow], in database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    guard rows.contains(where: { $0.parent != 0 }) else { return }
    let known = Set(rows.lazy.filter { $0.number > 0 && !$0.isSystem }.map(\.number))
    // Of more nobody will make a schema.
    guard known.count <= ModelLimits.standard.entities else { return }
    var occupied: Set<OccupiedColumn> = []
    for table in tables where StoreTableKind(table: table.name) == .objects {
      let census = try EntityCensus(of: table, known: known, seesColumns: true, in: database)
      guard let census else {
        unseen.insert(table.name)
        continue
      }
      counted[ExactText(table.name)] = census.rows
      occupied.formUnion(census.occupied)
    }
    self.occupied = occupied
  }

  /// Nothing is counted yet.
  init() {}

  /// The rows of the tables that several entities share.
  consuming func shared(
    by entities: [ResolvedEntity], _ tables: [ActualTable], in database: borrowing SourceDatabase
  ) throws(SQLiteError) -> [ExactText: EntityRows] {
    var numbers: [ExactText: [Int64]] = [:]
    for entity in entities {
      if let table = entity.table { numbers[ExactText(table), default: []].append(entity.number) }
    }
    var rows: [ExactText: EntityRows] = [:]
    for table in tables {
      let name = ExactText(table.name)
      guard let numbers = numbers[name], numbers.count > 1 else { continue }
      let known = Set(numbers)
      var all = counted[name]
      if all == nil {
        all = try EntityCensus(of: table, known: known, seesColumns: false, in: database)?.rows
      }
      rows[name] = all?.claimed(by: known)
    }
    return rows
  }
}
