import Bytes
import Exports
import Records

/// A source whose references name rows by their ids, as items of the toolkit name each other, and
/// not by keys, which only this tool knows.
///
/// References to rows of tables without ids stay what they are. One that would lead to a row of
/// another store is none: keys mean rows of their own store only.
final class ReferencesByID: ReaderView {
  /// A column of references.
  fileprivate struct Link {
    let column: Int
    /// The place of the column that tells the table of each; nil where it is always the same.
    let entityPlace: Int?
    /// Where they may lead, by the names of tables; empty where that is a table of another store.
    let targets: [ExactText: Int]
    /// The type of the ids.
    let type: LogicalType
  }

  let base: any StoreReader
  let catalogue: Catalogue
  private let links: [Int: [Link]]
  private let items: ReferencedKeys

  private init(_ base: any StoreReader, _ links: [Int: [Link]], _ items: ReferencedKeys) {
    self.base = base
    self.links = links
    self.items = items
    var catalogue = base.catalogue
    for (table, links) in links {
      for link in links { catalogue.tables[table].columns[link.column].type = link.type }
    }
    self.catalogue = catalogue
  }

  /// Sources whose references may lead from one to another.
  ///
  /// - Throws: `StoreError` when the rows to which they lead cannot be read.
  static func readers(
    _ readers: [any StoreReader], _ session: Session
  ) throws(StoreError) -> [any StoreReader] {
    var targets = Targets(readers: readers, session: session)
    var all: [any StoreReader] = []
    for (number, reader) in readers.enumerated() {
      var links: [Int: [Link]] = [:]
      for (place, table) in reader.catalogue.tables.enumerated() {
        for column in table.columns.indices where table.columns[column].type == .reference {
          guard let link = try targets.link(from: column, ofTable: place, in: number) else {
            continue
          }
          links[place, default: []].append(link)
        }
      }
      guard !links.isEmpty, let items = targets.items else {
        all.append(reader)
        continue
      }
      all.append(ReferencesByID(reader, links, items))
    }
    return all
  }

  func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    guard let links = links[table] else { return try base.rows(ofTable: table, wanting: cells) }
    return .batches { (body) throws(StoreError) in
      try self.base.forEachBatch(inTable: table) { (batch) throws(StoreError) in
        var rejects: [CellReject] = []
        for link in links { try self.resolve(link, in: &batch, &rejects) }
        batch.addRejects(rejects)
        try body(&batch)
      }
    }
  }

  private func resolve(
    _ link: Link, in batch: inout RecordBatch, _ rejects: inout [CellReject]
  ) throws(StoreError) {
    for row in 0..<batch.rowCount {
      let cell = batch.cells[row * batch.columnCount + link.column]
      guard cell.kind == .integer else { continue }
      guard let target = link.target(ofRow: row, in: batch),
        let id = try items.id(of: cell.integer, inTable: target)
      else {
        rejects.append(
          CellReject(
            row: row, column: link.column, code: .danglingReference, raw: .integer(cell.integer)))
        continue
      }
      if link.type == .integer, let number = parseDecimal(id.span) {
        batch.set(.integer(number), row: row, column: link.column)
      } else if link.type == .real, let number = parseReal(id.span) {
        batch.set(.real(number), row: row, column: link.column)
      } else {
        batch.set(text: id.span, row: row, column: link.column)
      }
    }
  }

  func prepareQueue() throws(StoreError) { try base.prepareQueue() }

  func readMatchedQueue() throws(StoreError) -> MatchedQueue { try base.readMatchedQueue() }
}

extension ReferencesByID.Link {
  /// The number of the table to which the reference of a row leads.
  fileprivate func target(ofRow row: Int, in batch: borrowing RecordBatch) -> Int? {
    guard let entityPlace else { return targets.values.first }
    let cell = batch.cells[row * batch.columnCount + entityPlace]
    return targets[ExactText(String(decoding: batch.arena[cell.range], as: UTF8.self))]
  }
}

/// The tables to which references may lead, whose ids are read when the first one does.
private struct Targets {
  let readers: [any StoreReader]
  let session: Session
  private(set) var items: ReferencedKeys?
  /// The places of the readers' tables by the names that references have for them.
  private lazy var places = readers.map(\.catalogue.placesOfTargets)
  private var known: [Name: (number: Int, type: LogicalType)?] = [:]

  /// What a reference calls a table of one of the readers.
  private struct Name: Hashable {
    let reader: Int
    let table: ExactText
  }

  init(readers: [any StoreReader], session: Session) {
    self.readers = readers
    self.session = session
  }

  /// Where a column leads; nil where no row there has an id.
  mutating func link(
    from place: Int, ofTable table: Int, in reader: Int
  ) throws(StoreError) -> ReferencesByID.Link? {
    let catalogue = readers[reader].catalogue
    let column = catalogue.tables[table].columns[place]
    let entityPlace = catalogue.tables[table].entityPlace(ofReferenceAt: place)
    let names =
      column.target.map { [$0] } ?? (entityPlace == nil ? [] : catalogue.tables.map(\.name))
    let isTied = readers[reader].hasTied(column: place, ofTable: table)
    var targets: [ExactText: Int] = [:]
    var types: Set<LogicalType> = []
    for name in names {
      guard let owner = owner(ofTable: name, from: reader) else { continue }
      guard isTied || owner == reader || readers[owner].isPart(ofStoreOf: readers[reader]) else {
        _ = try knownItems()
        types.insert(idColumn(ofTable: name, in: owner)?.type ?? column.type)
        continue
      }
      guard let found = try target(called: name, in: owner) else { continue }
      targets[ExactText(name)] = found.number
      types.insert(found.type)
    }
    guard let type = types.first else { return nil }
    return ReferencesByID.Link(
      column: place, entityPlace: entityPlace, targets: targets,
      type: types.count == 1 && type != .binary ? type : .text)
  }

  /// The reader that has a table: the one from which a reference leads, or else another one.
  private mutating func owner(ofTable name: String, from reader: Int) -> Int? {
    let places = places
    let table = ExactText(name)
    return ([reader] + readers.indices).first { places[$0][table] != nil }
  }

  /// Where a table of a reader has the ids of its rows; nil where they have none.
  private mutating func idColumn(
    ofTable name: String, in reader: Int
  ) -> (table: Int, place: Int, type: LogicalType)? {
    guard let place = places[reader][ExactText(name)] else { return nil }
    let table = readers[reader].catalogue.tables[place]
    return table.index(of: .id).map { (place, $0, table.columns[$0].type) }
  }

  /// A table of a reader; nil where its rows have no ids.
  private mutating func target(
    called name: String, in reader: Int
  ) throws(StoreError) -> (number: Int, type: LogicalType)? {
    let key = Name(reader: reader, table: ExactText(name))
    if let target = known[key] { return target }
    var found: (number: Int, type: LogicalType)?
    if let id = idColumn(ofTable: name, in: reader) {
      let number = try knownItems().add(readers[reader], table: id.table, column: id.place)
      found = (number, id.type)
    }
    known[key] = .some(found)
    return found
  }

  /// The ids that are known so far, begun where there are none.
  private mutating func knownItems() throws(StoreError) -> ReferencedKeys {
    if let items { return items }
    let made = try ReferencedKeys(
      temporaryFolder: session.temporaryFolder, session.interruption)
    items = made
    return made
  }
}

extension StoreReader {
  /// Whether `--reference` has tied a column to rows, of whichever reader these are.
  fileprivate func hasTied(column: Int, ofTable table: Int) -> Bool {
    guard let base = referencing?.base.catalogue else { return false }
    return base.tables[table].columns[column].type != .reference
  }

  /// Whether both readers have parts of one store, so that keys mean the same rows.
  fileprivate func isPart(ofStoreOf other: any StoreReader) -> Bool {
    let own = source.hashesOfStores
    return own.allSatisfy { !$0.isEmpty } && !own.isEmpty && own == other.source.hashesOfStores
  }
}

extension SourceDescription {
  /// The hashes of the files of each store from which this one was made.
  fileprivate var hashesOfStores: [[String]] {
    earlier.map { $0.source.files.map(\.sha256).sorted() }
  }
}
