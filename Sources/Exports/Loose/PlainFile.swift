import Bytes
import Formats
package import Records

/// A plain file that has been looked at: its format, and what each of its tables has.
package struct PlainFile {
  package let path: String
  let format: PlainFormat
  /// What each table is called inside the file, where it is, and what was seen.
  package let tables: [(element: [UInt8], survey: PlainSurvey)]
  /// What a file of JSON or XML says beside its rows.
  let answer: JSONAnswer
  /// The tables whose rows came in several pages of the file.
  let paged: Set<Int>
  /// About how many rows it has where only parts of its one table were looked at, which may turn out
  /// otherwise; nil where all was.
  let expectedRows: Int?
  /// Whether only parts were looked at.
  package var isExpected: Bool { expectedRows != nil }
  let stamp: FileStamp?
  /// What was taken for what, to be told.
  package let facts: [SourceDescription.Fact]
  private let options: PlainOptions
  private let way: Way

  /// How the rows are reached: with a place where the last reader of one of several tables has stopped.
  private enum Way {
    /// A file that is written so; on several threads, where it can be cut into pieces.
    case csv(CSVForm, PieceReader?)
    /// A file whose tables lie there, likewise.
    case json(JSONForm, PieceReader?, JSONPlace)
    /// A file of XML, of which the rows of several tables are set aside where they lie among each other.
    case xml(PlainXMLPlace, PlainXMLSpool?)
  }

  /// Reads the whole file; the tables of a JSON file lie where `form` says, if it is given.
  ///
  /// Of a long file of one table only parts are read where `expecting` says so.
  ///
  /// - Throws: `StoreError` with the place where it is damaged, or when it holds no rows.
  package init(
    path: String, format: PlainFormat, options: PlainOptions, form told: JSONForm? = nil,
    expecting: Bool = false
  ) throws(StoreError) {
    self.path = path
    self.options = options
    stamp = FileStamp(of: path)
    let isJSON = format == .json || format == .ndjson
    let look: Look
    if isJSON {
      let form = if let told { told } else { try Self.jsonForm(path, options) }
      self.format = form.framing == .lines ? .ndjson : .json
      let inference = Self.inference(options, hasNumbers: true)
      if self.format == .ndjson,
        let found = try Self.look(inPiecesOf: path, inference, expecting: expecting)
      {
        look = found
      } else {
        look = try Self.look(atJSON: path, form, inference)
      }
      way = .json(form, look.pieces, JSONPlace())
    } else if format == .csv {
      self.format = .csv
      let form = try Self.csvForm(path, options)
      look = try Self.look(
        atCSV: path, form, Self.inference(options, form), expecting: expecting)
      way = .csv(form, look.pieces)
    } else {
      self.format = format
      look = try Self.look(atXML: path, Self.inference(options))
      let isSpooled = look.isInterleaved && PlainXMLSpool.pays(forTables: look.tables.count)
      way = .xml(PlainXMLPlace(), isSpooled ? PlainXMLSpool(path: path, look.tables) : nil)
    }
    tables = look.tables
    facts = look.facts
    expectedRows = look.expectedRows
    answer = look.answer
    paged = look.paged
    try checkTableName()
  }

  private static func inference(
    _ options: PlainOptions, _ csv: CSVForm? = nil, hasNumbers: Bool = false
  ) -> InferenceRule {
    var offered: FormEvidence.Forms = options.isExact ? [] : .all
    if hasNumbers { offered.subtract(.numbers) }
    if csv == nil || options.hasDecimalComma { offered.remove(.commaNumber) }
    return InferenceRule(
      isExact: options.isExact, hasNumbers: hasNumbers, spelling: spelling(csv, options),
      offered: offered)
  }

  private static func jsonForm(
    _ path: String, _ options: PlainOptions
  ) throws(StoreError) -> JSONForm {
    if let refusal = AsyncStorage.refusal(ofManifestAt: path) { throw refusal }
    return try JSONForm(ofFileAt: path, isOfLines: isCalledLines(path, options))
  }

  /// Whether a file of JSON is one of lines by what it is called, or a person says.
  private static func isCalledLines(_ path: String, _ options: PlainOptions) -> Bool {
    let name = Paths.fileName(of: path).lowercased()
    return options.format == .ndjson
      || [".ndjson", ".jsonl", ".ldjson"].contains { name.contains($0) }
  }

  /// Throws where a person has named the table of a file of several, none of which is called so.
  private func checkTableName() throws(StoreError) {
    guard let name = options.tableName, tables.count > 1, !tableNames.contains(name) else { return }
    throw StoreError(
      .usage, path: path, "--table-name is for one table, and the file has \(tables.count)",
      hint: "rename one of them: --rename " + quotedForShell("\(tableNames[0])=\(name)"))
  }

  /// What was seen of a file.
  private struct Look {
    var tables: [(element: [UInt8], survey: PlainSurvey)]
    var facts: [SourceDescription.Fact] = []
    var pieces: PieceReader?
    var expectedRows: Int?
    var answer = JSONAnswer()
    var paged: Set<Int> = []
    var isInterleaved = false
  }

  private static func look(
    atCSV path: String, _ csv: CSVForm, _ inference: InferenceRule, expecting: Bool
  ) throws(StoreError) -> Look {
    let reader = try PieceReader(path: path, csv: csv, inference)
    var expected = expecting ? reader.expectedSurvey() : nil
    // A stretch that begins inside of quotes may seem to have what no field is.
    if expected?.survey.backslashes.isDoubtful == true { expected = nil }
    let (survey, pieces) =
      if let expected { (expected.survey, PieceReader?.some(reader)) } else {
        try Self.survey(reader, csv, inference)
      }
    try checkBackslashes(survey, hasTabs: csv.dialect.separator == UInt8(ascii: "\t"), path)
    return Look(
      tables: [([], survey)], facts: csv.facts(reader.lineEnd, blankLines: survey.blankLines),
      pieces: pieces, expectedRows: expected?.rows)
  }

  /// Looks at lines of JSON; nil where they cannot be cut into pieces.
  private static func look(
    inPiecesOf path: String, _ inference: InferenceRule, expecting: Bool
  ) throws(StoreError) -> Look? {
    let reader = try PieceReader(path: path, csv: nil, inference)
    let expected = expecting ? reader.expectedSurvey() : nil
    guard let survey = expected?.survey ?? PlainSurvey(inPieces: reader) else { return nil }
    return Look(
      tables: [([], survey)], facts: facts(blankLines: survey.blankLines), pieces: reader,
      expectedRows: expected?.rows)
  }

  private static func look(
    atXML path: String, _ inference: InferenceRule
  ) throws(StoreError) -> Look {
    let stream = try ExportFile.open(path)
    let found = try PlainXMLSurvey(XMLTokens(path: path, stream: stream), inference)
    return Look(
      tables: found.tables.isEmpty ? [([], PlainSurvey(inference))] : found.tables,
      answer: found.answer, isInterleaved: found.isInterleaved)
  }

  private static func look(
    atJSON path: String, _ form: JSONForm, _ inference: InferenceRule
  ) throws(StoreError) -> Look {
    let found = try PlainJSONSurvey(tokens(ofJSONAt: path, form), form, inference)
    if form.isTold { try form.checkReached(found, path) }
    return Look(
      tables: Array(zip(form.names, found.tables)),
      facts: facts(blankLines: found.tables[0].blankLines), answer: found.answer,
      paged: found.paged)
  }

  static func facts(blankLines: Int) -> [SourceDescription.Fact] {
    blankLines > 0 ? [.init("blank lines", "\(blankLines)")] : []
  }

  private static func csvForm(
    _ path: String, _ options: PlainOptions
  ) throws(StoreError) -> CSVForm {
    var detection = try CSVDetection(path: path, options: options)
    guard let form = try detection.form() else {
      throw StoreError(.notAStore, path: path, "the file is empty")
    }
    return form
  }

  /// Looks at all records, on several threads where that is possible.
  private static func survey(
    _ reader: PieceReader, _ form: CSVForm, _ inference: InferenceRule
  ) throws(StoreError) -> (PlainSurvey, PieceReader?) {
    if let found = PlainSurvey(inPieces: reader) { return (found, reader) }
    let whole = try form.openReader(reader.path)
    do throws(FormatError) {
      return (try PlainSurvey(csv: whole, inference), nil)
    } catch {
      throw StoreError(error, in: reader.path)
    }
  }

  /// Throws where what comes behind the beginning of a file leaves open what backslashes mean.
  private static func checkBackslashes(
    _ survey: PlainSurvey, hasTabs: Bool, _ path: String
  ) throws(StoreError) {
    let seen = survey.backslashes
    guard seen.isDoubtful else { return }
    guard seen.hasEscapedNull, !seen.isEscaped else {
      throw CSVDetection.doubtfulBackslashes(path)
    }
    throw StoreError(
      .usage, path: path, #"a field is \N, which may be no value, as in text of COPY"#,
      hint: hasTabs
        ? #"say --from copy, or --null '\N', or --from csv where it is a text"#
        : #"say --null '\N', or --null '' where it is a text"#)
  }

  private static func spelling(_ form: CSVForm?, _ options: PlainOptions) -> SpellingRule {
    var rule = SpellingRule.common
    guard let form else { return rule }
    if options.hasDecimalComma {
      rule.decimal = UInt8(ascii: ",")
      rule.thousands = UInt8(ascii: ".")
    } else if form.dialect.separator == UInt8(ascii: ",") {
      // Where a comma stands between fields, it stands before no fraction.
      rule.thousands = UInt8(ascii: ",")
    }
    return rule
  }

  /// How a CSV file is written; nil for other formats.
  private var csv: CSVForm? { if case .csv(let form, _) = way { form } else { nil } }

  /// Whether it is CSV with a header of which nobody but its first record tells.
  var hasFoundHeader: Bool { csv?.dialect.hasHeader == true && options.hasHeader == nil }

  /// Where the tables of a JSON file lie; nil for other formats.
  var form: JSONForm? { if case .json(let form, _, _) = way { form } else { nil } }

  /// Which formulas of texts are these texts in the file.
  var formulas: CSVDialect.Formulas { csv?.dialect.formulas ?? .none }

  var spelling: SpellingRule { Self.spelling(csv, options) }

  /// The names of its tables, not yet made fit for a store.
  package var tableNames: [String] { tables.indices.map(name(ofTable:)) }

  /// The name of a table, not yet made fit for a store.
  ///
  /// Where the file has no name itself, its content may tell one.
  package func name(ofTable table: Int) -> String {
    if tables.count == 1, let name = options.tableName { return name }
    let element = tables[table].element
    guard !element.isEmpty else {
      let entity = form?.context.flatMap(JSONAnswer.tableName(ofContext:))
      let told = options.isUnnamed ? answer.tableName ?? entity ?? member : nil
      return told ?? options.name(ofFileAt: path)
    }
    let name = options.name(ofFileAt: path)
    return form == nil
      ? PlainXMLSurvey.tableName(of: element, inFile: name)
      : String(decoding: element, as: UTF8.self)
  }

  /// The member that holds the rows of a JSON file of one table.
  private var member: String? {
    form?.ways.first?.last.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The rows of a table, from their beginning; `isSurveying` looks at those of a file of which not
  /// all was looked at.
  ///
  /// - Throws: `StoreError` when the file can no longer be read.
  func openRows(
    ofTable place: Int, as table: Table, rules: [SpellingRule], isSurveying: Bool = false
  ) throws(StoreError) -> any ExportRows {
    let leading = tables[place].survey.leading
    switch way {
    case .csv(_, let pieces?), .json(_, let pieces?, _):
      return try PieceRows(
        pieces, table: table, leading: leading, rules: rules, isSurveying: isSurveying)
    case .csv(let form, nil):
      return try CSVRowReader(
        path: path, reader: form.openReader(path), hasHeader: form.dialect.hasHeader,
        table: table, leading: leading, rules: rules)
    case .json(let form, nil, let left):
      let survey = tables[place].survey
      let stopped = left.take(before: survey.rowsBefore)
      let start = if let stopped { stopped } else { try openJSON(form) }
      return JSONRowReader(
        start.tokens, start.walk, OwnRows(of: place, count: survey.rows, met: start.rows),
        table: table, leading: leading, rule: .common, rules: rules,
        place: isLast(place) ? nil : left)
    case .xml(let left, let spool):
      let (element, survey) = tables[place]
      let cells = PlainXMLCells(of: table, leading: leading, rules: rules)
      if let rows = try spool?.rows(ofTable: place, as: cells) { return rows }
      let stopped = left.take(before: survey.rowsBefore)
      let start = if let stopped { stopped } else { try openXML() }
      return PlainXMLRowReader(
        start.tokens, start.walk, OwnRows(of: element, count: survey.rows, met: start.rows), cells,
        place: isLast(place) ? nil : left)
    }
  }

  private func openJSON(_ form: JSONForm) throws(StoreError) -> JSONPlace.Place {
    JSONPlace.Place(
      tokens: try Self.tokens(ofJSONAt: path, form), walk: form.walk, rows: 0)
  }

  private static func tokens(
    ofJSONAt path: String, _ form: JSONForm
  ) throws(StoreError) -> JSONTokens {
    JSONTokens(path: path, stream: try ExportFile.open(path), framing: form.framing)
  }

  private func openXML() throws(StoreError) -> PlainXMLPlace.Place {
    let tokens = try XMLTokens(path: path, stream: ExportFile.open(path))
    return PlainXMLPlace.Place(tokens: tokens, walk: PlainXMLWalk(), rows: 0)
  }

  private func isLast(_ place: Int) -> Bool { place + 1 == tables.count }
}
