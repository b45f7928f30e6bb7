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
  private var tables: [PlainTable]
  /// The tables with all columns that the files have, and the places of those that are kept.
  private var whole: [Table]
  private let kept: [[Int]]
  private let corrected: CorrectedFile?
  /// The places of the columns whose type a person has told, by table.
  private let typed: [Set<Int>]
  /// The columns of each table that only say something about its rows.
  private let annotations: [Set<Int>]
  /// How times are spelled in columns of which that is told, by table.
  private let dates: [[Int: Corrections.DateForm]]
  /// The values that could not be taken, by table and column.
  private var misfits: [[ColumnMisfits?]]
  private let settings: PlainFileSettings
  /// The keys of those rows of the batch that was lent last that are corrected.
  package private(set) var correctedKeys: Set<Int64> = []
  /// The batch that was lent last, with the rows that came before just as they are.
  ///
  /// Whoever corrects rows once more needs them all; nil where none came before or is corrected.
  package private(set) var batchWithRepeats: RecordBatch?
  /// What was found in rows, by table.
  private var seen: [Int: RepeatedRows] = [:]

  /// Has the tables of files; the rows of the file at `corrected` replace those of the same key.
  ///
  /// - Throws: `StoreError` when pages or corrections do not fit.
  package init(_ files: [PlainFile], _ settings: PlainFileSettings) throws(StoreError) {
    self.files = files
    self.settings = settings
    var tables = Self.tables(of: files, settings.corrections)
    let (corrected, told) = try settings.corrections.apply(
      to: &tables, path: files.first?.path ?? "")
    source = Self.source(files, tables)
    var whole = corrected
    // What tells an item apart is the same item wherever it stands, also for whoever has sent it.
    for place in whole.indices {
      guard let id = whole[place].index(of: .id), !told[place].typed.contains(id) else { continue }
      tables[place].keepSpelling(ofColumn: id)
      whole[place].columns[id].type = tables[place].survey.type(ofColumn: id)
    }
    self.tables = tables
    self.whole = whole
    typed = told.map(\.typed)
    // What is called or typed by a person is wanted.
    let annotations = zip(tables, told).map { $0.annotations.subtracting($1.wanted) }
    self.annotations = annotations
    let kept = whole.indices.map { table in
      whole[table].columns.indices.filter {
        !told[table].dropped.contains($0) && !annotations[table].contains($0)
      }
    }
    self.kept = kept
    dates = told.map(\.dates)
    misfits = kept.map { $0.map { _ in nil } }
    let catalogue = Catalogue(
      tables: whole.indices.map { place in
        var table = whole[place]
        table.columns = kept[place].map { whole[place].columns[$0] }
        return table
      }, nameOrigin: .schema)
    self.catalogue = catalogue
    self.corrected = try settings.corrected.map { (path) throws(StoreError) in
      try CorrectedFile(
        path: path, of: tables, catalogue, like: files.first, options: settings.options)
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
    !tables[table].survey.hasKey && tables[table].survey.rows > 0
  }

  /// Takes the values of a column for texts as they stand; a type that a person has told stays.
  package func keepSpelling(ofColumn column: Int, inTable table: Int) {
    let place = kept[table][column]
    guard !typed[table].contains(place) else { return }
    tables[table].keepSpelling(ofColumn: place)
    let type = tables[table].survey.type(ofColumn: place)
    whole[table].columns[place].type = type
    catalogue.tables[table].columns[column].type = type
  }

  package func examineRows() throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for (place, table) in catalogue.tables.enumerated()
    where misfits[place].contains(where: { $0 != nil }) {
      let words = tables[place].wordsOfRows()
      findings += zip(table.columns, misfits[place]).compactMap { column, misfits in
        misfits?.finding(of: column, in: table.name, place: words)
      }
    }
    return findings
  }

  package var inputFiles: [String] { files.map(\.path) + (corrected.map { [$0.path] } ?? []) }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    files.allSatisfy { $0.stamp == FileStamp(of: $0.path) } && corrected?.isUnchanged ?? true
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    tables[table].survey.rows
  }

  /// Whether only parts of a file were looked at, so that its rows may still turn out otherwise.
  package var isExpecting: Bool { tables.contains(where: \.isExpected) }

  /// About how many rows a table has, for those who want to know before they are read.
  package func expectedRows(inTable table: Int) -> Int {
    tables[table].expectedRows ?? tables[table].survey.rows
  }

}

// MARK: - Rows

extension LooseFileReader {
  package func read(
    _ place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = catalogue.tables[place]
    let repeated =
      settings.joinsPages && tables[place].isPaged
      ? try SeenRows(
        of: table, temporaryFolder: settings.temporaryFolder, settings.interruption) : nil
    seen[place] = nil
    batchWithRepeats = nil
    if tables[place].isExpected { return try forEachExpectedBatch(inTable: place, body) }
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
    seen[place] = repeated?.found
  }

  /// Lends all rows of a file of which only parts were looked at; whoever gets an error while it
  /// `isExpecting` looks at the whole file first, which tells what is wrong.
  private func forEachExpectedBatch(
    inTable place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let inferred = tables[place].survey.columns.map(\.type)
    let types = kept[place].map { whole[place].columns[$0].type == inferred[$0] }
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
      .internalError, path: tables[place].pages[0].file.path,
      "its rows are not what parts of it let expect")
  }

  /// Lends all rows, those that came twice among them.
  ///
  /// - Returns: what was seen of them, where they were looked at.
  private func forEachWholeBatch(
    inTable place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) -> PlainSurvey? {
    let table = whole[place]
    var tally = ReadTally(of: table, isHashing: false)
    let (kept, dates) = (kept[place], dates[place])
    let spelling = tables[place].spelling
    var rows = try tables[place].openRows(as: table, dates: dates)
    let correctedRows = try corrected?.correct(
      rows, ofTable: place, as: table, spelling: spelling, dates: dates)
    if let correctedRows { rows = correctedRows }
    let rules = spelling.rules(ofColumns: table.columns.count, dates: dates)
    let isWhole = kept.count == table.columns.count
    let path = tables[place].pages[0].file.path
    var misfits = kept.map { _ in nil as ColumnMisfits? }
    try rows.forEachBatch(columns: table.columns.count, &tally, path: path) {
      (batch) throws(StoreError) in
      if !isWhole { batch = batch.choosing(kept) }
      self.correctedKeys = correctedRows?.correctedKeys ?? []
      for reject in batch.rejects {
        var known =
          misfits[reject.column]
          ?? ColumnMisfits(firstRow: batch.keys[reject.row], rule: rules[kept[reject.column]])
        known.count += 1
        misfits[reject.column] = known
      }
      try body(&batch)
    }
    self.misfits[place] = misfits
    return rows.survey
  }

  package func forEachMergedBatch(
    besideTable place: Int, _ body: ([MergedRow]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let repeated = seen[place]?.keys, !repeated.isEmpty else { return }
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
      answer.addLastPage(rows: tables.map(\.survey.rows))
    }
    let table = catalogue.tables.count == 1 ? catalogue.tables[0].name : nil
    let repeated = tables.indices.map { seen[$0]?.keys.count ?? 0 }
    let keptRows = zip(tables, repeated).map { $0.survey.rows - $1 }
    var findings = Findings(
      answer.findings(table: table, repeated: repeated.reduce(0, +), kept: keptRows))
    for place in catalogue.tables.indices {
      let ofTable = PlainFindings(
        tables[place].survey, catalogue.tables[place], wanted: tables[place].name,
        places: kept[place], typed: typed[place], dates: dates[place])
      findings.append(contentsOf: ofTable.list + annotationFindings(place))
      guard let twins = seen[place]?.twins, twins > 0 else { continue }
      let name = catalogue.tables[place].name
      findings.append(
        Finding(
          "duplicate-item-id", .warning, table: name,
          message: "rows of \(name) with the id of another row, which is not the same: \(twins)"))
    }
    return findings
  }

  private func annotationFindings(_ place: Int) -> [Finding] {
    let names = annotations[place].sorted().map { whole[place].columns[$0].sourceName }
    let table = catalogue.tables[place].name
    var findings: [Finding] = []
    if !names.isEmpty {
      findings.append(
        Finding(
          "members-left-aside", .note, table: table,
          message: "annotations in the rows were left aside: \(names.joined(separator: ", "))"))
    }
    if tables[place].tellsOfRemovedItems {
      findings.append(
        Finding(
          "removed-items-among-rows", .warning, table: table,
          message:
            "some rows of \(table) tell of items that the service has removed, and are rows here"
        ))
    }
    return findings
  }

  /// Whether the file calls its tables by names of their own, so that each must be named again.
  package var namesTables: Bool { files.first?.form?.namesTables == true }

  /// What the rows of a table are called in its first file; empty where they have no name there.
  package func rowName(ofTable table: Int) -> String {
    String(decoding: tables[table].element, as: UTF8.self)
  }

  /// How the values of a table's columns are spelled in its first file.
  package func spelling(ofTable table: Int) -> [SpellingRule] {
    let rules = tables[table].spelling.rules(
      ofColumns: whole[table].columns.count, dates: dates[table])
    return kept[table].map { rules[$0] }
  }

  /// The names by which a person may call a table: its own, and those that its files say.
  package func names(ofTable table: Int) -> [String] {
    [catalogue.tables[table].name, tables[table].name] + tables[table].names
  }

  /// The column that one of a page is, by its name in the file; nil where no page has one.
  package func column(inFiles name: String, ofTable table: Int) -> Int? {
    for page in tables[table].pages {
      for case (let column, let place?) in zip(page.columns, page.places)
      where hasSameBytes(column.sourceName, name) {
        if let found = kept[table].firstIndex(of: place) { return found }
      }
    }
    return nil
  }

  /// Whether `TABLE.COLUMN` is a place in a table, or in pages of it, that have neither rows nor
  /// columns.
  package func hasNothing(at place: String, inTable table: Int) -> Bool {
    tables[table].hasNothing(at: place)
  }

  /// Why a column of a plain file has the type that its values gave it.
  package func typeReason(ofColumn column: Int, inTable table: Int) -> String {
    let place = kept[table][column]
    let survey = tables[table].survey
    return whole[table].columns[place].type == survey.type(ofColumn: place)
      ? survey.reason(ofColumn: place) : "as --type says"
  }

  /// In how many rows of JSON a column is NULL, and in how many it is missing; one that the table does
  /// not have is missing in all of them.
  package func absence(
    ofColumn column: Int?, inTable table: Int
  ) -> (nulls: Int, missing: Int) {
    tables[table].absence(ofColumn: column.map { kept[table][$0] })
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
