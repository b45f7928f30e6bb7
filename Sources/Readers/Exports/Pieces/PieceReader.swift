import Bytes
import Formats
import Records

/// Reads pieces of one plain file of CSV or NDJSON, on whatever thread.
struct PieceReader: Sendable {
  let path: String
  /// What the header of a CSV file says; nil for NDJSON.
  private let head: (survey: PlainSurvey, shape: CSVReader.Shape)?
  private let pieceSize: Int

  /// How many threads read pieces; with more, they would only wait for the one that writes.
  static var threads: Int { min(4, threadCount()) }

  /// Reads the header; nil where the format has no pieces.
  ///
  /// - Throws: `StoreError` when there is no header, or the file cannot be read.
  init?(
    path: String, format: PlainFormat, pieceSize: Int = RecordPieces.usualSize
  ) throws(StoreError) {
    self.path = path
    self.pieceSize = pieceSize
    switch format {
    case .csv: head = try Self.readHead(path)
    case .ndjson: head = nil
    case .json, .xml: return nil
    }
  }

  private static func readHead(
    _ path: String
  ) throws(StoreError) -> (PlainSurvey, CSVReader.Shape) {
    var reader = CSVReader(try ExportFile.open(path))
    do {
      let survey = try PlainSurvey(headerOf: &reader)
      return (survey, reader.shape)
    } catch {
      throw StoreError(error, in: path)
    }
  }

  /// Cuts the whole file.
  func openPieces() throws(StoreError) -> RecordPieces {
    RecordPieces(try ExportFile.open(path), hasQuotes: head != nil, leastSize: pieceSize)
  }

  /// What a piece shows.
  func survey(_ piece: RecordPiece) throws(StoreError) -> PlainSurvey {
    guard let head else { return try PlainJSONSurvey(tokens(of: piece), .lines).tables[0] }
    var survey = head.survey
    do throws(FormatError) {
      var reader = CSVReader(of: piece, head.shape)
      if piece.offset == 0 { _ = try reader.next() }
      try survey.addRecords(of: &reader)
    } catch {
      throw StoreError(error, in: path)
    }
    return survey
  }

  /// Lends the rows of a piece; `body` says whether to go on.
  func readRows(
    of piece: RecordPiece, as table: Table, leading: Int, _ body: (PieceRows.Part) -> Bool
  ) throws(StoreError) {
    let rows = try openRows(of: piece, as: table, leading: leading)
    var hasMore = true
    while hasMore {
      var batch = RecordBatch(columnCount: table.columns.count)
      hasMore = try rows.fill(&batch)
      guard batch.rowCount > 0 else { continue }
      guard body(PieceRows.Part(batch: batch, position: rows.position)) else { return }
    }
  }

  private func openRows(
    of piece: RecordPiece, as table: Table, leading: Int
  ) throws(StoreError) -> any ExportRows {
    guard let head else {
      return JSONRowReader(
        tokens(of: piece), JSONForm.lines.walk, table: table, leading: leading, rule: .common)
    }
    let reader = CSVReader(of: piece, head.shape)
    return try CSVRowReader(
      path: path, reader: reader, hasHeader: piece.offset == 0, table: table, leading: leading,
      rule: .common)
  }

  private func tokens(of piece: RecordPiece) -> JSONTokens {
    JSONTokens(
      path: path, stream: ByteStream(piece.bytes), framing: .lines, offset: piece.offset)
  }
}

extension CSVReader {
  /// Reads the records of a piece of a file whose header had a shape.
  fileprivate init(of piece: RecordPiece, _ shape: Shape) {
    self.init(
      ByteStream(piece.bytes), shape: piece.offset == 0 ? nil : shape, offset: piece.offset,
      line: piece.line)
  }
}
