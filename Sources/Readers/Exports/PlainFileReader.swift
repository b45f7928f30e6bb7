import Bytes
import Formats
package import Records

/// Reads a plain file of CSV, JSON or NDJSON as a store of one table.
///
/// Opening reads it once, to learn the columns and the type that fits every value of each.
package final class PlainFileReader: StoreReader {
  package let source: SourceDescription
  package let catalogue: Catalogue
  private let path: String
  private let format: PlainFormat
  private let survey: PlainSurvey
  private let stamp: FileStamp?

  /// Reads the whole file once.
  ///
  /// - Throws: `StoreError` with the place where it is damaged, or when a correction does not fit.
  init(path: String, format: PlainFormat, corrections: Corrections) throws(StoreError) {
    self.path = path
    self.format = format
    stamp = FileStamp(of: path)
    let stream = try ExportFile.open(path)
    switch format {
    case .csv: survey = try PlainSurvey(csv: path, stream)
    case .json:
      survey = try PlainSurvey(JSONTokens(path: path, stream: stream), isArray: true)
    case .ndjson:
      let tokens = JSONTokens(path: path, stream: stream, isSequence: true)
      survey = try PlainSurvey(tokens, isArray: false)
    }
    source = SourceDescription(
      name: Paths.fileName(of: path), layout: Layout(rawValue: format.rawValue) ?? .csv,
      evidence: ["a plain file of \(survey.names.count) columns"])
    var claimed = CatalogueNames()
    let name = ExportFile.tableName(of: path)
    var tables = [
      Table(name: claimed.claimTable(name), sourceName: name, columns: survey.columns)
    ]
    try corrections.apply(to: &tables, path: path)
    catalogue = Catalogue(tables: tables, nameOrigin: .schema)
  }

  package var findings: [Finding] { [] }

  package var inputFiles: [String] { [path] }

  package func isSourceUnchanged() throws(StoreError) -> Bool { stamp == FileStamp(of: path) }

  package func countRows(inTable table: Int) throws(StoreError) -> Int { survey.rows }

  package func forEachBatch(
    inTable table: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = catalogue.tables[table]
    var tally = RowTally(of: table, isHashing: false)
    try openRows(of: table).forEachBatch(
      columns: table.columns.count, &tally, path: path, body)
  }

  private func openRows(of table: Table) throws(StoreError) -> any ExportRows {
    let stream = try ExportFile.open(path)
    switch format {
    case .csv:
      return try CSVRowReader(
        path: path, stream: stream, table: table, hasKey: survey.hasKey, isSafe: false,
        rule: .common)
    case .json, .ndjson:
      let tokens = JSONTokens(path: path, stream: stream, isSequence: format == .ndjson)
      if format == .json { try tokens.expect(.beginArray, "the array of the rows") }
      return JSONRowReader(tokens, table: table, hasKey: survey.hasKey, rule: .common)
    }
  }

  package func readQueue() throws(StoreError) -> Queue { Queue() }
}
