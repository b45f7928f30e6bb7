import Bytes

/// A packed run of rows of one table: one byte arena and one array of cells.
///
/// A batch crosses threads as one value, and no row of it costs an allocation. Readers fill it
/// cell by cell, left to right, and end each row with its key; writers walk `rows`.
@usableFromInline
package struct RecordBatch: Sendable {
  /// The cells of all rows, `columnCount` for each.
  @usableFromInline package internal(set) var cells: [Cell] = []
  /// The `_pk` of each row.
  package private(set) var keys: [Int64] = []
  /// The bytes of all text and binary cells.
  @usableFromInline package internal(set) var arena: [UInt8] = []
  /// Cells of these rows whose values could not be taken over.
  package private(set) var rejects: [CellReject] = []
  /// Rows that the store to which they were given does not let in.
  package private(set) var refusals: [RowRefusal] = []
  /// The places of rows that operations name, in their order, as far as reading the rows tells.
  package private(set) var namedRows: [Int] = []
  /// How many cells make a row.
  package let columnCount: Int

  /// How many bytes the rejects keep.
  private var rejectedSize = 0

  private static let rowLimit = 1024
  /// How many cells it takes, so that wide tables have fewer rows in a batch.
  private static let cellLimit = 1 << 15
  /// How many bytes it takes, whichever limit comes first.
  private static let byteLimit = 256 << 10

  /// An empty batch for a table of `columnCount` columns.
  package init(columnCount: Int) {
    self.columnCount = columnCount
    cells.reserveCapacity(min(columnCount * Self.rowLimit, Self.cellLimit + columnCount))
    keys.reserveCapacity(Self.rowLimit)
    arena.reserveCapacity(Self.byteLimit + Self.byteLimit / 4)
  }

  /// How many rows have been ended.
  package var rowCount: Int { keys.count }

  /// Whether the batch should be handed on before the next row.
  package var isFull: Bool {
    keys.count >= Self.rowLimit || arena.count >= Self.byteLimit || isFullOfCells
      || rejectedSize >= Self.byteLimit
  }

  /// Whether it has as many cells as it should.
  package var isFullOfCells: Bool { cells.count >= Self.cellLimit }

  /// The cells of one row.
  package func cells(ofRow row: Int) -> ArraySlice<Cell> {
    cells[row * columnCount..<(row + 1) * columnCount]
  }

  /// Appends a cell without bytes: NULL or a number.
  @inlinable
  package mutating func append(_ cell: Cell) {
    appendCell(cell)
  }

  /// Appends a text cell; the bytes are valid UTF-8 in the column's canonical spelling.
  package mutating func appendText(_ bytes: Span<UInt8>) {
    appendBytes(bytes, kind: .text)
  }

  /// Appends a text cell, or an empty cell where there is no text.
  package mutating func append(text: String?) {
    guard let text else { return append(.null) }
    appendText(text.utf8Span.span)
  }

  /// Appends a cell of bytes.
  package mutating func appendBinary(_ bytes: Span<UInt8>) {
    appendBytes(bytes, kind: .binary)
  }

  /// Appends a text cell whose bytes `write` adds to the end of the arena.
  @inline(__always)
  package mutating func appendText(writing write: (inout [UInt8]) -> Void) {
    let start = arena.count
    write(&arena)
    cells.append(Cell(start, arena.count &- start, kind: .text))
  }

  /// Appends up to so many cells, and up to so many bytes for them, which begin at `start`.
  @inlinable
  @inline(__always)
  package mutating func append(
    cells count: Int, bytes size: Int,
    _ fill: (
      _ cells: inout OutputSpan<Cell>, _ bytes: inout OutputSpan<UInt8>, _ start: Int
    ) -> Void
  ) {
    let start = arena.count
    cells.append(addingCapacity: count) { cells in
      arena.append(addingCapacity: size) { bytes in fill(&cells, &bytes, start) }
    }
  }

  /// Appends bytes that cells can lie in, all at once, and returns where they begin.
  package mutating func append(bytes: Span<UInt8>) -> Int {
    let start = arena.count
    arena.append(bytes)
    return start
  }

  /// Appends a text cell whose bytes are in the arena, in a range that counts from `start`.
  @inline(__always)
  package mutating func appendText(inArenaFrom start: Int, _ range: Range<Int>) {
    appendCell(Cell(start &+ range.lowerBound, range.count, kind: .text))
  }

  /// Appends a cell of bytes that are in the arena, in a range that counts from `start`.
  @inline(__always)
  package mutating func appendBinary(inArenaFrom start: Int, _ range: Range<Int>) {
    appendCell(Cell(start &+ range.lowerBound, range.count, kind: .binary))
  }

  /// Leaves the cell empty and keeps its raw value as a reject.
  package mutating func reject(column: Int, code: RejectCode, raw: RawValue) {
    rejects.append(CellReject(row: keys.count, column: column, code: code, raw: raw))
    rejectedSize += raw.size
    cells.append(.null)
  }

  /// Ends the row whose cells were appended last.
  package mutating func endRow(key: Int64) {
    assert(cells.count == (keys.count + 1) * columnCount, "a row is short or long")
    keys.append(key)
  }

  /// Notes that operations name the row at a place, behind those that were noted before.
  package mutating func noteNamedRow(_ row: Int) { namedRows.append(row) }

  /// Numbers the rows from `first` on.
  package mutating func numberKeys(from first: Int64) {
    for row in keys.indices { keys[row] = first &+ Int64(row) }
  }

  /// Adds to the whole numbers of a column.
  package mutating func add(_ offset: Int64, toColumn column: Int) {
    for place in stride(from: column, to: cells.count, by: columnCount)
    where cells[place].kind == .integer {
      cells[place] = .integer(cells[place].integer &+ offset)
    }
  }

  /// The same rows with only the cells at these places, and NULL where there is no place.
  package func choosing(_ places: [Int?]) -> RecordBatch {
    var chosen = RecordBatch(columnCount: places.count)
    for row in keys.indices {
      let first = row * columnCount
      for place in places { chosen.cells.append(place.map { cells[first + $0] } ?? .null) }
    }
    chosen.keys = keys
    chosen.arena = arena
    var columns: [Int: Int] = [:]
    for (column, place) in places.enumerated() { if let place { columns[place] = column } }
    chosen.addRejects(
      rejects.compactMap { reject in
        columns[reject.column].map {
          CellReject(row: reject.row, column: $0, code: reject.code, raw: reject.raw)
        }
      })
    return chosen
  }

  /// Puts another number into a cell.
  package mutating func set(_ cell: Cell, row: Int, column: Int) {
    cells[row * columnCount + column] = cell
  }

  /// Puts a text into a cell.
  package mutating func set(text: Span<UInt8>, row: Int, column: Int) {
    let start = append(bytes: text)
    set(Cell(start, text.count, kind: .text), row: row, column: column)
  }

  /// Empties cells, unless they are to be kept, and keeps their raw values as rejects.
  package mutating func addRejects(_ more: [CellReject], keepingCells: Bool = false) {
    guard !more.isEmpty else { return }
    for reject in more {
      if !keepingCells { set(.null, row: reject.row, column: reject.column) }
      rejectedSize += reject.raw.size
    }
    rejects += more
    rejects.sort { ($0.row, $0.column) < ($1.row, $1.column) }
  }

  /// Notes rows that the store does not let in, whose cells stay.
  package mutating func addRefusals(_ more: [RowRefusal]) {
    guard !more.isEmpty else { return }
    refusals += more
    refusals.sort { $0.row < $1.row }
  }

  /// Forgets all rows and keeps the memory.
  package mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
    rejects.removeAll(keepingCapacity: true)
    refusals.removeAll(keepingCapacity: true)
    namedRows.removeAll(keepingCapacity: true)
    rejectedSize = 0
  }

  @usableFromInline
  mutating func appendCell(_ cell: Cell) {
    cells.append(cell)
  }

  private mutating func appendBytes(_ bytes: Span<UInt8>, kind: CellKind) {
    let start = arena.count
    arena.append(bytes)
    cells.append(Cell(start, bytes.count, kind: kind))
  }
}
