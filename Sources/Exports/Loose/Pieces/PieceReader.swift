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

  /// Whether a piece tells by itself what its rows are; where records may lack fields, it depends on
  /// all others whether the last one is whole.
  var isCuttable: Bool { head?.shape.hasLooseEnd != true }

  /// Whether odd bytes of a CSV file are escaped with a backslash.
  var isEscaped: Bool { head?.form.dialect.isEscaped == true }

  /// Cuts the whole file; a piece is read into cells for all columns of a table, where one is given.
  ///
  /// Lines of a few bytes may stand for rows of very many columns.
  func openPieces(for table: Table? = nil) throws(StoreError) -> RecordPieces {
    let mostLines = table.map { Self.mostCells / max(1, $0.columns.count) } ?? .max
    guard let head else {
      return RecordPieces(
        try ExportFile.open(path), at: LineEnds(), leastSize: pieceSize, mostLines: mostLines)
    }
    return RecordPieces(
      try head.form.open(path), at: LineEnds(of: head.form.dialect, head.shape.lineEnd),
      leastSize: pieceSize, mostLines: mostLines)
  }

  /// About how many cells the rows of a piece may have.
  private static let mostCells = 1 << 17

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

  /// Lends the rows of a piece, and with the last of them what was seen of all if that is wanted;
  /// `body` says whether to go on.
  func readRows(
    of piece: RecordPiece, as table: Table, leading: Int, rules: [SpellingRule],
    isSurveying: Bool, _ body: (PieceRows.Part) -> Bool
  ) throws(StoreError) {
    let rows = try openRows(
      of: piece, as: table, leading: leading, rules: rules, isSurveying: isSurveying)
    var hasMore = true
    while hasMore {
      var batch = RecordBatch(columnCount: table.columns.count)
      hasMore = try rows.fill(&batch)
      guard batch.rowCount > 0 || isSurveying && !hasMore else { continue }
      let survey = hasMore ? nil : rows.survey
      let part = PieceRows.Part(batch: batch, position: rows.position, survey: survey)
      guard body(part) else { return }
    }
  }

  private func openRows(
    of piece: RecordPiece, as table: Table, leading: Int, rules: [SpellingRule], isSurveying: Bool
  ) throws(StoreError) -> any ExportRows {
    guard let head else {
      return JSONRowReader(
        tokens(of: piece), JSONForm.lines.walk, table: table, leading: leading, rule: .common,
        rules: rules, survey: isSurveying ? PlainSurvey(inference) : nil)
    }
    return try CSVRowReader(
      path: path, reader: reader(of: piece, head),
      hasHeader: piece.offset == 0 && head.form.dialect.hasHeader, table: table,
      leading: leading, rules: rules, survey: isSurveying ? head.survey : nil)
  }

  private func tokens(of piece: RecordPiece) -> JSONTokens {
    JSONTokens(
      path: path, stream: ByteStream(piece.bytes), framing: .lines, offset: piece.offset)
  }

  private func reader(of piece: RecordPiece, _ head: Head) -> CSVReader {
    CSVReader(
      ByteStream(piece.bytes), head.form.dialect, textStart: head.form.textStart,
      shape: piece.offset == 0 ? nil : head.shape, offset: piece.offset, line: piece.line)
  }
}

/// Reads the rows of a plain file on several threads, in the order of the file.
final class PieceRows: ExportRows {
  struct Part: Sendable {
    var batch: RecordBatch
    /// Where the last of them stands.
    let position: String
    /// What was seen of the piece, at its end.
    let survey: PlainSurvey?
  }

  private(set) var position = ""
  /// What was seen of the rows so far, where they are looked at while they are read.
  private(set) var survey: PlainSurvey?
  private let path: String
  /// Whether the rows have no keys of their own; then they are numbered from 1.
  private let isNumbering: Bool
  private var pieces: RecordPieces
  private var work: OrderedWork<RecordPiece, Result<Part, StoreError>>
  private var ready: [Part] = []
  private var rowCount: Int64 = 0
  private var isAtEnd = false

  /// Reads the rows of a table, which begin with `leading` of `_pk` and `_reject`.
  init(
    _ reader: PieceReader, table: Table, leading: Int, rules: [SpellingRule],
    isSurveying: Bool = false
  ) throws(StoreError) {
    path = reader.path
    isNumbering = leading == 0
    pieces = try reader.openPieces(for: table)
    work = OrderedWork(threads: PieceReader.threads) {
      { piece, emit in
        do throws(StoreError) {
          try reader.readRows(
            of: piece, as: table, leading: leading, rules: rules, isSurveying: isSurveying
          ) { emit(.success($0)) }
        } catch {
          _ = emit(.failure(error))
        }
      }
    }
  }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    while ready.isEmpty, !isAtEnd { try readOn() }
    guard !ready.isEmpty else { return false }
    var part = ready.removeFirst()
    if let seen = part.survey, !PlainSurvey.add(seen, to: &survey) {
      throw StoreError(.damaged, path: path, "the rows have too many different columns")
    }
    // The reader of a piece does not know how many rows come before it.
    if isNumbering { part.batch.numberKeys(from: rowCount + 1) }
    rowCount += Int64(part.batch.rowCount)
    position = part.position
    batch = part.batch
    return !(isAtEnd && ready.isEmpty)
  }

  private func readOn() throws(StoreError) {
    let piece: RecordPiece?
    do { piece = try pieces.next() } catch { throw StoreError(error, in: path) }
    if let piece {
      try work.put(piece) { (part) throws(StoreError) in ready.append(try part.get()) }
    } else {
      isAtEnd = true
      try work.finish { (part) throws(StoreError) in ready.append(try part.get()) }
    }
  }
}

extension PlainSurvey {
  /// Looks at all records of a file on several threads.
  ///
  /// - Returns: nil where a piece cannot be understood by itself. Then the file is damaged, or not
  ///   what its pieces were cut for; one reader for all of it tells which.
  init?(inPieces reader: PieceReader) {
    guard reader.isCuttable else { return nil }
    var work = OrderedWork<RecordPiece, PlainSurvey?>(threads: PieceReader.threads) {
      // The error of a piece is found again by whoever reads the file as a whole.
      { piece, emit in _ = emit(try? reader.survey(piece)) }
    }
    var whole: PlainSurvey?
    do throws(PieceTrouble) {
      var pieces: RecordPieces
      do { pieces = try reader.openPieces() } catch { throw PieceTrouble() }
      while true {
        let piece: RecordPiece?
        do { piece = try pieces.next() } catch { throw PieceTrouble() }
        guard let piece else { break }
        try work.put(piece) { (part) throws(PieceTrouble) in try Self.take(part, &whole) }
      }
      try work.finish { (part) throws(PieceTrouble) in try Self.take(part, &whole) }
    } catch {
      return nil
    }
    guard let whole else { return nil }
    self = whole
  }

  private static func take(
    _ part: PlainSurvey?, _ whole: inout PlainSurvey?
  ) throws(PieceTrouble) {
    guard let part, add(part, to: &whole) else { throw PieceTrouble() }
  }

  /// Takes what was seen of the next piece; false where that does not tell all about it.
  static func add(_ part: PlainSurvey, to whole: inout PlainSurvey?) -> Bool {
    // The first piece is taken as it is.
    let isAdded = whole?.add(part)
    if isAdded == nil { whole = part }
    return isAdded != false
  }
}

/// Why a file cannot be read in pieces; who reads it as a whole finds the reason.
private struct PieceTrouble: Error {}
