import Records

/// The rows of a table with documents in parts, read from the pages of the file.
struct DocumentParts: RowParts {
  /// The stored columns and behind them the document.
  private let stored: PageParts
  private let decoder: RowDecoder
  private let columns: [PlannedColumn]

  init(_ stored: PageParts, _ columns: [PlannedColumn], decoder: RowDecoder) {
    self.stored = stored
    self.columns = columns
    self.decoder = decoder
  }

  var count: Int { stored.count }

  func makeReader() -> any PartReader { Reader(self) }

  private final class Reader: PartReader {
    private let parts: DocumentParts
    private var stored: PageRow
    private var row: DocumentRow
    private var batch: RecordBatch

    init(_ parts: DocumentParts) {
      self.parts = parts
      stored = parts.stored.makeRow()
      row = DocumentRow(parts.columns)
      batch = RecordBatch(columnCount: parts.columns.count)
    }

    func forEachBatch(
      ofPart part: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
    ) throws(StoreError) {
      batch.removeAll()
      let decoder = parts.decoder
      var failure: StoreError?
      try parts.stored.forEachStoredRow(ofPart: part, using: &stored) { stored, key in
        decoder.decodeRow(stored, key: key, through: &row, into: &batch)
        do throws(StoreError) {
          try batch.lendIfFull(to: body)
        } catch {
          failure = error
        }
        return failure == nil
      }
      if let failure { throw failure }
      try batch.lendRest(to: body)
    }
  }
}
