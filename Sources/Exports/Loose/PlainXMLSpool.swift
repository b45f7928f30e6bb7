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
  private let others: SpoolCompany
  /// What is there from the first table that somebody asks for until the last one of the file is.
  private var aside: XMLRowsAside?
  private var hasNoRoom = false

  /// Whether a walk through the file for each of so many tables takes longer than one walk that sets
  /// its rows aside and finds them again, which takes about as long as three more walks.
  static func pays(forTables count: Int) -> Bool { count > 4 }

  init(
    path: String, _ tables: [(element: [UInt8], survey: PlainSurvey)],
    among others: SpoolCompany = .all
  ) {
    self.path = path
    self.others = others
    columns = tables.map(\.survey.members)
    self.tables = Dictionary(
      uniqueKeysWithValues: tables.enumerated().map { ($1.element, $0) })
  }

  /// The rows of a table; nil where they are not here.
  ///
  /// - Throws: `StoreError` when the file is no longer what it was.
  func rows(ofTable table: Int, as cells: PlainXMLCells) throws(StoreError) -> SpooledXMLRows? {
    if aside == nil, !hasNoRoom { aside = try fill() }
    guard let aside else {
      hasNoRoom = true
      return nil
    }
    // Tables are mostly asked for in their order; who reads the last one keeps it by itself.
    self.aside = table + 1 < tables.count ? aside : nil
    return SpooledXMLRows(aside, table, cells)
  }

  /// Goes through the file once; nil where there is no room for its rows.
  private func fill() throws(StoreError) -> XMLRowsAside? {
    guard let aside = XMLRowsAside(path: path, among: others) else { return nil }
    var walk = PlainXMLWalk()
    var row = SpooledXMLRow()
    let tokens = try XMLTokens(path: path, stream: ExportFile.open(path))
    let isAside = try tokens.withReader { (reader) throws(XMLError) in
      while let element = try walk.nextRow(&reader) {
        guard let table = tables[element] else {
          throw reader.unexpected("a row is of a table that the file did not have")
        }
        try row.read(&reader, &walk, table, columns[table])
        guard aside.add(row.bytes.span, of: table) else { return false }
      }
      return true
    }
    return isAside && aside.end() ? aside : nil
  }
}

/// The rows of all tables of a file, set aside in a file without a name.
private final class XMLRowsAside {
  private let path: String
  private var spool: BucketSpool
  /// How many pieces the rows lie in.
  private var pieces = 0
  private var size = 0
  /// How many bytes were taken for them.
  private var room = 0
  private let others: SpoolCompany
  private static let step = 1 << 20

  /// Has no rows yet; nil where it may have no file, or none can be made.
  init?(path: String, among others: SpoolCompany) {
    guard others.join() else { return nil }
    guard let file = try? SpoolFile() else {
      // Rows that would wait in memory are found where they are.
      others.leave(0)
      return nil
    }
    self.path = path
    self.others = others
    spool = BucketSpool(most: 4 << 20, in: ByteSpool(in: file))
  }

  deinit { others.leave(room) }

  /// Adds a row of a table; false where there is no room for it.
  func add(_ row: Span<UInt8>, of table: Int) -> Bool {
    size += row.count
    while size > room {
      guard others.take(Self.step) else { return false }
      room += Self.step
    }
    do {
      try spool.append(row, inBucket: Self.bucket(of: table))
      return true
    } catch {
      // The rows are then found where they are.
      return false
    }
  }

  /// Ends the rows; false where there is no room for the last ones.
  func end() -> Bool {
    do {
      pieces = try spool.pieceCount()
      return true
    } catch {
      // They are then found where they are.
      return false
    }
  }

  /// The entries of a piece among which a table's are; nil behind the last piece.
  func piece(_ number: Int, with table: Int) throws(StoreError) -> [UInt8]? {
    guard number < pieces else { return nil }
    return try storeErrors(path: path) { () throws(FileError) in
      try spool.piece(number, ofBucket: Self.bucket(of: table))
    }
  }

  func error(_ reason: String) -> StoreError { StoreError(.damaged, path: path, reason) }

  private static func bucket(of table: Int) -> Int { table % BucketSpool.bucketCount }
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
  private let aside: XMLRowsAside
  private let table: Int
  private var cells: PlainXMLCells
  private var piece: [UInt8] = []
  private var place = 0
  private var next = 0
  private var count = 0

  fileprivate init(_ aside: XMLRowsAside, _ table: Int, _ cells: PlainXMLCells) {
    self.aside = aside
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
      guard cells.appendRow(to: &batch) else { throw aside.error(PlainXMLCells.keyless) }
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
      guard let following = try aside.piece(next, with: table) else { return nil }
      (piece, place, next) = (following, 0, next + 1)
    }
  }

  private func number(at place: Int) -> Int {
    let piece = piece
    return Int(UInt64(bigEndian: loadWord(from: piece.span, at: place)))
  }
}
