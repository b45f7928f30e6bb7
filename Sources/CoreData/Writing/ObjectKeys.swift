import Bytes
package import Records
import SQLite

/// Which keys the rows of each table get, so that no two objects of a tree have the same.
///
/// Core Data numbers the objects of a whole tree of entities, while plain files and merged stores
/// number the rows of each table.
struct ObjectKeys {
  /// How the keys of the app's tables are moved, by what the sources call them.
  private var moves: [String: KeyShift.Move] = [:]
  /// What the sources call the tables of each root, and of each entity.
  private var tablesByRoot: [Int64: [String]] = [:]
  private var tablesByEntity: [Int64: String] = [:]
  /// The tables that the app does not know.
  private(set) var strangers: [String] = []
  /// The roots in whose tables a key alone does not tell the row.
  private var ambiguousRoots: Set<Int64> = []

  /// Keys that stay as they are, behind those that the app has given out.
  init() {}

  /// Looks at the keys of tables that share a tree, those that are left out among them: nothing may
  /// lead from their rows to others.
  ///
  /// - Throws: `StoreError` when a source cannot be read.
  init(
    of sources: [ObjectSource], in template: ObjectTemplate, _ interruption: Interruption
  ) throws(StoreError) {
    var trees: [Int64: [Member]] = [:]
    for source in sources {
      for (place, table) in source.reader.catalogue.tables.enumerated() {
        guard let storage = template.storage(of: table.withoutSource) else {
          strangers.append(table.name)
          continue
        }
        guard let root = storage.root, let entity = storage.entity else { continue }
        tablesByRoot[root, default: []].append(table.name)
        tablesByEntity[entity] = table.name
        trees[root, default: []].append(
          Member(
            reader: source.reader, place: place, name: table.name,
            isLoaded: source.tables.contains(place)))
      }
    }
    for (root, members) in trees {
      let start = template.keyOffset(ofRoot: root)
      for member in members { moves[member.name] = KeyShift.Move(offset: start) }
      guard members.count > 1 else { continue }
      let loaded = members.filter(\.isLoaded) + members.filter { !$0.isLoaded }
      try separate(loaded, ofRoot: root, from: start, interruption)
    }
  }

  /// Moves the tables of which rows have keys of rows before them behind all that stay.
  private mutating func separate(
    _ members: [Member], ofRoot root: Int64, from start: Int64, _ interruption: Interruption
  ) throws(StoreError) {
    var known: KeySet = []
    var moved: [(name: String, keys: ClosedRange<Int64>)] = []
    var largest: Int64 = 0
    for member in members {
      let (keys, range) = try member.keys(interruption)
      guard let range else { continue }
      if let keys, keys.isDisjoint(with: known) {
        known.formUnion(keys)
        largest = max(largest, range.upperBound)
      } else {
        moved.append((member.name, range))
      }
    }
    guard !moved.isEmpty else { return }
    ambiguousRoots.insert(root)
    var end = Self.sum(start, largest)
    for (name, keys) in moved {
      let (room, isTooLarge) = Int64(1).subtractingReportingOverflow(min(keys.lowerBound, 1))
      let offset = isTooLarge ? .max : Self.sum(end, room)
      moves[name] = KeyShift.Move(offset: offset, floor: Self.sum(offset, keys.lowerBound))
      end = Self.sum(offset, max(keys.upperBound, 0))
    }
  }

  /// A sum, or the largest number there is: then no key is left behind it, and rows whose keys are
  /// above zero are refused.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }

  /// What is added to the keys of a table's rows; nil where nothing is known of it.
  func offset(ofTable name: String) -> Int64? { moves[name]?.offset }

  /// How the keys that a column holds are moved; the one at `entityPlace` names the table of each.
  func shift(
    ofReferenceAt place: Int, of source: Table, to link: ColumnStorage.Link,
    otherwise start: Int64, entityAt entityPlace: Int?
  ) -> KeyShift {
    let isAmbiguous = ambiguousRoots.contains(link.root)
    let usual = KeyShift.Move(offset: start)
    var shift = KeyShift(move: isAmbiguous ? KeyShift.Move() : usual)
    if let table = link.entity.flatMap({ tablesByEntity[$0] }) {
      shift.move = moves[table] ?? usual
    }
    if let target = source.columns[place].target {
      if let move = moves[target] { shift.move = move }
      if strangers.contains(target) {
        shift.move = KeyShift.Move()
        shift.leadsToStrangers = true
      }
    } else if isAmbiguous || !strangers.isEmpty, let entityPlace {
      shift.entityPlace = entityPlace
      for table in tablesByRoot[link.root] ?? [] { shift.moves[table] = moves[table] ?? usual }
      for table in strangers { shift.moves[table] = KeyShift.Move() }
    }
    return shift
  }

  /// A table with rows of a tree.
  private struct Member {
    let reader: any StoreReader
    let place: Int
    let name: String
    let isLoaded: Bool

    /// Enough for 800,000 keys however far they lie apart, and for a hundred millions in a row.
    private static let mostMemory = 8 << 20

    /// The keys of its rows, or nil where they take much memory: moved they are right, too.
    func keys(
      _ interruption: Interruption
    ) throws(StoreError) -> (all: KeySet?, range: ClosedRange<Int64>?) {
      var all: KeySet? = []
      var range: ClosedRange<Int64>?
      try reader.forEachBatch(inTable: place, wanting: []) { (batch) throws(StoreError) in
        if interruption.isRaised { throw StoreError.interrupted }
        for key in batch.keys {
          all?.insert(key)
          range = min(range?.lowerBound ?? key, key)...max(range?.upperBound ?? key, key)
        }
        if let memory = all?.memory, memory > Self.mostMemory { all = nil }
      }
      return (all, range)
    }
  }
}

/// A source of objects, with the places of its tables that are loaded.
package struct ObjectSource {
  let reader: any StoreReader
  let tables: Set<Int>

  /// Some tables of a source.
  package init(_ reader: any StoreReader, tables: Set<Int>) {
    self.reader = reader
    self.tables = tables
  }

  /// The tables that are not loaded.
  var namesOfLeftOut: [ExactText] {
    let all = reader.catalogue.tables
    return all.indices.filter { !tables.contains($0) }.map { ExactText(all[$0].name) }
  }
}

/// How the keys that a column of references holds are moved.
struct KeyShift: Sendable {
  /// How the keys of one table are moved.
  struct Move: Sendable {
    /// What is added; nil where the key does not tell the row, or the app does not know the table.
    var offset: Int64?
    /// The least key that a row gets; nil where the table was not moved behind another.
    var floor: Int64?

    /// The new key for one; nil where there is none.
    func key(_ key: Int64) -> Int64? {
      guard let offset else { return nil }
      let (sum, isTooLarge) = key.addingReportingOverflow(offset)
      // A key that no row had must not become that of a row of another table.
      if key < 0, let floor, sum < floor { return key }
      return isTooLarge ? nil : sum
    }
  }

  /// Where nothing else is said.
  var move: Move
  /// Whether all lead to a table that the app does not know.
  var leadsToStrangers = false
  /// The place of the column with the name of the table to which each row's reference leads.
  var entityPlace: Int?
  /// How those that lead to each of these tables are moved.
  var moves: [String: Move] = [:]

  /// Whether some reference may lead to a table that the app does not know.
  var mayLeadToStrangers: Bool {
    leadsToStrangers || moves.values.contains { $0.offset == nil }
  }

  /// The new key for the one that a row has; nil where there is none.
  func key(_ key: Int64, in row: ArraySlice<Cell>, _ arena: Span<UInt8>) -> Int64? {
    let own = table(in: row, arena).flatMap { moves[$0] }
    return (own ?? move).key(key)
  }

  /// Whether the reference of a row leads to a table that the app does not know.
  func leadsToStranger(in row: ArraySlice<Cell>, _ arena: Span<UInt8>) -> Bool {
    guard let table = table(in: row, arena) else { return leadsToStrangers }
    return moves[table].map { $0.offset == nil } ?? false
  }

  /// The table to which a row's reference leads, where a column names it.
  private func table(in row: ArraySlice<Cell>, _ arena: Span<UInt8>) -> String? {
    guard let entityPlace else { return nil }
    let cell = row[row.startIndex + entityPlace]
    guard cell.kind == .text else { return nil }
    var name: [UInt8] = []
    name.append(arena.extracting(cell.range))
    return String(decoding: name, as: UTF8.self)
  }
}
