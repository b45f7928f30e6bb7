import Bytes
import Records

/// Looks at the rows of one table, a batch at a time, and keeps only what the rules need.
struct TableSurvey {
  private(set) var facts: TableFacts
  /// The keys of the rows, as far as they are kept.
  private(set) var keys = KeySet()
  private let keptKeys: KeptKeys
  private(set) var references: [ReferenceColumn]
  /// The hashes of the ids that were seen last.
  private var hashes: [UInt64] = []
  private let table: Table
  private let id: Int?
  private let version: Int?
  private let updatedAt: Int?
  /// Where another generation of the SDK keeps versions and times, which count where there is none.
  private let otherVersions: [Int]
  private let otherTimes: [Int]
  private let deleted: Int?
  /// Where the number of a row's source is, in a store of several.
  private let source: Int?
  private let operations: TableOperations
  private let rules: RowRules

  /// A column of references and the keys that it holds, by target.
  struct ReferenceColumn {
    let column: Int
    let target: String?
    let entityColumn: Int?
    var keys: [ExactText: KeySet] = [:]
  }

  /// Whose keys are kept.
  enum KeptKeys {
    case all
    /// Those of rows that operations name by their keys.
    case ofOperations
    case none
  }

  /// Has seen no row yet of a table.
  init(
    of table: Table, operations: TableOperations, rules: RowRules, keeping keptKeys: KeptKeys
  ) {
    self.table = table
    self.keptKeys = keptKeys
    self.operations = operations
    self.rules = rules
    source = table.sourcePlace
    facts = TableFacts(name: table.name, sources: source == nil ? [0] : [])
    id = table.index(of: .id)
    version = table.index(of: .version)
    updatedAt = table.index(of: .updatedAt)
    otherVersions = table.fallbacks(of: .version, prefixes: rules.systemPrefixes)
    otherTimes = table.fallbacks(of: .updatedAt, prefixes: rules.systemPrefixes)
    deleted = table.index(of: .deleted)
    references = table.columns.indices.compactMap { column in
      guard table.columns[column].role == .reference else { return nil }
      return ReferenceColumn(
        column: column, target: table.columns[column].target,
        entityColumn: table.entityPlace(ofReferenceAt: column))
    }
  }

  /// How many more ids that several rows share may be listed.
  var roomForSharedIDs: Int { TableFacts.listLimit - facts.sharedIDs.count }

  /// Takes ids that several rows share, all rows of each.
  mutating func take(_ shared: SharedIDs) {
    facts.sharedIDs += shared.listed
    facts.unlistedIDs.add(shared.unlisted)
  }

  var columns: Set<Int> {
    let roles = [id, version, updatedAt, deleted, source].compactMap(\.self)
    let others = otherVersions + otherTimes
    return Set(roles + others + references.flatMap { [$0.column, $0.entityColumn ?? $0.column] })
  }

  /// Takes in the rows of a batch; `texts` gets those that are shown.
  mutating func add(_ batch: borrowing RecordBatch, _ look: TableLook, _ texts: inout RowTexts) {
    texts.add(batch, look)
    let (cells, arena) = (batch.cells, batch.arena)
    var newest = 0..<0
    var first = 0
    var named = NamedRowCursor(batch)
    for key in batch.keys {
      if keepsKey(key) { keys.insert(key) }
      let row = cells.span.extracting(first..<first &+ batch.columnCount)
      first &+= batch.columnCount
      let number = addSource(row)
      let hash = addID(row, arena, of: number)
      addVersion(row, arena, key: key, isNamed: named.next(), hash: hash, of: number)
      addTimes(row, arena, &newest, of: number)
      if !references.isEmpty { addReferences(row, arena) }
    }
    facts.rows += batch.rowCount
    facts.noteUpdate(arena.span.extracting(newest))
    for reject in batch.rejects {
      let place = TableFacts.RejectPlace(
        column: table.columns[reject.column].name, code: reject.code)
      facts.rejects[place, default: 0] += 1
    }
    addGaps(batch)
  }

  /// The same of no rows.
  var blank: TableSurvey {
    TableSurvey(of: table, operations: operations, rules: rules, keeping: keptKeys)
  }

  /// Takes in what was seen of the part of the table that comes next.
  mutating func merge(_ next: TableSurvey) {
    facts.add(next.facts)
    keys.formUnion(next.keys)
    for place in references.indices {
      for (target, keys) in next.references[place].keys {
        references[place].keys[target, default: KeySet()].formUnion(keys)
      }
    }
    hashes += next.hashes
  }

  /// Hands the hashes of the ids over.
  mutating func giveHashes(to all: inout RepeatedHashes) throws(FileError) {
    try all.take(&hashes)
  }

  private func keepsKey(_ key: Int64) -> Bool {
    switch keptKeys {
    case .all: true
    case .ofOperations: operations.keys.contains(key)
    case .none: false
    }
  }

  /// Notes which source a row is of.
  private mutating func addSource(_ cells: Span<Cell>) -> Int32 {
    guard let source else { return 0 }
    let number = Int32(clamping: cells[source].integer)
    if !facts.sources.contains(number) { facts.sources.insert(number) }
    return number
  }

  private mutating func addID(
    _ cells: Span<Cell>, _ arena: [UInt8], of source: Int32
  ) -> UInt64? {
    guard let id else { return nil }
    guard let hash = cells[id].idHash(arena) else {
      if !rules.mayLackIDs(source) { facts.missingIDs += 1 }
      return nil
    }
    hashes.append(hash)
    return hash
  }

  private mutating func addVersion(
    _ cells: Span<Cell>, _ arena: [UInt8], key: Int64, isNamed: Bool, hash: UInt64?,
    of source: Int32
  ) {
    guard let version else { return }
    if !cells[version].isEmpty || otherVersions.contains(where: { !cells[$0].isEmpty }) {
      if !rules.areOfBranches(source) { facts.rowsWithVersion += 1 }
      if operations.isWanted(key, isNamed: isNamed) {
        facts.attachedWithVersion.insert(key)
      }
    } else if let id, let hash, !rules.areOfBranches(source),
      !operations.names(hash, spelled: { cells[id].idHash(arena, seed: $0, by: spelledHash) })
    {
      facts.unexplainedRows += 1
      guard facts.unexplainedIDs.count < TableFacts.listLimit else { return }
      facts.unexplainedIDs.append(cells[id].idText(arena))
    }
  }

  /// Notes rows that operations are tied to and that lack a value which would be sent, or their versions.
  private mutating func addGaps(_ batch: borrowing RecordBatch) {
    guard !batch.rejects.isEmpty else { return }
    let (keys, named) = (batch.keys, Set(batch.namedRows))
    for reject in batch.rejects {
      let source = source.map { batch.cell($0, ofRow: reject.row).integer } ?? 0
      let column = table.columns[reject.column]
      let isSent = rules.sends(column, Int32(clamping: source))
      guard isSent || column.role == .version else { continue }
      let key = keys[reject.row]
      guard operations.isWanted(key, isNamed: named.contains(reject.row)) else { continue }
      if isSent {
        facts.attachedWithGaps.insert(key)
      } else {
        facts.attachedWithLostVersion.insert(key)
      }
    }
  }

  private mutating func addTimes(
    _ cells: Span<Cell>, _ arena: [UInt8], _ newest: inout Range<Int>, of source: Int32
  ) {
    if let deleted, cells[deleted].kind == .integer, cells[deleted].integer != 0,
      rules.haveDeletionMarks(source)
    {
      facts.deletedRows += 1
    }
    guard let updatedAt else { return }
    var range = cells[updatedAt].range
    for other in otherTimes where range.isEmpty { range = cells[other].range }
    if isLater(arena.span.extracting(range), than: arena.span.extracting(newest)) { newest = range }
  }

  private mutating func addReferences(_ cells: Span<Cell>, _ arena: [UInt8]) {
    for place in references.indices {
      let cell = cells[references[place].column]
      guard cell.kind == .integer else { continue }
      if let target = references[place].target {
        references[place].keys[ExactText(target), default: KeySet()].insert(cell.integer)
      } else if let column = references[place].entityColumn {
        let entity = arena[cells[column].range]
        guard !entity.isEmpty else { continue }
        references[place].keys[
          ExactText(String(decoding: entity, as: UTF8.self)), default: KeySet()
        ].insert(cell.integer)
      }
    }
  }
}

extension RecordBatch {
  func cell(_ column: Int, ofRow row: Int) -> Cell { cells[row * columnCount + column] }
}

extension Cell {
  /// Whether there is no value, or an empty text.
  fileprivate var isEmpty: Bool { kind == .null || kind == .text && range.isEmpty }

  /// The hash of an id, the same for all letter cases unless another one is wanted; nil where there
  /// is no id.
  func idHash(
    _ arena: [UInt8], seed: UInt64 = foldingSeed,
    by hash: (_ id: Span<UInt8>, _ seed: UInt64) -> UInt64 = foldedHash
  ) -> UInt64? {
    switch kind {
    case .text, .binary:
      return range.isEmpty ? nil : hash(arena.span.extracting(range), seed)
    case .integer:
      let text = Array(String(integer).utf8)
      return hash(text.span, seed)
    case .null, .real:
      return nil
    }
  }

  func idText(_ arena: [UInt8]) -> String {
    kind == .integer ? String(integer) : String(decoding: arena[range], as: UTF8.self)
  }
}
