package import Records
import SQLiteFile

/// The rows of a planned table in parts, read from the pages of the file without the engine.
package struct PageParts: RowParts {
  private let file: PageFile
  private let shape: TableShape
  private let condition: RowCondition?
  private let columns: [PageColumn]
  private let decoder: RowDecoder
  private let chunks: [ArraySlice<UInt32>]
  /// Where rows that operations name are noted by the way.
  private let naming: RowMatching?

  /// How many bytes of pages make a part, leaves and what their rows have besides.
  private static let partSize = 256 << 10
  /// Leaves that are heavier make parts as others do, mostly one in all: each thread would hold
  /// values of very many bytes.
  private static let heaviest = 8 << 20
  /// How many bytes the defaults of columns may add to the rows of a leaf, all of which are at hand.
  private static let mostOfDefaults = 4 << 20

  /// Finds the leaves of the table, of which the records have this shape, and whose long values take
  /// so many pages besides; nil where the rows of a leaf become too many bytes at once.
  ///
  /// - Throws: `PageError` when its tree contradicts itself or cannot be read.
  init?(
    _ table: PageTable, _ shape: TableShape, in file: PageFile, besides overflowCount: Int,
    decoder: RowDecoder, naming: RowMatching? = nil
  ) throws(PageError) {
    self.file = file
    self.naming = naming
    self.decoder = decoder
    self.shape = shape
    condition = table.condition
    columns = decoder.columns(at: table.places)
    let leaves = try file.leaves(ofTableAt: table.root)
    // A leaf with what its rows have besides, on average.
    let weight = file.pageSize * (1 + overflowCount / max(1, leaves.pages.count))
    // Rows that are older than a column have its default as if it stood on the leaf.
    var ofDefaults = shape.defaults?.bytes.count ?? 0
    if ofDefaults > 0 { ofDefaults *= try file.mostRows(ofLeaves: leaves) }
    guard ofDefaults <= Self.mostOfDefaults else { return nil }
    chunks = leaves.chunks(
      ofPages: Self.partSize
        / ((weight > Self.heaviest ? file.pageSize : weight) + ofDefaults))
  }

  package var count: Int { chunks.count }

  package func makeReader() -> any PartReader {
    Reader(parts: self)
  }

  /// Lends the stored rows of a part and their keys, one after the other, until `body` returns
  /// false; `row` keeps its memory from part to part.
  package func forEachStoredRow(
    ofPart part: Int, using row: inout PageRow, _ body: (borrowing PageRow, _ key: Int64) -> Bool
  ) throws(StoreError) {
    var scan = scan(ofPart: part)
    while try Self.read(&scan, into: &row) {
      for index in 0..<row.batch.rowCount {
        row.start = index &* row.batch.columnCount
        guard body(row, row.batch.keys[index]) else { return }
      }
    }
  }

  /// Notes the rows of a part that operations name; `row` keeps its memory from part to part.
  func noteRows(ofPart part: Int, using row: inout PageRow) throws(StoreError) {
    guard var notes = naming?.makeNotes() else { return }
    var scan = scan(ofPart: part)
    while try Self.read(&scan, into: &row) { notes.addBatch(of: &row) }
    notes.finish(part: part, of: count)
  }

  /// A row before the first of a part.
  package func makeRow() -> PageRow { PageRow(columns: columns) }

  private func scan(ofPart part: Int) -> TableScan {
    TableScan(of: chunks[part], in: file, shape: shape, where: condition)
  }

  private static func read(
    _ scan: inout TableScan, into row: inout PageRow
  ) throws(StoreError) -> Bool {
    do {
      return try scan.read(into: &row.batch)
    } catch {
      throw StoreError(error)
    }
  }

  private final class Reader: PartReader {
    private let parts: PageParts
    private var row: PageRow
    private var batch: RecordBatch

    init(parts: PageParts) {
      self.parts = parts
      row = parts.makeRow()
      batch = RecordBatch(columnCount: parts.columns.count)
    }

    func forEachBatch(
      ofPart part: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
      // The loop works on its own values, which the compiler knows nobody else to touch.
      var row = parts.makeRow()
      var batch = RecordBatch(columnCount: 0)
      swap(&row, &self.row)
      swap(&batch, &self.batch)
      defer {
        swap(&row, &self.row)
        swap(&batch, &self.batch)
      }
      let decoder = parts.decoder
      var notes = parts.naming?.makeNotes()
      var scan = parts.scan(ofPart: part)
      while try PageParts.read(&scan, into: &row) {
        batch.removeAll()
        row.arenaStart = batch.append(bytes: row.batch.arena.span)
        notes?.addBatch(of: &row)
        for index in notes?.named ?? [] { batch.noteNamedRow(index) }
        var named = NamedRowCursor(batch)
        for index in 0..<row.batch.rowCount {
          row.start = index &* row.batch.columnCount
          decoder.decodeRow(
            row, key: row.batch.keys[index], isNamed: named.next(), into: &batch)
        }
        try body(&batch)
      }
      notes?.finish(part: part, of: parts.count)
    }
  }
}
