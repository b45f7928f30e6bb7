import Bytes
import Exports
import Records

/// A source whose references name rows by their ids, as items of the toolkit name each other, and
/// not by keys, which only this tool knows.
///
/// References to rows of tables without ids stay what they are.
final class ReferencesByID: ReaderView {
  /// A column of references.
  fileprivate struct Link {
    let column: Int
    /// The place of the column that tells the table of each; nil where it is always the same.
    let entityPlace: Int?
    /// Where they may lead, by the names of tables.
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
    for reader in readers {
      var links: [Int: [Link]] = [:]
      for (place, table) in reader.catalogue.tables.enumerated() {
        for column in table.columns.indices where table.columns[column].type == .reference {
          guard let link = try targets.link(from: column, of: table, in: reader) else { continue }
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
  private var known: [ExactText: (number: Int, type: LogicalType)?] = [:]

  init(readers: [any StoreReader], session: Session) {
    self.readers = readers
    self.session = session
  }

  /// Where a column leads; nil where no row there has an id.
  mutating func link(
    from place: Int, of table: Table, in reader: any StoreReader
  ) throws(StoreError) -> ReferencesByID.Link? {
    let entityPlace = table.entityPlace(ofReferenceAt: place)
    let names =
      table.columns[place].target.map { [$0] }
      ?? (entityPlace == nil ? [] : reader.catalogue.tables.map(\.name))
    var targets: [ExactText: Int] = [:]
    var types: Set<LogicalType> = []
    for name in names {
      guard let found = try target(called: name, from: reader) else { continue }
      targets[ExactText(name)] = found.number
      types.insert(found.type)
    }
    guard let type = types.first else { return nil }
    return ReferencesByID.Link(
      column: place, entityPlace: entityPlace, targets: targets,
      type: types.count == 1 && type != .binary ? type : .text)
  }

  /// A table of the source itself, or else of another one.
  private mutating func target(
    called name: String, from reader: any StoreReader
  ) throws(StoreError) -> (number: Int, type: LogicalType)? {
    if let target = known[ExactText(name)] { return target }
    var found: (number: Int, type: LogicalType)?
    for other in [reader] + readers {
      guard let place = other.catalogue.placesOfTargets[ExactText(name)] else { continue }
      let table = other.catalogue.tables[place]
      guard let id = table.index(of: .id) else { break }
      if items == nil {
        items = try ReferencedKeys(
          temporaryFolder: session.temporaryFolder, session.interruption)
      }
      guard let number = try items?.add(other, table: place, column: id) else { break }
      found = (number, table.columns[id].type)
      break
    }
    known[ExactText(name)] = .some(found)
    return found
  }
}
