import Bytes
import Records

/// The values that no column of a store could take and that earlier runs have set aside.
///
/// There may be very many, so what is compared of them waits in a spool until their table is.
struct SetAsideValues {
  private struct Pieces {
    var count = 0
    var places: [ByteSpool.Place] = []
    var waiting: [UInt8] = []
  }

  private var spool = ByteSpool()
  /// How the values of items are shown.
  private var texts = ByteSpool()
  private var tables: [Int: Pieces] = [:]

  private static let entrySize = 32
  /// How many bytes of a table are kept at once, of which there may be many.
  private static let pieceSize = entrySize << 7

  /// Reads those of a store: all, or those that are content of items, which may be shown.
  init(in store: any StoreReader, ofItems: Bool) throws(StoreError) {
    let tables = store.catalogue.places
    var columns: [Int: [ExactText: Int]] = [:]
    try store.kept?.forEachStoredReject { (reject) throws(StoreError) in
      guard let code = RejectCode(rawValue: reject.code),
        !ofItems || code.keepsContent && reject.raw != nil,
        let table = tables[ExactText(reject.table)]
      else { return }
      let places = columns[table] ?? store.catalogue.tables[table].columnPlaces
      columns[table] = places
      guard let column = places[ExactText(reject.column)] else { return }
      let text = ofItems ? keepText(of: reject.raw) : 0
      let cell = RejectedCell(
        row: reject.row, column: column, number: reject.raw?.number ?? 0, text: text)
      try storeErrors { () throws(FileError) in try add(cell, table) }
    }
  }

  private mutating func keepText(of raw: RawValue?) -> Int {
    let text = raw.map { Array(ShownCell.text(of: $0).utf8) } ?? []
    return texts.append(counted: text.span)
  }

  private mutating func add(_ cell: RejectedCell, _ table: Int) throws(FileError) {
    var pieces = tables.removeValue(forKey: table) ?? Pieces()
    for word in [cell.row, Int64(cell.column), cell.number, Int64(cell.text)] {
      pieces.waiting.appendBigEndian(UInt64(bitPattern: word))
    }
    pieces.count += 1
    if pieces.waiting.count >= Self.pieceSize {
      pieces.places.append(try spool.append(pieces.waiting.span))
      pieces.waiting.removeAll(keepingCapacity: true)
    }
    tables[table] = pieces
  }

  /// How many a table has.
  func count(ofTableAt place: Int) -> Int { tables[place]?.count ?? 0 }

  /// Those of a table.
  func cells(ofTableAt place: Int) throws(StoreError) -> RejectedCells {
    var cells = RejectedCells(capacity: count(ofTableAt: place))
    try fill(&cells, fromTableAt: place)
    return cells
  }

  /// Those of a table and those that its rows have now, which are so many; where there are some, the
  /// rows are read once more.
  func cells(
    ofTableAt place: Int, andItsRowsIn store: any StoreReader, having now: Int, _ session: Session
  ) throws(StoreError) -> RejectedCells {
    var cells = RejectedCells(capacity: now + count(ofTableAt: place))
    if now > 0 {
      try store.forEachBatch(inTable: place, wanting: []) { (batch) throws(StoreError) in
        try session.checkInterruption()
        for reject in batch.rejects {
          cells.append(
            RejectedCell(
              row: batch.keys[reject.row], column: reject.column, number: reject.raw.number))
        }
      }
    }
    try fill(&cells, fromTableAt: place)
    return cells
  }

  /// How the value of a cell is shown that was set aside of an item.
  func text(of cell: RejectedCell) -> String {
    String(decoding: texts.counted(at: cell.text), as: UTF8.self)
  }

  /// Appends those of a table, and puts all in order.
  private func fill(
    _ cells: inout RejectedCells, fromTableAt place: Int
  ) throws(StoreError) {
    if let pieces = tables[place] {
      for piece in pieces.places {
        Self.append(try storeErrors { () throws(FileError) in try spool.read(piece) }, to: &cells)
      }
      Self.append(pieces.waiting, to: &cells)
    }
    cells.sort()
  }

  private static func append(_ piece: [UInt8], to cells: inout RejectedCells) {
    for start in stride(from: 0, to: piece.count, by: entrySize) {
      let word = { (number: Int) in
        Int64(bitPattern: UInt64(bigEndian: loadWord(from: piece.span, at: start + number * 8)))
      }
      cells.append(
        RejectedCell(
          row: word(0), column: Int(truncatingIfNeeded: word(1)), number: word(2),
          text: Int(truncatingIfNeeded: word(3))))
    }
  }
}

extension Table {
  /// The places of its columns by their names.
  fileprivate var columnPlaces: [ExactText: Int] {
    Dictionary(keepingFirst: columns.enumerated().map { (ExactText($1.name), $0) })
  }
}
