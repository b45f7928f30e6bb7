import Bytes
import Formats
import Records

/// Reads pieces of one plain file of CSV or NDJSON, on whatever thread.
struct PieceReader: Sendable {
  let path: String
  /// How a CSV file is written, and what its header says; nil for NDJSON.
  private let head: Head?
  private let inference: InferenceRule
  private let pieceSize: Int

  private struct Head {
    let form: CSVForm
    let survey: PlainSurvey
    let shape: CSVReader.Shape
  }

  /// How many threads read pieces; with more, they would only wait for the one that writes.
  static var threads: Int { min(4, threadCount()) }

  /// Reads the header of a CSV file, where a form is given; else it is NDJSON.
  ///
  /// - Throws: `StoreError` when there is no header, or the file cannot be read.
  init(
    path: String, csv form: CSVForm?, _ inference: InferenceRule,
    pieceSize: Int = RecordPieces.usualSize
  ) throws(StoreError) {
    self.path = path
    self.inference = inference
    self.pieceSize = pieceSize
    head = try form.map { (form) throws(StoreError) in
      var reader = try form.openReader(path)
      do throws(FormatError) {
        let survey = try PlainSurvey(columnsOf: &reader, inference)
        return Head(form: form, survey: survey, shape: reader.shape)
      } catch {
        throw StoreError(error, in: path)
      }
    }
  }

  /// How the lines of a CSV file end; nil where there is one line, or no CSV.
  var lineEnd: CSVLineEnd? { head?.shape.lineEnd }

  /// Cuts the whole file.
  func openPieces() throws(StoreError) -> RecordPieces {
    guard let head else {
      return RecordPieces(try ExportFile.open(path), at: LineEnds(), leastSize: pieceSize)
    }
    return RecordPieces(
      try head.form.open(path), at: LineEnds(of: head.form.dialect, head.shape.lineEnd),
      leastSize: pieceSize)
  }

  /// What a piece shows.
  func survey(_ piece: RecordPiece) throws(StoreError) -> PlainSurvey {
    guard let head else {
      return try PlainJSONSurvey(tokens(of: piece), .lines, inference).tables[0]
    }
    var survey = head.survey
    do throws(FormatError) {
      var reader = reader(of: piece, head)
      if piece.offset == 0, head.form.dialect.hasHeader { _ = try reader.next() }
      try survey.addRecords(of: &reader)
    } catch {
      throw StoreError(error, in: path)
    }
    return survey
  }

  /// Lends the rows of a piece; `body` says whether to go on.
  func readRows(
    of piece: RecordPiece, as table: Table, leading: Int, rules: [SpellingRule],
    _ body: (PieceRows.Part) -> Bool
  ) throws(StoreError) {
    let rows = try openRows(of: piece, as: table, leading: leading, rules: rules)
    var hasMore = true
    while hasMore {
      var batch = RecordBatch(columnCount: table.columns.count)
      hasMore = try rows.fill(&batch)
      guard batch.rowCount > 0 else { continue }
      guard body(PieceRows.Part(batch: batch, position: rows.position)) else { return }
    }
  }

  private func openRows(
    of piece: RecordPiece, as table: Table, leading: Int, rules: [SpellingRule]
  ) throws(StoreError) -> any ExportRows {
    guard let head else {
      return JSONRowReader(
        tokens(of: piece), JSONForm.lines.walk, table: table, leading: leading, rule: .common,
        rules: rules)
    }
    return try CSVRowReader(
      path: path, reader: reader(of: piece, head),
      hasHeader: piece.offset == 0 && head.form.dialect.hasHeader, table: table,
      leading: leading, rules: rules)
  }

  private func tokens(of piece: RecordPiece) -> JSONTokens {
    JSONTokens(
      path: path, stream: ByteStream(piece.bytes), framing: .lines, offset: piece.offset)
  }

  private func reader(of piece: RecordPiece, _ head: Head) -> CSVReader {
    CSVReader(
      ByteStream(piece.bytes), head.form.dialect, shape: piece.offset == 0 ? nil : head.shape,
      offset: piece.offset, line: piece.line)
  }
}
