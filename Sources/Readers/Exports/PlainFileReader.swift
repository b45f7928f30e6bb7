import Bytes
package import Records

/// Reads a plain file of CSV, JSON, NDJSON or XML as a store, most often of one table.
///
/// Opening reads it once, to learn the columns and the type that fits every value of each.
package final class PlainFileReader: StoreReader {
  package let source: SourceDescription
  package let catalogue: Catalogue
  private let file: PlainFile
  private let corrected: CorrectedFile?
  /// How the columns of each table are spelled.
  private let rules: [[SpellingRule]]
  /// The values that could not be taken, by table and column.
  private var misfits: [[ColumnMisfits?]]

  /// Has the tables of a file; the rows of the file at `corrected` replace those of the same key.
  ///
  /// - Throws: `StoreError` when a correction does not fit.
  init(
    _ file: PlainFile, options: PlainOptions, corrections: Corrections,
    corrected: String? = nil
  ) throws(StoreError) {
    self.file = file
    let path = file.path
    let columns = file.tables.reduce(0) { $0 + $1.survey.columns.count }
    var source = SourceDescription(
      name: Paths.fileName(of: path), layout: Layout(rawValue: file.format.rawValue) ?? .csv,
      evidence: ["a plain file of \(columns) columns"])
    source.metadata = file.facts
    self.source = source
    var claimed = CatalogueNames()
    var tables: [Table] = []
    for place in file.tables.indices {
      let name = file.name(ofTable: place)
      tables.append(
        Table(
          name: claimed.claimTable(name), sourceName: name,
          columns: file.tables[place].survey.columns))
    }
    let (dates, others) = corrections.takingSerialDates(of: tables)
    try others.apply(to: &tables, path: path)
    let spelling = file.spelling
    rules = tables.indices.map { table in
      tables[table].columns.indices.map { column in
        var rule = spelling
        rule.hasSerialDates = dates[table].contains(column)
        return rule
      }
    }
    misfits = tables.map { $0.columns.map { _ in nil } }
    catalogue = Catalogue(tables: tables, nameOrigin: .schema)
    if let corrected {
      self.corrected = try CorrectedFile(path: corrected, of: file, options: options)
    } else {
      self.corrected = nil
    }
  }

  package var findings: [Finding] {
    catalogue.tables.indices.flatMap { place in
      PlainFindings(file.tables[place].survey, catalogue.tables[place]).list
    } + file.answer.findings(table: catalogue.tables.count == 1 ? catalogue.tables[0].name : nil)
  }

  /// Whether the file calls its tables by names of their own, so that each must be named again.
  package var namesTables: Bool { file.form?.namesTables == true }

  package func examineRows() throws(StoreError) -> [Finding] {
    zip(catalogue.tables, misfits).flatMap { table, misfits in
      zip(table.columns, misfits).compactMap { $1?.finding(of: $0, in: table.name) }
    }
  }

  package var inputFiles: [String] { [file.path] + (corrected.map { [$0.path] } ?? []) }

  package func isSourceUnchanged() throws(StoreError) -> Bool {
    file.stamp == FileStamp(of: file.path) && corrected?.isUnchanged ?? true
  }

  package func countRows(inTable table: Int) throws(StoreError) -> Int {
    file.tables[table].survey.rows
  }

  package func forEachBatch(
    inTable place: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = catalogue.tables[place]
    var tally = RowTally(of: table, isHashing: false)
    let rules = rules[place]
    var rows = try file.openRows(ofTable: place, as: table, rules: rules)
    if let corrected {
      rows = try corrected.correct(rows, ofTable: place, as: table, rules: rules)
    }
    var misfits = table.columns.map { _ in nil as ColumnMisfits? }
    try rows.forEachBatch(
      columns: table.columns.count, &tally, path: file.path
    ) { (batch) throws(StoreError) in
      for reject in batch.rejects {
        var known =
          misfits[reject.column]
          ?? ColumnMisfits(firstRow: batch.keys[reject.row], rule: rules[reject.column])
        known.count += 1
        misfits[reject.column] = known
      }
      try body(&batch)
    }
    self.misfits[place] = misfits
  }

  package func readQueue() throws(StoreError) -> Queue { Queue() }

  /// Why a column has the type that its values gave it.
  package func typeReason(ofColumn column: Int, inTable table: Int) -> String {
    let survey = file.tables[table].survey
    let told = catalogue.tables[table].columns[column].type
    return told == survey.columns[column].type ? survey.reason(ofColumn: column) : "as --type says"
  }
}
