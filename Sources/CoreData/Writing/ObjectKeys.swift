import Bytes
package import Records
import SQLite

/// Which keys the rows of each table get, so that no two objects of a tree have the same.
///
/// Core Data numbers the objects of a whole tree of entities, while plain files and merged stores
/// number the rows of each table.
struct ObjectKeys {
  /// What numbers mean that are keys of the app's tables, by what the sources call them.
  private var reaches: [String: KeyReach] = [:]
  /// What the sources call the tables of each root, and of each entity.
  private var tablesByRoot: [Int64: [String]] = [:]
  private var tablesByEntity: [Int64: String] = [:]
  /// The tables that the app does not know.
  private(set) var strangers: [String] = []
  /// The roots in whose tables a key alone does not tell the row.
  private var ambiguousRoots: Set<Int64> = []
  /// What numbers mean beside the name of a table or an entity of each root.
  private var namedReaches: [Int64: [(name: [UInt8], reach: KeyReach)]] = [:]

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
      for member in members { reaches[member.name] = KeyReach(offset: start) }
      guard members.count > 1 else { continue }
      let loaded = members.filter(\.isLoaded) + members.filter { !$0.isLoaded }
      try separate(loaded, ofRoot: root, from: start, interruption)
    }
    nameReaches(template.storage)
  }

  /// Notes what references may call the tables of each root, also those that no source has.
  private mutating func nameReaches(_ storage: ObjectStorage) {
    for root in Set(storage.tables.compactMap(\.root)) {
      var known: [String: KeyReach] = [:]
      for name in strangers { known[name] = .strange }
      let tables = tablesByRoot[root] ?? []
      let members = tables.isEmpty ? [] : storage.tables.filter { $0.root == root }
      let entities = Set(members.compactMap(\.entity))
      for (name, number) in storage.entities where entities.contains(number) {
        known[name] = tablesByEntity[number].flatMap { reaches[$0] } ?? .strange
      }
      for name in tables { known[name] = reaches[name] }
      namedReaches[root] = known.map { (Array($0.key.utf8), $0.value) }
    }
  }

  /// Moves the tables of which rows have keys of rows before them behind all that stay.
  private mutating func separate(
    _ members: [Member], ofRoot root: Int64, from start: Int64, _ interruption: Interruption
  ) throws(StoreError) {
    var known: KeySet = []
    var kept: [(name: String, keys: KeySet)] = []
    var moved: [(name: String, keys: ClosedRange<Int64>)] = []
    var largest: Int64 = 0
    for member in members {
      let (keys, range) = try member.keys(interruption)
      if let keys, keys.isDisjoint(with: known) {
        known.formUnion(keys)
        kept.append((member.name, keys))
        largest = max(largest, range?.upperBound ?? 0)
      } else if let range {
        moved.append((member.name, range))
      }
    }
    let last = moved.isEmpty ? Int64.max : largest
    for (name, keys) in kept {
      reaches[name]?.keys = .these(keys, among: known, upTo: last)
    }
    guard !moved.isEmpty else { return }
    ambiguousRoots.insert(root)
    var end = Self.sum(start, largest)
    for (name, keys) in moved {
      let (room, isTooLarge) = Int64(1).subtractingReportingOverflow(min(keys.lowerBound, 1))
      let offset = isTooLarge ? .max : Self.sum(end, room)
      reaches[name] = KeyReach(offset: offset, keys: .between(keys))
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
  func offset(ofTable name: String) -> Int64? { reaches[name]?.offset }

  /// What the keys mean that a column holds; the one at `entityPlace` names the table of each.
  func shift(
    ofReferenceAt place: Int, of source: Table, to link: ColumnStorage.Link,
    otherwise start: Int64, entityAt entityPlace: Int?
  ) -> KeyShift {
    var shift = KeyShift(
      reach: KeyReach(offset: ambiguousRoots.contains(link.root) ? nil : start))
    if let entity = link.entity {
      if let table = tablesByEntity[entity] {
        shift.reach = reaches[table] ?? shift.reach
      } else if tablesByRoot[link.root] != nil {
        // All rows with such keys are of other entities.
        shift.reach = .strange
      }
    }
    if let target = source.columns[place].target {
      if let reach = reaches[target] { shift.reach = reach }
      if strangers.contains(target) { shift.reach = .strange }
    } else if let entityPlace {
      shift.entityPlace = entityPlace
      shift.named = namedReaches[link.root] ?? []
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

/// What numbers mean that are keys of the rows of one table.
struct KeyReach: Sendable {
  /// What is added to them; nil where a key does not tell the row.
  var offset: Int64?
  var keys = Keys.any
  /// Whether there are no such rows in the app.
  private(set) var isStrange = false

  /// That there are no such rows in the app.
  static let strange: KeyReach = {
    var reach = KeyReach()
    reach.isStrange = true
    return reach
  }()

  /// Which keys the rows of a table have, so that none is taken for that of a row of another table.
  enum Keys: Sendable {
    /// No other table shares them.
    case any
    case between(ClosedRange<Int64>)
    /// All rows of the tree have some, and none above the last leads to this table.
    case these(KeySet, among: KeySet, upTo: Int64)

    /// Whether a row of the table has the key, or no row at all.
    func leadsToNoOther(_ key: Int64) -> Bool {
      switch self {
      case .any: true
      case .between(let range): range.contains(key)
      case .these(let own, let all, let last):
        own.contains(key) || key <= last && !all.contains(key)
      }
    }
  }

  /// Whether any of the numbers may lead to no row of the app's.
  var mayBeStrange: Bool { if case .any = keys { isStrange } else { true } }

  func meaning(of key: Int64) -> KeyShift.Meaning {
    guard !isStrange, keys.leadsToNoOther(key) else { return .nothing }
    guard let offset else { return .unknown }
    let (sum, isTooLarge) = key.addingReportingOverflow(offset)
    return isTooLarge ? .unknown : .key(sum)
  }
}

/// What the keys mean that a column of references holds.
struct KeyShift: Sendable {
  /// Where nothing else is said.
  var reach: KeyReach
  /// The place of the column with the name of the table to which each row's reference leads.
  var entityPlace: Int?
  /// What they mean beside these names.
  var named: [(name: [UInt8], reach: KeyReach)] = []

  /// What the key that a row has means.
  enum Meaning {
    /// This key in the app.
    case key(Int64)
    /// A row that the app does not have.
    case nothing
    /// One of several rows.
    case unknown
  }

  /// Whether some reference may lead to a row that the app does not have.
  var mayLeadToStrangers: Bool {
    reach.mayBeStrange || named.contains { $0.reach.mayBeStrange }
  }

  /// What the key that a row has means.
  func meaning(
    of key: Int64, in row: ArraySlice<Cell>, _ arena: Span<UInt8>
  ) -> Meaning {
    guard let entityPlace else { return reach.meaning(of: key) }
    let cell = row[row.startIndex + entityPlace]
    guard cell.kind == .text else { return reach.meaning(of: key) }
    let name = arena.extracting(cell.range)
    for place in named.indices {
      let known = named[place].name
      if name.isEqual(to: known.span) { return named[place].reach.meaning(of: key) }
    }
    return reach.meaning(of: key)
  }
}
