import Bytes
package import Records

/// Reads plain files of CSV, JSON, NDJSON or XML as a store, most often one file of one table.
///
/// Several files are read together where they have pages of one table. Each was read once before, to
/// learn the columns and the type that fits every value of each; or parts of it were, and the rest is
/// looked at while its rows are read.
package final class LooseFileReader: BatchReader {
  package var source: SourceDescription
  package private(set) var catalogue: Catalogue
  private let files: [PlainFile]
  private var tables: [LooseTable]
  private let corrected: CorrectedFile?
  private let settings: PlainFileSettings
  /// The keys of those rows of the batch that was lent last that are corrected.
  package private(set) var correctedKeys: Set<Int64> = []
  /// The batch that was lent last, with the rows that came before just as they are.
  ///
  /// Whoever corrects rows once more needs them all; nil where none came before or is corrected.
  package private(set) var batchWithRepeats: RecordBatch?

  /// Has the tables of files; the rows of the file at `corrected` replace those of the same key.
  ///
  /// - Throws: `StoreError` when pages or corrections do not fit.
  package init(_ files: [PlainFile], _ settings: PlainFileSettings) throws(StoreError) {
    self.files = files
    self.settings = settings
    var plain = Self.tables(of: files, settings.corrections)
    let (whole, told) = try settings.corrections.apply(to: &plain, path: files.first?.path ?? "")
    source = Self.source(files, plain)
    let tables = zip(plain, zip(whole, told)).map { LooseTable($0, as: $1.0, $1.1) }
    let catalogue = Catalogue(tables: tables.map(\.table), nameOrigin: .schema)
    self.tables = tables
    self.catalogue = catalogue
    corrected = try settings.corrected.map { (path) throws(StoreError) in
      try CorrectedFile(
        path: path, of: plain, catalogue, like: files.first, options: settings.options)
    }
  }

  private static func tables(of files: [PlainFile], _ corrections: Corrections) -> [PlainTable] {
    var tables: [PlainTable] = []
    // Two spellings of one letter make two tables.
    var places: [ExactText: Int] = [:]
    let ownNames = Set(files.flatMap(\.tableNames).map { ExactText($0) })
    for file in files {
      for place in file.tables.indices {
        let page = PlainTable.Page(file: file, place: place)
        let ownName = file.name(ofTable: place)
        let name = corrections.name(ofTable: ownName, among: ownNames)
        let calls = CatalogueNames.calls(ownName, among: ownNames)
        if let known = places[ExactText(name)] {
          tables[known].add(page, calls: calls)
        } else {
          places[ExactText(name)] = tables.count
          tables.append(PlainTable(name: name, page, calls: calls))
        }
      }
    }
    return tables
  }

  private static func source(_ files: [PlainFile], _ tables: [PlainTable]) -> SourceDescription {
    let columns = tables.reduce(0) { $0 + $1.survey.columns.count }
    var evidence = ["a plain file of \(columns.counting("column", "columns"))"]
    if files.count > 1 {
      evidence = ["\(files.count) plain files of \(columns.counting("column", "columns"))"]
    }
    var source = SourceDescription(
      name: files.first.map { Paths.fileName(of: $0.path) } ?? "",
      layout: files.first.flatMap { Layout(rawValue: $0.format.rawValue) } ?? .csv,
      evidence: evidence)
    source.metadata = facts(files)
    return source
  }

  /// How the files were read; what is not the same of all of them is told with their names.
  private static func facts(_ files: [PlainFile]) -> [SourceDescription.Fact] {
    var keys: [String] = []
    for fact in files.flatMap(\.facts) where !keys.contains(fact.key) { keys.append(fact.key) }
    let names = Paths.distinctNames(of: files.map(\.path))
    return keys.map { key in
      let told = files.map { file in file.facts.first { $0.key == key }?.value }
      if let common = told[0], told.allSatisfy({ $0 == common }) { return .init(key, common) }
      let values = zip(names, told).compactMap { name, value in value.map { "\($0) in \(name)" } }
      return .init(key, values.joined(separator: "; "))
    }
  }

  /// Whether a table has rows without keys in its files, which are numbered as they come.
  package func numbersRows(ofTable table: Int) -> Bool {
    let survey = tables[table].plain.survey
    return !survey.hasKey && survey.rows > 0
  }

  /// Takes the values of a column for texts as they stand; a type that a person has told stays.
  package func keepSpelling(ofColumn column: Int, inTable table: Int) {
    tables[table].keepSpelling(ofColumn: column)
    catalogue.tables[table] = tables[table].table
  }

  package func examineRows() throws(StoreError) -> [Finding] { tables.flatMap(\.misfitFindings) }

  package var inputFiles: [String] { files.map(\.path) + (corrected.map { [$0.path] } ?? []) }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    files.allSatisfy { $0.stamp == FileStamp(of: $0.path) } && corrected?.isUnchanged ?? true
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    tables[table].plain.survey.rows
  }

  /// Whether only parts of a file were looked at, so that its rows may still turn out otherwise.
  package var isExpecting: Bool { tables.contains(where: \.plain.isExpected) }

  /// About how many rows a table has, for those who want to know before they are read.
  package func expectedRows(inTable table: Int) -> Int {
    tables[table].plain.expectedRows ?? tables[table].plain.survey.rows
  }
}

// MARK: - Rows

extension LooseFileReader {
  package func read(
    _ place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let repeated =
      settings.joinsPages && tables[place].plain.isPaged
      ? try SeenRows(
        of: catalogue.tables[place], temporaryFolder: settings.temporaryFolder,
        settings.interruption) : nil
    tables[place].repeated = nil
    batchWithRepeats = nil
    if tables[place].plain.isExpected { return try forEachExpectedBatch(inTable: place, body) }
    _ = try forEachWholeBatch(inTable: place) { (batch) throws(StoreError) in
      guard let repeated else { return try body(&batch) }
      let whole: RecordBatch? = self.correctedKeys.isEmpty ? nil : batch
      let count = batch.rowCount
      try repeated.keepNew(of: &batch)
      self.batchWithRepeats = batch.rowCount < count ? whole : nil
      if batch.rowCount > 0 || self.batchWithRepeats != nil { try body(&batch) }
    }
    batchWithRepeats = nil
    // What it takes to find them goes with the table; a file may have thousands.
    tables[place].repeated = repeated?.found
  }

  /// Lends all rows of a file of which only parts were looked at; whoever gets an error while it
  /// `isExpecting` looks at the whole file first, which tells what is wrong.
  private func forEachExpectedBatch(
    inTable place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let types = tables[place].hasTypesOfValues
    let survey = try forEachWholeBatch(inTable: place) { (batch) throws(StoreError) in
      // A value fits the type that all values of its column have.
      guard !batch.rejects.contains(where: { types[$0.column] }) else {
        throw mistake(inTable: place)
      }
      try body(&batch)
    }
    guard let survey, tables[place].settle(survey) else { throw mistake(inTable: place) }
  }

  private func mistake(inTable place: Int) -> StoreError {
    StoreError(
      .internalError, path: tables[place].plain.pages[0].file.path,
      "its rows are not what parts of it let expect")
  }

  /// Lends all rows, those that came twice among them.
  ///
  /// - Returns: what was seen of them, where they were looked at.
  private func forEachWholeBatch(
    inTable place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) -> PlainSurvey? {
    // Whoever gets the rows may ask for more of the table.
    var table = tables[place]
    let survey = try table.forEachBatch(corrected, place) { (batch, keys) throws(StoreError) in
      self.correctedKeys = keys
      try body(&batch)
    }
    tables[place] = table
    return survey
  }

  package func forEachMergedBatch(
    besideTable place: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let repeated = tables[place].repeated?.keys, !repeated.isEmpty else { return }
    let table = catalogue.tables[place]
    let lookup = KeyLookup(repeated)
    let json = RowJSON(of: table)
    _ = try forEachWholeBatch(inTable: place) { (batch) throws(StoreError) in
      var rows: [MergedRow] = []
      for (row, key) in batch.keys.enumerated() where lookup.contains(key) {
        var item: [UInt8] = []
        json.append(row: row, of: batch, to: &item)
        rows.append(MergedRow(repeatedRow: key, of: table.name, item: item))
      }
      if !rows.isEmpty { try body(rows) }
    }
  }
}

// MARK: - What a person should know

extension LooseFileReader {
  package var findings: Findings {
    var answer = JSONAnswer()
    for file in files { answer.add(file.answer) }
    // A file without pages of its own may be the last page of its table.
    if files.count > 1, files.contains(where: { $0.answer.pages == 0 }) {
      answer.addLastPage(rows: tables.map(\.plain.survey.rows))
    }
    let table = tables.count == 1 ? tables[0].table.name : nil
    let repeated = tables.reduce(0) { $0 + ($1.repeated?.keys.count ?? 0) }
    return Findings(
      answer.findings(table: table, repeated: repeated, kept: tables.map(\.keptRows))
        + tables.flatMap(\.findings))
  }

  /// Whether the file calls its tables by names of their own, so that each must be named again.
  package var namesTables: Bool { files.first?.form?.namesTables == true }

  /// What the rows of a table are called in its first file; empty where they have no name there.
  package func rowName(ofTable table: Int) -> String {
    String(decoding: tables[table].plain.element, as: UTF8.self)
  }

  /// How the values of a table's columns are spelled in its first file.
  package func spelling(ofTable table: Int) -> [SpellingRule] { tables[table].spelling }

  /// The names by which a person may call a table: its own, and those that its files say.
  package func names(ofTable table: Int) -> [String] {
    let plain = tables[table].plain
    return [catalogue.tables[table].name, plain.name] + plain.names
  }

  /// The column that one of a page is, by its name in the file; nil where no page has one.
  package func column(inFiles name: String, ofTable table: Int) -> Int? {
    tables[table].column(inFiles: name)
  }

  /// Whether `TABLE.COLUMN` is a place in a table, or in pages of it, that have neither rows nor
  /// columns.
  package func hasNothing(at place: String, inTable table: Int) -> Bool {
    tables[table].plain.hasNothing(at: place)
  }

  /// Why a column of a plain file has the type that its values gave it.
  package func typeReason(ofColumn column: Int, inTable table: Int) -> String {
    tables[table].typeReason(ofColumn: column)
  }

  /// In how many rows of JSON a column is NULL, and in how many it is missing; one that the table does
  /// not have is missing in all of them.
  package func absence(
    ofColumn column: Int?, inTable table: Int
  ) -> (nulls: Int, missing: Int) {
    tables[table].absence(ofColumn: column)
  }
}

extension MergedRow {
  /// The code of the findings that tell of rows which pages have more than once.
  package static let pageCode = "row-on-several-pages"

  /// A row that came before just as it is.
  fileprivate init(repeatedRow key: Int64, of table: String, item: [UInt8]) {
    self.init(
      Finding(
        Self.pageCode, .note, table: table,
        message: "the row came before, just as it is, and is kept once; here it has _pk \(key)"),
      item: item)
  }
}
