import Bytes
import Records
import XMLFormat

/// The rows of plain XML whose tables lie among each other, set aside table by table.
///
/// A walk through the file for each table would take time by their number times the size of the file.
/// Where no room can be had, there is nothing here, and each table's rows are looked for in the file.
/// All copies of what is known of the file share it.
final class PlainXMLSpool {
  private let path: String
  /// The columns of each table, and which table an element belongs to.
  private let columns: [PlainColumnNames]
  private let tables: [[UInt8]: Int]
  private var spool = BucketSpool(most: 4 << 20)
  /// How many pieces the rows lie in; nil as long as nobody has asked for any.
  private var pieces: Int?

  init(path: String, _ tables: [(element: [UInt8], survey: PlainSurvey)]) {
    self.path = path
    columns = tables.map(\.survey.members)
    self.tables = Dictionary(
      uniqueKeysWithValues: tables.enumerated().map { ($1.element, $0) })
  }

  /// The rows of a table; nil where they are not here.
  ///
  /// - Throws: `StoreError` when the file is no longer what it was.
  func rows(ofTable table: Int, as cells: PlainXMLCells) throws(StoreError) -> SpooledXMLRows? {
    if pieces == nil { pieces = try fill() ?? 0 }
    return pieces == 0 ? nil : SpooledXMLRows(self, table, cells)
  }

  fileprivate func error(_ reason: String) -> StoreError {
    StoreError(.damaged, path: path, reason)
  }

  /// The entries of a piece among which a table's are; nil behind the last piece.
  fileprivate func piece(_ number: Int, with table: Int) throws(StoreError) -> [UInt8]? {
    guard number < pieces ?? 0 else { return nil }
    return try storeErrors(path: path) { () throws(FileError) in
      try spool.piece(number, ofBucket: table % BucketSpool.bucketCount)
    }
  }

  /// Goes through the file once; nil where there is no room for its rows.
  private func fill() throws(StoreError) -> Int? {
    let most = SpoolFile.freeBytes / 4
    var size = 0
    var walk = PlainXMLWalk()
    var row = SpooledXMLRow()
    let tokens = try XMLTokens(path: path, stream: ExportFile.open(path))
    let isAside = try tokens.withReader { (reader) throws(XMLError) in
      while let element = try walk.nextRow(&reader) {
        guard let table = tables[element] else {
          throw reader.unexpected("a row is of a table that the file did not have")
        }
        try row.read(&reader, &walk, table, columns[table])
        size += row.bytes.count
        guard size <= most, setAside(row, of: table) else { return false }
      }
      return true
    }
    // What could not be set aside is found where it is.
    let pieces = isAside ? try? spool.pieceCount() : nil
    if pieces == nil { spool = BucketSpool() }
    return pieces
  }

  private func setAside(_ row: borrowing SpooledXMLRow, of table: Int) -> Bool {
    do {
      try spool.append(row.bytes.span, inBucket: table % BucketSpool.bucketCount)
      return true
    } catch {
      // The rows are then found where they are.
      return false
    }
  }
}

/// One row as it is set aside: its table and its size, then the place, the size and the text of each
/// value.
private struct SpooledXMLRow {
  private(set) var bytes: [UInt8] = []

  static let headSize = 16

  mutating func read(
    _ reader: inout XMLReader, _ walk: inout PlainXMLWalk, _ table: Int, _ columns: PlainColumnNames
  ) throws(XMLError) {
    bytes.removeAll(keepingCapacity: true)
    bytes.appendBigEndian(UInt64(table))
    var values: [UInt8] = []
    var following = 0
    try walk.readCells(&reader) { (cell) throws(XMLError) in
      guard let place = columns.place(of: cell.name, following) else { throw cell.isStrange }
      following = place + 1
      guard !cell.isNull else { return }
      values.appendBigEndian(UInt64(place))
      values.appendBigEndian(UInt64(cell.text.count))
      values += cell.text
    }
    bytes.appendBigEndian(UInt64(values.count))
    bytes += values
  }
}

/// Reads the rows of one table that were set aside among those of others.
final class SpooledXMLRows: ExportRows {
  private let spool: PlainXMLSpool
  private let table: Int
  private var cells: PlainXMLCells
  private var piece: [UInt8] = []
  private var place = 0
  private var next = 0
  private var count = 0

  fileprivate init(_ spool: PlainXMLSpool, _ table: Int, _ cells: PlainXMLCells) {
    self.spool = spool
    self.table = table
    self.cells = cells
  }

  var position: String { "row \(count) of its table" }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    while !batch.isFull {
      guard let row = try nextRow() else { return false }
      count += 1
      cells.begin()
      let piece = piece
      var start = row.lowerBound
      while start < row.upperBound {
        let text = start + 16..<start + 16 + number(at: start + 8)
        cells.add(piece.span.extracting(text), at: number(at: start))
        start = text.upperBound
      }
      guard cells.appendRow(to: &batch) else { throw spool.error(PlainXMLCells.keyless) }
    }
    return true
  }

  /// Where the values of the table's next row lie in the piece at hand; nil behind the last one.
  private func nextRow() throws(StoreError) -> Range<Int>? {
    while true {
      while place < piece.count {
        let start = place + SpooledXMLRow.headSize
        let values = start..<start + number(at: place + 8)
        defer { place = values.upperBound }
        if number(at: place) == table { return values }
      }
      guard let following = try spool.piece(next, with: table) else { return nil }
      (piece, place, next) = (following, 0, next + 1)
    }
  }

  private func number(at place: Int) -> Int {
    let piece = piece
    return Int(UInt64(bigEndian: loadWord(from: piece.span, at: place)))
  }
}
