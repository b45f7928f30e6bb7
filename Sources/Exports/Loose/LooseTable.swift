import Bytes
import Records

/// A table of plain files as it is read: with what a person has told of its columns, and what its rows
/// have shown.
struct LooseTable {
  private(set) var plain: PlainTable
  /// The table with all columns that its files have.
  private var whole: Table
  /// The table with the columns that are kept.
  private(set) var table: Table
  /// The places of these among all.
  private let kept: [Int]
  /// The places of the columns whose type a person has told.
  private let typed: Set<Int>
  /// The places of the columns that only say something about the rows, and are not kept for that.
  private let annotations: Set<Int>
  /// How times are spelled in columns of which that is told.
  private let dates: [Int: Corrections.DateForm]
  /// The values that could not be taken, by kept column.
  private var misfits: [ColumnMisfits?]
  /// What was found of rows that came more than once; nil where nobody looked for them.
  var repeated: RepeatedRows?

  /// Has the columns of a table of which everything is told, under their names and with their types.
  init(_ plain: PlainTable, as whole: Table, _ told: Corrections.ColumnChoices) {
    self.plain = plain
    self.whole = whole
    typed = told.typed
    dates = told.dates
    // What tells an item apart is the same item wherever it stands, also for whoever has sent it.
    if let id = whole.index(of: .id), !typed.contains(id) {
      self.plain.keepSpelling(ofColumn: id)
      self.whole.columns[id].type = self.plain.survey.type(ofColumn: id)
    }
    // What is called or typed by a person is wanted.
    let annotations = plain.annotations.subtracting(told.wanted)
    self.annotations = annotations
    kept = whole.columns.indices.filter {
      !told.dropped.contains($0) && !annotations.contains($0)
    }
    misfits = kept.map { _ in nil }
    table = self.whole
    table.columns = kept.map { table.columns[$0] }
  }

  /// Takes the values of a column for texts as they stand; a type that a person has told stays.
  mutating func keepSpelling(ofColumn column: Int) {
    let place = kept[column]
    guard !typed.contains(place) else { return }
    plain.keepSpelling(ofColumn: place)
    let type = plain.survey.type(ofColumn: place)
    whole.columns[place].type = type
    table.columns[column].type = type
  }

  /// Takes what all rows have shown; false where that is not what parts of them let expect.
  mutating func settle(_ survey: PlainSurvey) -> Bool { plain.settle(survey) }

  /// The kept columns that have the type which the values have.
  var hasTypesOfValues: [Bool] {
    kept.map { whole.columns[$0].type == plain.survey.type(ofColumn: $0) }
  }

  /// How the values of all columns are spelled in its first file.
  private var rules: [SpellingRule] {
    plain.spelling.rules(ofColumns: whole.columns.count, dates: dates)
  }

  /// How the values of its columns are spelled in its first file.
  var spelling: [SpellingRule] {
    let rules = rules
    return kept.map { rules[$0] }
  }

  /// The column that one of a page is, by its name in the file; nil where no page has one.
  func column(inFiles name: String) -> Int? {
    for page in plain.pages {
      for case (let column, let place?) in zip(page.columns, page.places)
      where hasSameBytes(column.sourceName, name) {
        if let found = kept.firstIndex(of: place) { return found }
      }
    }
    return nil
  }

  /// Why a column has its type.
  func typeReason(ofColumn column: Int) -> String {
    let place = kept[column]
    return whole.columns[place].type == plain.survey.type(ofColumn: place)
      ? plain.survey.reason(ofColumn: place) : "as --type says"
  }

  /// In how many rows of JSON a column is NULL, and in how many it is missing; nil is one that the table
  /// does not have.
  func absence(ofColumn column: Int?) -> (nulls: Int, missing: Int) {
    plain.absence(ofColumn: column.map { kept[$0] })
  }
}

// MARK: - Rows

extension LooseTable {
  /// Lends all rows, those that came twice among them, and the keys of those that another file
  /// corrects, in which this is the table at `place`.
  ///
  /// - Returns: what was seen of them, where they were looked at.
  mutating func forEachBatch(
    _ corrections: CorrectedFile?, _ place: Int,
    _ body: (inout RecordBatch, _ corrected: Set<Int64>) throws(StoreError) -> Void
  ) throws(StoreError) -> PlainSurvey? {
    var rows = try plain.openRows(as: whole, dates: dates)
    let corrected = try corrections?.correct(
      rows, ofTable: place, as: whole, spelling: plain.spelling, dates: dates)
    if let corrected { rows = corrected }
    let isWhole = kept.count == whole.columns.count
    var tally = ReadTally(of: whole, isHashing: false)
    var found = Misfits(spelling)
    let kept = kept
    try rows.forEachBatch(
      columns: whole.columns.count, &tally, path: plain.pages[0].file.path
    ) { (batch) throws(StoreError) in
      if !isWhole { batch = batch.choosing(kept) }
      found.add(batch)
      try body(&batch, corrected?.correctedKeys ?? [])
    }
    misfits = found.columns
    return rows.survey
  }

  /// Counts the values that could not be taken.
  private struct Misfits {
    private let rules: [SpellingRule]
    private(set) var columns: [ColumnMisfits?]

    init(_ rules: [SpellingRule]) {
      self.rules = rules
      columns = rules.map { _ in nil }
    }

    mutating func add(_ batch: borrowing RecordBatch) {
      for reject in batch.rejects {
        var known =
          columns[reject.column]
          ?? ColumnMisfits(firstRow: batch.keys[reject.row], rule: rules[reject.column])
        known.count += 1
        columns[reject.column] = known
      }
    }
  }
}

// MARK: - What a person should know

extension LooseTable {
  /// How many rows are kept.
  var keptRows: Int { plain.survey.rows - (repeated?.keys.count ?? 0) }

  /// What is to be told before the rows are read, and of those that came more than once.
  var findings: [Finding] {
    let ofTable = PlainFindings(
      plain.survey, table, wanted: plain.name, places: kept, typed: typed, dates: dates)
    var findings = ofTable.list + plain.findingsOfPages + annotationFindings
    if let twins = repeated?.twins, twins > 0 {
      findings.append(
        Finding(
          "duplicate-item-id", .warning, table: table.name,
          message:
            "rows of \(table.name) with the id of another row, which is not the same: \(twins)"))
    }
    return findings
  }

  /// What is to be told of values that could not be taken.
  var misfitFindings: [Finding] {
    guard misfits.contains(where: { $0 != nil }) else { return [] }
    let words = plain.wordsOfRows()
    return zip(table.columns, misfits).compactMap { column, misfits in
      misfits?.finding(of: column, in: table.name, place: words)
    }
  }

  private var annotationFindings: [Finding] {
    let names = annotations.sorted().map { whole.columns[$0].sourceName }
    var findings: [Finding] = []
    if !names.isEmpty {
      findings.append(
        Finding(
          "members-left-aside", .note, table: table.name,
          message: "annotations in the rows were left aside: \(names.joined(separator: ", "))"))
    }
    if plain.tellsOfRemovedItems {
      findings.append(
        Finding(
          "removed-items-among-rows", .warning, table: table.name,
          message: "some rows of \(table.name) tell of items that the service has removed, and are "
            + "rows here"))
    }
    return findings
  }
}
