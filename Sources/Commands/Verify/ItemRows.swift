import Bytes
import Records

/// The rows of one of two tables that are compared by what they mean: under keys made of their
/// ids, with the columns that both have, each in the form in which it is compared.
struct ItemRows {
  /// The columns that are compared; both tables have the same.
  let table: Table
  /// The cells of which values that no column could take are compared, and not NULL.
  var rejectedByBoth = RejectedByBoth()
  let reader: any StoreReader
  let place: Int
  let columns: [PairedColumn]
  private let hasID: Bool
  /// Where an item is marked as deleted, so that it is none to the other store.
  private let deletedMark: Int?
  /// What items without an id are called on their device, by their rows.
  private let localIDs: LocalIDs?
  let setAside: SetAsideValues

  struct PairedColumn {
    let place: Int
    let type: LogicalType
    let form: ComparedForm
    /// The rows to which it refers, where it holds keys.
    let targets: ReferencedItems?
    /// Whether either side of it holds keys.
    let isReference: Bool
  }

  /// Prepares to read one side; where it refers to other rows, their ids are read now.
  init(
    _ compared: ComparedTable, _ side: Side, of reader: any StoreReader,
    localIDs: LocalIDs? = nil, _ setAside: SetAsideValues
  ) throws(StoreError) {
    self.reader = reader
    self.localIDs = localIDs
    place = compared.places[side]
    self.setAside = setAside
    hasID = compared.hasID
    deletedMark = compared.deletedMark.flatMap { $0.side == side ? $0.place : nil }
    let whole = compared.tables[side]
    var columns: [PairedColumn] = []
    for pair in compared.pairs {
      var targets: ReferencedItems?
      if let target = pair.targets[side] {
        // Columns that refer to the same rows share what stands for them.
        let like = columns.first { $0.form == pair.form && $0.targets?.table == target }
        targets = like?.targets
        if targets == nil {
          targets = try ReferencedItems(ofTable: target, in: reader, comparedAs: pair.form)
        }
      }
      let own = pair.places[side]
      columns.append(
        PairedColumn(
          place: own, type: whole.columns[own].type, form: pair.form, targets: targets,
          isReference: pair.targets.first != nil || pair.targets.second != nil))
    }
    self.columns = columns
    table = Table(
      name: compared.name, columns: compared.pairs.map { Column(name: $0.name, type: .text) })
  }

  /// The table as the store has it.
  var ownTable: Table { reader.catalogue.tables[place] }

  func count() throws(StoreError) -> Int { try reader.countRows(inTable: place) }

  /// Hands out the items a batch at a time, with the rows that they were, and with what stands for
  /// values that no column could take.
  func forEachBatch(
    _ body: (inout RecordBatch, _ rows: [Int], _ whole: borrowing RecordBatch)
      throws(StoreError) -> Void
  ) throws(StoreError) {
    var ids = ItemKeys()
    let earlier = try setAside.cells(ofTableAt: place)
    try reader.forEachBatch(inTable: place) { (batch) throws(StoreError) in
      var items = RecordBatch(columnCount: columns.count)
      var rows: [Int] = []
      var rejects = RejectCursor(batch)
      var found: [CellReject] = []
      for row in 0..<batch.rowCount where !isDeleted(row, batch) {
        rows.append(row)
        let rejected = rejected(row, of: batch, rejects.rejects(ofRow: row), earlier)
        for value in rejected {
          // Why it was rejected makes no difference.
          found.append(
            CellReject(
              row: items.rowCount, column: value.column, code: .valueOfWrongType,
              raw: .integer(value.number)))
        }
        append(row, of: batch, hasRejectedID: rejected.first?.column == 0, to: &items, &ids)
        endItem(rejected, &items)
      }
      items.addRejects(found, keepingCells: true)
      try body(&items, rows, batch)
    }
  }

  private func isDeleted(_ row: Int, _ batch: borrowing RecordBatch) -> Bool {
    guard let deletedMark else { return false }
    let cell = batch.cells[row * batch.columnCount + deletedMark]
    let arena = batch.arena
    return cell.isTrue(arena.span.extracting(cell.range))
  }

  private func append(
    _ row: Int, of batch: borrowing RecordBatch, hasRejectedID: Bool,
    to items: inout RecordBatch, _ ids: inout ItemKeys
  ) {
    let first = row * batch.columnCount
    let arena = batch.arena
    for (number, column) in columns.enumerated() {
      let cell = batch.cells[first + column.place]
      if !hasRejectedID, let id = localID(inColumn: number, cell, row: batch.keys[row]) {
        let bytes = Array(id.utf8)
        items.append(
          .text(at: 0, size: bytes.count), comparedAs: column.form, .text, arena: bytes.span)
      } else if !column.isReference || cell.kind == .null {
        items.append(cell, comparedAs: column.form, column.type, arena: arena.span)
      } else if let targets = column.targets {
        if let id = targets.hash(ofRow: cell.integer) {
          items.append(.integer(id))
        } else {
          // A row that is not there is the same as no other.
          items.append(text: "row \(cell.integer)")
        }
      } else {
        let id = ids.key(of: cell, comparedAs: column.form, column.type, arena: arena.span)
        items.append(.integer(id))
      }
    }
  }

  /// Ends the item whose cells were appended last, with the values in them that are compared though
  /// no column could take them.
  private func endItem(_ rejected: [RejectedCell], _ items: inout RecordBatch) {
    let key = keyOfLastItem(in: items)
    let compared = rejected.filter {
      rejectedByBoth.contains(RejectedByBoth.cell(ofItem: key, column: $0.column))
    }
    for value in compared {
      items.set(.integer(value.number), row: items.rowCount, column: value.column)
    }
    items.endRow(key: compared.isEmpty ? key : keyOfLastItem(in: items))
  }

  /// The key of the item whose cells were appended last.
  private func keyOfLastItem(in items: borrowing RecordBatch) -> Int64 {
    // Rows without an id are told apart by all that they hold.
    let known = hasID ? 0..<1 : columns.indices
    var key: [UInt8] = []
    let start = items.cells.count - columns.count
    let own = items.arena
    for place in known { key.append(items.cells[start + place], arena: own.span) }
    return itemKey(of: key)
  }

  /// What an item is called on its device, where the column is that of ids and it has none yet.
  private func localID(inColumn number: Int, _ cell: Cell, row key: Int64) -> String? {
    hasID && number == 0 && cell.kind == .null ? localIDs?[key] : nil
  }

  /// The cells of a row as the store has them, beside those that are compared.
  func shown(_ item: Int, of items: borrowing RecordBatch, row: Int, _ whole: borrowing RecordBatch)
    -> [ShownCell]
  {
    let (key, rejects) = (whole.keys[row], whole.rejects.ofRow(row))
    let rejected = items.rejects.ofRow(item)
    return columns.enumerated().map { place, column in
      let cell = whole.cells[row * whole.columnCount + column.place]
      let compared = items.cells[item * columns.count + place]
      if rejected.contains(where: { $0.column == place }) {
        let reject = rejects.first { $0.column == column.place && $0.code.keepsContent }
        return ShownCell(
          compared, in: items, text: reject.map { ShownCell.text(of: $0.raw) },
          setAsideInRow: reject == nil ? key : nil)
      }
      let text =
        localID(inColumn: place, cell, row: key)
        ?? ShownCell.text(of: cell, column.type, in: whole)
      let isKey = column.targets != nil && cell.kind == .integer
      return ShownCell(
        compared, in: items, text: isKey ? text.map { "the row " + $0 } : text,
        target: isKey ? cell.integer : nil)
    }
  }

  /// Lets references among a few cells be shown as the ids by which they were compared; what leads to
  /// no row with an id keeps its key.
  func showIDs(ofTargetsIn rows: inout [Int64: [ShownCell]]) throws(StoreError) {
    for (place, column) in columns.enumerated() {
      guard let targets = column.targets else { continue }
      let keys = Set(rows.values.compactMap { $0[place].target })
      guard !keys.isEmpty else { continue }
      let ids = try self.ids(ofRows: keys, inTable: targets.table)
      for (key, cells) in rows {
        guard let id = cells[place].target.flatMap({ ids[$0] }) else { continue }
        rows[key]?[place].text = id
      }
    }
  }

  /// The ids of some rows of a table as it has them, by the keys of the rows.
  private func ids(
    ofRows wanted: Set<Int64>, inTable place: Int
  ) throws(StoreError) -> [Int64: String] {
    let table = reader.catalogue.tables[place]
    guard let id = table.idPlace else { return [:] }
    var ids: [Int64: String] = [:]
    try reader.forEachBatch(inTable: place, wanting: [id]) { (batch) throws(StoreError) in
      for (row, key) in batch.keys.enumerated() where wanted.contains(key) {
        let cell = batch.cells[row * batch.columnCount + id]
        ids[key] = ShownCell.text(of: cell, table.columns[id].type, in: batch)
      }
    }
    return ids
  }

  /// The ids of the rows to which a reference points, by the keys of these rows.
  struct ReferencedItems {
    /// The place of their table.
    let table: Int
    private var places = KeyPlaces()
    /// In the order of the keys.
    private var hashes: [Int64] = []

    init(
      ofTable place: Int, in reader: any StoreReader, comparedAs form: ComparedForm
    ) throws(StoreError) {
      self.table = place
      let table = reader.catalogue.tables[place]
      guard let id = table.idPlace else { return }
      let type = table.columns[id].type
      var (ids, keys) = (ItemKeys(), [Int64]())
      try reader.forEachBatch(inTable: place, wanting: [id]) { (batch) throws(StoreError) in
        let arena = batch.arena
        for (row, key) in batch.keys.enumerated() {
          let cell = batch.cells[row * batch.columnCount + id]
          guard cell.kind != .null else { continue }
          keys.append(key)
          hashes.append(ids.key(of: cell, comparedAs: form, type, arena: arena.span))
        }
      }
      if zip(keys, keys.dropFirst()).contains(where: { $0 > $1 }) {
        hashes = keys.indices.sorted { keys[$0] < keys[$1] }.map { hashes[$0] }
      }
      places = KeyPlaces(keys)
    }

    /// What stands for the id of a row; nil where there is no such row, or it has no id.
    func hash(ofRow key: Int64) -> Int64? {
      places.place(of: key).map { hashes[$0] }
    }
  }
}

/// Makes numbers that stand for values in the form in which they are compared.
struct ItemKeys {
  private var value = RecordBatch(columnCount: 1)

  /// The number for a value: the beginning of a hash.
  mutating func key(
    of cell: Cell, comparedAs form: ComparedForm, _ type: LogicalType, arena: Span<UInt8>
  ) -> Int64 {
    value.removeAll()
    value.append(cell, comparedAs: form, type, arena: arena)
    value.endRow(key: 0)
    var bytes: [UInt8] = []
    let own = value.arena
    bytes.append(value.cells[0], arena: own.span)
    return itemKey(of: bytes)
  }
}

/// A number that stands for bytes.
func itemKey(of bytes: [UInt8]) -> Int64 {
  var hash = SHA256()
  hash.update(bytes.span)
  return Int64(bitPattern: hash.finish().words.first)
}

extension [UInt8] {
  /// Appends a cell so that different cells look different.
  mutating func append(_ cell: Cell, arena: Span<UInt8>) {
    append(cell.kind.rawValue)
    switch cell.kind {
    case .null: break
    case .integer: appendBigEndian(UInt64(bitPattern: cell.integer))
    case .real: appendBigEndian((cell.real == 0 ? 0 : cell.real).bitPattern)
    case .text, .binary:
      appendBigEndian(UInt64(cell.range.count))
      append(arena.extracting(cell.range))
    }
  }
}
