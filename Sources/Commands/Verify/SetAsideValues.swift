import Bytes
import Records

/// A value that a column could not take, by what stands for it.
struct RejectedNumber {
  /// The place of the column.
  let column: Int
  let number: Int64
}

/// The values that no column of a store could take and that earlier runs have set aside.
///
/// There may be very many, so what stands for them waits in a spool until its table is compared.
struct SetAsideValues {
  private struct Pieces {
    var places: [ByteSpool.Place] = []
    var waiting: [UInt8] = []
  }

  private var spool = ByteSpool()
  private var tables: [Int: Pieces] = [:]

  fileprivate static let entrySize = 24
  /// How many bytes of a table are kept at once, of which there may be many.
  private static let pieceSize = entrySize << 7

  /// Reads those that are content.
  init(in store: any StoreReader) throws(StoreError) {
    let tables = store.catalogue.places
    var columns: [Int: [ExactText: Int]] = [:]
    try store.kept?.forEachStoredReject { (reject) throws(StoreError) in
      guard let raw = reject.content, let table = tables[ExactText(reject.table)] else { return }
      let places = columns[table] ?? store.catalogue.tables[table].columnPlaces
      columns[table] = places
      guard let column = places[ExactText(reject.column)] else { return }
      try storeErrors { () throws(FileError) in
        try add(RejectedNumber(column: column, number: raw.number), row: reject.row, table)
      }
    }
  }

  private mutating func add(
    _ value: RejectedNumber, row: Int64, _ table: Int
  ) throws(FileError) {
    var pieces = tables.removeValue(forKey: table) ?? Pieces()
    for word in [row, Int64(value.column), value.number] {
      pieces.waiting.appendBigEndian(UInt64(bitPattern: word))
    }
    if pieces.waiting.count >= Self.pieceSize {
      pieces.places.append(try spool.append(pieces.waiting.span))
      pieces.waiting.removeAll(keepingCapacity: true)
    }
    tables[table] = pieces
  }

  /// Those of a table.
  func rows(ofTableAt place: Int) throws(StoreError) -> SetAsideRows {
    guard let pieces = tables[place] else { return SetAsideRows() }
    let count = pieces.waiting.count + pieces.places.reduce(0) { $0 + $1.size }
    var rows = SetAsideRows(capacity: count / Self.entrySize)
    for piece in pieces.places {
      rows.append(try storeErrors { () throws(FileError) in try spool.read(piece) })
    }
    rows.append(pieces.waiting)
    rows.sort()
    return rows
  }
}

/// The values that no column of a table could take, in the order of their rows.
struct SetAsideRows {
  private var rows: [Int64] = []
  private var columns: [Int32] = []
  private var numbers: [Int64] = []

  /// None, with room for some.
  init(capacity: Int = 0) {
    rows.reserveCapacity(capacity)
    columns.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Those of a row.
  func values(ofRow row: Int64) -> [RejectedNumber] {
    guard !isEmpty else { return [] }
    let start = firstPlace(in: rows) { $0 >= row }
    let end = rows[start...].firstIndex { $0 != row } ?? rows.endIndex
    return (start..<end).map { RejectedNumber(column: Int(columns[$0]), number: numbers[$0]) }
  }

  fileprivate mutating func append(_ piece: [UInt8]) {
    for start in stride(from: 0, to: piece.count, by: SetAsideValues.entrySize) {
      rows.append(Self.word(of: piece, at: start))
      columns.append(Int32(truncatingIfNeeded: Self.word(of: piece, at: start + 8)))
      numbers.append(Self.word(of: piece, at: start + 16))
    }
  }

  private static func word(of piece: [UInt8], at place: Int) -> Int64 {
    Int64(bitPattern: UInt64(bigEndian: loadWord(from: piece.span, at: place)))
  }

  /// Puts them in the order of their rows, in which most stores have them.
  fileprivate mutating func sort() {
    guard zip(rows, rows.dropFirst()).contains(where: { $0 > $1 }) else { return }
    // Swift's sorting keeps the order of equal elements.
    let order = rows.indices.sorted { rows[$0] < rows[$1] }
    rows = order.map { rows[$0] }
    columns = order.map { columns[$0] }
    numbers = order.map { numbers[$0] }
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
  var content: RawValue? { RejectCode(rawValue: code)?.keepsContent == true ? raw : nil }
}

extension RawValue {
  /// A number that stands for the value: the beginning of a hash.
  var number: Int64 {
    var hash = SHA256()
    let (storage, bytes) = (Array("\(storage) ".utf8), bytes)
    hash.update(storage.span)
    hash.update(bytes.span)
    return Int64(bitPattern: hash.finish().words.first)
  }
}
