import Bytes
import Formats
import Records

/// A plain file that has been looked at once: its format, and what each of its tables has.
package struct PlainFile {
  let path: String
  let format: PlainFormat
  /// What each table is called inside the file, where it is, and what was seen.
  let tables: [(element: [UInt8], survey: PlainSurvey)]
  /// Where the tables of a JSON file lie.
  let form: JSONForm?
  /// What a JSON file says beside its rows.
  let answer: JSONAnswer
  /// Whether its rows came in several pages.
  let isPaged: Bool
  /// What the file was when it was read.
  let stamp: FileStamp?
  /// Reads the file on several threads, where it can be cut into pieces.
  private let pieces: PieceReader?

  /// Reads the whole file; the tables of a JSON file lie where `form` says, if it is given.
  ///
  /// - Throws: `StoreError` with the place where it is damaged, or when it holds no rows.
  init(path: String, format: PlainFormat, form told: JSONForm? = nil) throws(StoreError) {
    self.path = path
    stamp = FileStamp(of: path)
    let isJSON = format == .json || format == .ndjson
    var form = isJSON ? told : nil
    if isJSON, form == nil { form = try JSONForm(ofFileAt: path) }
    self.form = form
    self.format = form.map { $0.framing == .lines ? .ndjson : .json } ?? format
    if let reader = try PieceReader(path: path, format: self.format),
      let survey = PlainSurvey(inPieces: reader)
    {
      tables = [([], survey)]
      pieces = reader
      answer = JSONAnswer()
      isPaged = false
      return
    }
    pieces = nil
    let stream = try ExportFile.open(path)
    if let form {
      let tokens = JSONTokens(path: path, stream: stream, framing: form.framing)
      let found = try PlainJSONSurvey(tokens, form)
      if form.isTold { try form.checkReached(found, path) }
      tables = Array(zip(form.names, found.tables))
      answer = found.answer
      isPaged = found.isPaged
      return
    }
    answer = JSONAnswer()
    isPaged = false
    guard format == .xml else {
      tables = [([], try PlainSurvey(csv: path, stream))]
      return
    }
    let found = try PlainXMLSurvey(XMLTokens(path: path, stream: stream)).tables
    tables = found.isEmpty ? [([], PlainSurvey())] : found
  }

  /// The name of a table, not yet made fit for a store.
  func name(ofTable table: Int) -> String {
    let name = ExportFile.tableName(of: path)
    let element = tables[table].element
    guard !element.isEmpty else { return name }
    return form == nil
      ? PlainXMLSurvey.tableName(of: element, inFile: name)
      : String(decoding: element, as: UTF8.self)
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
      let form = form ?? .lines
      let tokens = JSONTokens(path: path, stream: stream, framing: form.framing)
      return JSONRowReader(
        tokens, form.walk(toTable: place), table: table, leading: leading, rule: .common)
    case .xml:
      return PlainXMLRowReader(
        try XMLTokens(path: path, stream: stream), table: table, element: tables[place].element,
        leading: leading)
    }
  }
}
