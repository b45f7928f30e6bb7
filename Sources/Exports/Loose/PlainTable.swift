import Bytes
import Records

/// A table of plain files: its pages, of which each is a file or a part of one.
struct PlainTable {
  struct Page {
    let file: PlainFile
    let place: Int
    /// How the numbers of the file are spelled.
    var spelling: SpellingRule

    init(file: PlainFile, place: Int) {
      self.file = file
      self.place = place
      spelling = file.spelling
    }

    var survey: PlainSurvey { file.tables[place].survey }
  }

  let name: String
  private(set) var names: [String]
  /// What a person may call each page: by its name, also as reports show it.
  private(set) var calls: [[String]]
  private(set) var pages: [Page]
  /// What all pages have shown.
  private(set) var survey: PlainSurvey
  /// The places of the columns whose values stay as they stand in the files.
  private var keptColumns: Set<Int> = []
  /// About how many rows there are where that was only parts of one file; nil where it was all.
  private(set) var expectedRows: Int?

  /// A table with its first page, which a person may call in several ways.
  init(name: String, _ page: Page, calls: [String]) {
    self.name = name
    names = [page.file.name(ofTable: page.place)]
    self.calls = [calls]
    pages = [page]
    survey = page.survey
    expectedRows = page.file.expectedRows
  }

  /// What the table is called inside of its first file.
  var element: [UInt8] { pages[0].file.tables[pages[0].place].element }

  /// Whether the same row may have come twice: services move rows from page to page.
  var isPaged: Bool { pages.count > 1 || pages.contains { $0.file.paged.contains($0.place) } }

  /// Whether it has its name from a correction, `OLD=NEW`.
  func isRenamed(by correction: String) -> Bool {
    calls.joined().contains { correction == "\($0)=\(name)" }
  }

  /// Whether `TABLE.COLUMN` is a place in the table, or in pages of it, that have neither rows nor
  /// columns: a service that has no rows tells no columns either.
  func hasNothing(at place: String) -> Bool {
    let isMeant = { (name: String) in place.removing(prefix: name + ".") != nil }
    if survey.isEmpty { return isMeant(name) || calls.joined().contains(where: isMeant) }
    let meant = zip(calls, pages).filter { $0.0.contains(where: isMeant) }
    return !isMeant(name) && !meant.isEmpty && meant.allSatisfy { $0.1.survey.isEmpty }
  }

  /// Whether a correction would call it otherwise than another one does.
  func hasOtherName(than correction: String) -> Bool {
    (calls.joined() + [name]).contains { correction.removing(prefix: $0 + "=") != nil }
  }

  /// Takes a further page, which a person may call in several ways.
  ///
  /// - Throws: `StoreError` when it has keys that do not go on behind those of the pages before.
  mutating func add(_ page: Page, calls more: [String]) throws(StoreError) {
    let hadKey = survey.hasKey
    guard survey.unite(page.survey) else {
      throw StoreError(
        .damaged, path: page.file.path, "the pages of \(name) have too many different columns")
    }
    guard survey.hasKey || !(hadKey || page.survey.hasKey) else {
      throw StoreError(
        .usage, path: page.file.path,
        "its _pk does not go on behind that of \(pages[pages.count - 1].file.path), whose table "
          + "\(name) it has, too",
        hint: "take the column _pk out of both, or call one file otherwise")
    }
    pages.append(page)
    names.append(page.file.name(ofTable: page.place))
    calls.append(more)
  }

  /// Takes what all rows have shown; false where that is not what was expected.
  mutating func settle(_ seen: PlainSurvey) -> Bool {
    var seen = seen
    for column in keptColumns where column < seen.keys.count {
      seen.keepSpelling(ofColumn: column)
    }
    guard seen.bearsOut(survey) else { return false }
    survey = seen
    expectedRows = nil
    return true
  }

  /// Lets no type change the spelling of the values of a column.
  mutating func keepSpelling(ofColumn column: Int) {
    keptColumns.insert(column)
    survey.keepSpelling(ofColumn: column)
  }

  /// Whether it may still turn out to be other than parts of it let expect.
  var isExpected: Bool { expectedRows != nil }

  var table: Table {
    Table(name: name, sourceName: names[0], sourceTable: names[0], columns: survey.columns)
  }

  /// In how many rows of JSON a column is NULL, and in how many it is missing; nil is one that no page
  /// has.
  func absence(ofColumn column: Int?) -> (nulls: Int, missing: Int) {
    let documents = pages.filter { $0.file.form != nil }
    guard let column else { return (0, documents.reduce(0) { $0 + rows(ofPage: $1) }) }
    // What all rows have shown is known of the table alone.
    guard documents.count < pages.count else { return survey.absence(ofColumn: column) }
    let name = Array(survey.keys)[column]
    var (nulls, missing) = (0, 0)
    for page in documents {
      let place = page.survey.keys.enumerated().first { $0.element == name }?.offset
      let own = place.map(page.survey.absence(ofColumn:)) ?? (nulls: 0, missing: page.survey.rows)
      nulls += own.nulls
      missing += own.missing
    }
    return (nulls, missing)
  }

  private func rows(ofPage page: Page) -> Int { pages.count > 1 ? page.survey.rows : survey.rows }

  /// All rows, with the columns of `table`, whose types may have been told; `dates` is how times
  /// are spelled in those of which that is told.
  ///
  /// - Throws: `StoreError` when a file can no longer be read.
  func openRows(as table: Table, dates: [Int: Corrections.DateForm]) throws(StoreError)
    -> any ExportRows
  {
    guard pages.count > 1 else {
      let page = pages[0]
      return try page.file.openRows(
        ofTable: page.place, as: table,
        rules: page.spelling.rules(ofColumns: table.columns.count, dates: dates),
        isSurveying: isExpected)
    }
    return PagedRows(pages, as: table, dates: dates, isNumbering: !survey.hasKey)
  }

  /// How the numbers of its first file are spelled.
  var spelling: SpellingRule { pages[0].spelling }

  /// The columns that OData has put into rows to tell about them; nobody's data.
  var annotations: Set<Int> {
    let isOData = pages.contains { $0.file.answer.context != nil }
    return Set(
      survey.keys.enumerated().filter { _, name in
        JSONWords.isODataAnnotation(name)
          || isOData && pages[0].file.form != nil && JSONWords.isAnnotation(name)
      }.map(\.offset))
  }

  /// Whether rows tell of items that are gone, or of links, as changes of OData have them among others.
  var tellsOfRemovedItems: Bool {
    let areChanges = pages.contains { $0.file.answer.tellsOfChanges }
    return annotations.contains { place in
      let word = JSONWords.word(survey.keys[place])
      return word == "removed" || areChanges && word == "context"
    }
  }
}

/// The rows of several pages, one after the other, with the columns of all.
final class PagedRows: ExportRows {
  private let pages: [PlainTable.Page]
  private let table: Table
  /// How times are spelled in columns of which that is told.
  private let dates: [Int: Corrections.DateForm]
  /// Whether rows are numbered through all pages, as they have no keys of their own.
  private let isNumbering: Bool
  private var next = 0
  private var rows: (any ExportRows)?
  private var places: [Int?] = []
  private var count: Int64 = 0

  init(
    _ pages: [PlainTable.Page], as table: Table, dates: [Int: Corrections.DateForm],
    isNumbering: Bool
  ) {
    self.pages = pages
    self.table = table
    self.dates = dates
    self.isNumbering = isNumbering
  }

  var position: String {
    let position = rows?.position ?? ""
    return pages.count > 1 && next > 0 ? "\(position) of \(pages[next - 1].file.path)" : position
  }

  func fill(_ batch: inout RecordBatch) throws(StoreError) -> Bool {
    if rows == nil, try openPage() == false { return false }
    guard let rows else { return false }
    var own = RecordBatch(columnCount: pages[next - 1].survey.columns.count)
    let hasMore = try rows.fill(&own)
    batch = own.choosing(places)
    if isNumbering { batch.numberKeys(from: count + 1) }
    count += Int64(batch.rowCount)
    if !hasMore, next < pages.count { self.rows = nil }
    return hasMore || next < pages.count
  }

  private func openPage() throws(StoreError) -> Bool {
    guard next < pages.count else { return false }
    let page = pages[next]
    next += 1
    let (own, places) = Self.columns(of: page.survey, in: table)
    self.places = places
    var ownDates: [Int: Corrections.DateForm] = [:]
    for (column, form) in dates { if let place = places[column] { ownDates[place] = form } }
    rows = try page.file.openRows(
      ofTable: page.place, as: Table(name: table.name, columns: own),
      rules: page.spelling.rules(ofColumns: own.count, dates: ownDates))
    return true
  }

  /// The columns that a page has, with the types of the table, and where it has those of the table.
  private static func columns(
    of survey: PlainSurvey, in table: Table
  ) -> (own: [Column], places: [Int?]) {
    var own = survey.columns
    var places: [[UInt8]: Int] = [:]
    for (place, name) in survey.keys.enumerated() { places[name] = place }
    let found = table.columns.map { places[Array($0.sourceName.utf8)] }
    for (column, place) in zip(table.columns, found) {
      if let place { own[place].type = column.type }
    }
    return (own, found)
  }
}
