package import Records

/// A source of which some columns name rows of other tables, and that gives the keys of these.
package final class ReferencingReader: ReaderView {
  /// A column whose values name rows of another table.
  package struct Link {
    /// The column's place.
    package let column: Int
    /// The number of the other table among the known ones.
    let target: Int
    /// The name of the other table.
    package let name: String
    /// Whether a value that names a row stays what it is.
    let keepsValue: Bool

    /// A column of a table, and where it leads.
    package init(column: Int, target: Int, name: String, keepsValue: Bool) {
      self.column = column
      self.target = target
      self.name = name
      self.keepsValue = keepsValue
    }
  }

  /// The source as it is.
  package let base: any StoreReader
  package let catalogue: Catalogue
  private let links: [Int: [Link]]
  private let keys: ReferencedKeys
  /// How many values of each link of a table name several rows, as the last pass has shown.
  private var shared: [Int: [Int]] = [:]
  /// The batch that was lent last, as the source has it.
  package private(set) var unresolved = RecordBatch(columnCount: 0)

  /// Gives the rows of a source; `links` are those of its tables, by their places.
  package init(_ base: any StoreReader, links: [Int: [Link]], keys: ReferencedKeys) {
    self.base = base
    self.links = links
    self.keys = keys
    var catalogue = base.catalogue
    for (table, links) in links {
      for link in links where !link.keepsValue {
        catalogue.tables[table].columns[link.column].type = .reference
        catalogue.tables[table].columns[link.column].role = .reference
        catalogue.tables[table].columns[link.column].target = link.name
      }
    }
    self.catalogue = catalogue
  }

  /// Whether columns of a table name rows of others.
  package func hasLinks(inTable table: Int) -> Bool { links[table] != nil }

  package func rows(
    ofTable table: Int, wanting cells: WantedCells?
  ) throws(StoreError) -> TableRows.Form {
    guard let links = links[table] else { return try base.rows(ofTable: table, wanting: cells) }
    let columns = base.catalogue.tables[table].columns
    return .batches { (body) throws(StoreError) in
      self.shared[table] = [Int](repeating: 0, count: links.count)
      try self.base.forEachBatch(inTable: table) { (batch) throws(StoreError) in
        self.unresolved = batch
        var rejects: [CellReject] = []
        for (number, link) in links.enumerated() {
          self.shared[table]?[number] += try self.resolve(
            link, columns[link.column].type, in: &batch, &rejects)
        }
        batch.addRejects(rejects)
        try body(&batch)
      }
    }
  }

  package var findings: Findings { base.findings + sharedFindings }

  /// That values name several rows, of which nothing tells which is meant.
  private var sharedFindings: [Finding] {
    catalogue.tables.enumerated().flatMap { place, table in
      zip(links[place] ?? [], shared[place] ?? []).filter { $0.1 > 0 }.map { link, count in
        let column = "\(table.name).\(table.columns[link.column].name)"
        let what = link.keepsValue ? "" : ", of which the first was taken"
        return Finding(
          "duplicate-item-id", .warning, table: table.name,
          message: "values of \(column) that name several rows of \(link.name)\(what): \(count)")
      }
    }
  }

  /// Puts the keys of rows in the place of values that name them.
  ///
  /// - Returns: how many values name several rows.
  private func resolve(
    _ link: Link, _ type: LogicalType, in batch: inout RecordBatch, _ rejects: inout [CellReject]
  ) throws(StoreError) -> Int {
    var shared = 0
    var id: [UInt8] = []
    for row in 0..<batch.rowCount {
      let cell = batch.cells[row * batch.columnCount + link.column]
      guard cell.kind != .null else { continue }
      id.removeAll(keepingCapacity: true)
      id.append(itemID: cell, type, batch.arena)
      if let key = try keys.key(of: id, inTable: link.target) {
        if key.isShared { shared += 1 }
        if !link.keepsValue { batch.set(.integer(key.first), row: row, column: link.column) }
      } else {
        rejects.append(
          CellReject(
            row: row, column: link.column, code: .danglingReference,
            raw: RawValue(cell, in: batch.arena.span)))
      }
    }
    return shared
  }
}

extension StoreReader {
  /// The reader of plain files that gives the rows, where it is one.
  package var plainFiles: LooseFileReader? {
    self as? LooseFileReader ?? (self as? any ReaderView)?.base.plainFiles
  }

  /// The reader that ties rows of plain files to others, where one does.
  package var referencing: ReferencingReader? {
    self as? ReferencingReader ?? (self as? any ReaderView)?.base.referencing
  }
}
