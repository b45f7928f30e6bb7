import Bytes
import Formats
import Records

/// A plain file that has been looked at once: its format, and what each of its tables has.
struct PlainFile {
  let path: String
  let format: PlainFormat
  /// The name of the rows' elements, where the format has that, and what was seen.
  let tables: [(element: [UInt8], survey: PlainSurvey)]
  /// Reads the file on several threads, where it can be cut into pieces.
  private let pieces: PieceReader?

  /// Reads the whole file.
  ///
  /// - Throws: `StoreError` with the place where it is damaged.
  init(path: String, format: PlainFormat) throws(StoreError) {
    self.path = path
    self.format = format
    if let reader = try PieceReader(path: path, format: format),
      let survey = PlainSurvey(inPieces: reader)
    {
      tables = [([], survey)]
      pieces = reader
      return
    }
    pieces = nil
    let stream = try ExportFile.open(path)
    switch format {
    case .csv: tables = [([], try PlainSurvey(csv: path, stream))]
    case .json:
      tables = [([], try PlainSurvey(JSONTokens(path: path, stream: stream), isArray: true))]
    case .ndjson:
      let tokens = JSONTokens(path: path, stream: stream, isSequence: true)
      tables = [([], try PlainSurvey(tokens, isArray: false))]
    case .xml:
      let found = try PlainXMLSurvey(XMLTokens(path: path, stream: stream)).tables
      tables = found.isEmpty ? [([], PlainSurvey())] : found
    }
  }

  /// The name of a table, not yet made fit for a store.
  func name(ofTable table: Int) -> String {
    let name = ExportFile.tableName(of: path)
    let element = tables[table].element
    return element.isEmpty ? name : PlainXMLSurvey.tableName(of: element, inFile: name)
  }

  /// The rows of a table, from their beginning.
  ///
  /// - Throws: `StoreError` when the file can no longer be read.
  func openRows(
    ofTable place: Int, as table: Table
  ) throws(StoreError) -> any ExportRows {
    let leading = tables[place].survey.leading
    if let pieces { return try PieceRows(pieces, table: table, leading: leading) }
    let stream = try ExportFile.open(path)
    switch format {
    case .csv:
      return try CSVRowReader(
        path: path, reader: CSVReader(stream), table: table, leading: leading, rule: .common)
    case .json, .ndjson:
      let tokens = JSONTokens(path: path, stream: stream, isSequence: format == .ndjson)
      if format == .json { try tokens.expect(.beginArray, "the array of the rows") }
      return JSONRowReader(tokens, table: table, leading: leading, rule: .common)
    case .xml:
      return PlainXMLRowReader(
        try XMLTokens(path: path, stream: stream), table: table, element: tables[place].element,
        leading: leading)
    }
  }
}
