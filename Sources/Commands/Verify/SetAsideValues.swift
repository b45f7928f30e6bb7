import Bytes
import Records

/// The values of items that no column of a store could take and that earlier runs have set aside.
///
/// There may be very many, so what is compared and shown of them waits in a spool until their table is.
struct SetAsideValues {
  private struct Pieces {
    /// How many values they hold.
    var count = 0
    var places: [ByteSpool.Place] = []
  }

  private var spool = ByteSpool()
  /// Where the values of each table are, by the place of the table.
  private var pieces: [Int: Pieces] = [:]
  /// What is not in the spool yet, and how many bytes that takes: of many tables no more than of one.
  private var waiting: [Int: [UInt8]] = [:]
  private var waitingSize = 0

  private static let waitingLimit = 512 << 10
  /// Three words stand before the text of a value, and the fourth counts that.
  private static let headerSize = 32

  /// Reads those of a store that are content of its columns.
  init(in store: any StoreReader) throws(StoreError) {
    let tables = store.catalogue.places
    // Most stores keep what was set aside of a table together.
    var columns: (table: Int, places: [ExactText: Int]) = (-1, [:])
    try store.kept?.forEachStoredReject { (reject) throws(StoreError) in
      guard let raw = reject.content, let table = tables[ExactText(reject.table)] else { return }
      if columns.table != table {
        columns = (table, store.catalogue.tables[table].columnPlaces)
      }
      guard let column = columns.places[ExactText(reject.column)] else { return }
      let cell = RejectedCell(row: reject.row, column: column, number: raw.fingerprint)
      try storeErrors { () throws(FileError) in
        try add(cell, shownAs: ShownCell.text(of: raw), table)
      }
    }
    try storeErrors { () throws(FileError) in try keepWaiting() }
  }

  private mutating func add(
    _ cell: RejectedCell, shownAs text: String, _ table: Int
  ) throws(FileError) {
    let words = [cell.row, Int64(cell.column), cell.number, Int64(text.utf8.count)]
    for word in words {
      waiting[table, default: []].appendBigEndian(UInt64(bitPattern: word))
    }
    waiting[table, default: []].append(contentsOf: text.utf8)
    pieces[table, default: Pieces()].count += 1
    waitingSize += Self.headerSize + text.utf8.count
    if waitingSize >= Self.waitingLimit { try keepWaiting() }
  }

  private mutating func keepWaiting() throws(FileError) {
    for (table, piece) in waiting {
      pieces[table]?.places.append(try spool.append(piece.span))
    }
    waiting = [:]
    waitingSize = 0
  }

  /// Those of a table.
  func cells(ofTableAt place: Int) throws(StoreError) -> RejectedCells {
    var cells = RejectedCells(capacity: pieces[place]?.count ?? 0)
    try forEach(ofTableAt: place) { cell, _ in cells.append(cell) }
    cells.sort()
    return cells
  }

  /// How those of some rows of a table are shown, by the keys of the rows and the places of the columns.
  func texts(
    ofRows wanted: Set<Int64>, ofTableAt place: Int
  ) throws(StoreError) -> [Int64: [Int: String]] {
    var texts: [Int64: [Int: String]] = [:]
    try forEach(ofTableAt: place) { cell, text in
      guard wanted.contains(cell.row), texts[cell.row]?[cell.column] == nil else { return }
      texts[cell.row, default: [:]][cell.column] = String(decoding: text, as: UTF8.self)
    }
    return texts
  }

  /// Hands out those of a table in the order in which the store keeps them, with how they are shown.
  private func forEach(
    ofTableAt place: Int, _ body: (RejectedCell, ArraySlice<UInt8>) -> Void
  ) throws(StoreError) {
    for place in pieces[place]?.places ?? [] {
      let piece = try storeErrors { () throws(FileError) in try spool.read(place) }
      var start = 0
      while start < piece.count {
        let words = (0..<4).map { Int64(bitPattern: word($0, ofRecordAt: start, in: piece)) }
        let cell = RejectedCell(
          row: words[0], column: Int(truncatingIfNeeded: words[1]), number: words[2])
        let text = start + Self.headerSize
        start = text + Int(truncatingIfNeeded: words[3])
        body(cell, piece[text..<start])
      }
    }
  }
}

extension Table {
  /// The places of its columns by their names.
  fileprivate var columnPlaces: [ExactText: Int] {
    Dictionary(keepingFirst: columns.enumerated().map { (ExactText($1.name), $0) })
  }
}

extension RejectedValue {
  /// The value as stored, where that is content.
  fileprivate var content: RawValue? {
    RejectCode(rawValue: code)?.keepsContent == true ? raw : nil
  }
}
