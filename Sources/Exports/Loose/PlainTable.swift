import Bytes
import Records

/// A table of plain files: its pages, of which each is a file or a part of one.
struct PlainTable {
  let name: String
  private(set) var names: [String]
  /// What a person may call each page: by its name, also as reports show it.
  private(set) var calls: [[String]]
  private(set) var pages: [Page]
  /// What all pages have shown.
  private(set) var survey: PlainSurvey
  /// What the columns are called.
  private var columnNames: [String]
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
    columnNames = page.columns.map(\.name)
    expectedRows = page.file.expectedRows
  }

  /// What the table is called inside of its first file.
  var element: [UInt8] { pages[0].file.tables[pages[0].place].element }

  /// Whether the same row may have come twice: services move rows from page to page.
  var isPaged: Bool { pages.count > 1 || pages.contains { $0.file.paged.contains($0.place) } }

  /// Whether `TABLE.COLUMN` is a place in the table, or in pages of it, that have neither rows nor
  /// columns: a service that has no rows tells no columns either.
  func hasNothing(at place: String) -> Bool {
    let isMeant = { (name: String) in place.removing(prefix: name + ".") != nil }
    if pages.allSatisfy(\.survey.isEmpty) {
      return isMeant(name) || calls.joined().contains(where: isMeant)
    }
    let meant = zip(calls, pages).filter { $0.0.contains(where: isMeant) }
    return !isMeant(name) && !meant.isEmpty && meant.allSatisfy { $0.1.survey.isEmpty }
  }

  /// Takes a further page, which a person may call in several ways.
  mutating func add(_ page: Page, calls more: [String]) {
    pages.append(page)
    names.append(page.file.name(ofTable: page.place))
    calls.append(more)
  }

  /// Calls a column of a page otherwise, as a person says.
  mutating func rename(column: Int, ofPage page: Int, to name: String) {
    pages[page].columns[column].name = name
    pages[page].columns[column].isNamed = true
  }

  /// Takes that a person tells something of a column of a page.
  mutating func mention(column: Int, ofPage page: Int) {
    pages[page].columns[column].isMentioned = true
  }

  /// Leaves out a column of a page.
  mutating func drop(column: Int, ofPage page: Int) {
    pages[page].columns[column].isDropped = true
  }

  /// Brings the columns of all pages together, once all is said about those of each.
  ///
  /// - Throws: `StoreError` when they have keys that do not go on behind those of the pages before.
  mutating func unitePages() throws(StoreError) {
    guard pages.count > 1 else {
      columnNames = pages[0].columns.map(\.name)
      return
    }
    let united = UnitedPages(pages)
    survey = PlainSurvey(unitingLike: survey)
    for (page, empty) in emptyColumns.enumerated() {
      var keys: [[UInt8]?] = united.keys(ofPage: page)
      for column in empty { keys[column] = nil }
      try unite(page, as: keys)
    }
    let places = Dictionary(
      uniqueKeysWithValues: survey.keys.enumerated().map { ($0.element, $0.offset) })
    columnNames = survey.columns.map(\.name)
    for (key, name) in zip(united.keys, united.names) {
      if let place = places[key] { columnNames[place] = name }
    }
    for page in pages.indices {
      pages[page].places = united.keys(ofPage: page).map { places[$0] }
    }
  }

  /// Whether any page has columns that are none of the table unless somebody wants them.
  var hasEmptyColumns: Bool { pages.contains { !$0.emptyColumns.isEmpty } }

  /// The columns of each page that are left out; where that would be all of them, the first one stays.
  private var emptyColumns: [[Int]] {
    var empty = pages.map(\.emptyColumns)
    let first = pages.firstIndex { !$0.columns.isEmpty }
    if let first, zip(pages, empty).allSatisfy({ $0.columns.count == $1.count }) {
      empty[first].removeFirst()
    }
    return empty
  }

  private mutating func unite(_ number: Int, as keys: [[UInt8]?]) throws(StoreError) {
    let page = pages[number]
    let hadKey = survey.hasKey
    guard survey.unite(page.survey, as: keys) else {
      throw StoreError(
        .damaged, path: page.file.path, "the pages of \(name) have too many different columns")
    }
    guard number > 0, !survey.hasKey, hadKey || page.survey.hasKey else { return }
    throw StoreError(
      .usage, path: page.file.path,
      "its _pk does not go on behind that of \(pages[number - 1].file.path), whose table "
        + "\(name) it has, too",
      hint: "take the column _pk out of the files, or call one file otherwise")
  }

  /// What tells where a row is: by its number in its file, where several have rows of the table that
  /// are numbered as they come.
  func wordsOfRows() -> (_ key: Int64) -> String {
    guard pages.count > 1, !survey.hasKey else { return { "row \($0)" } }
    let names = Paths.distinctNames(of: pages.map(\.file.path))
    return { [pages] key in
      var number = Int(key)
      for (page, name) in zip(pages, names) {
        if number <= page.survey.rows { return "row \(number) of \(name)" }
        number -= page.survey.rows
      }
      return "row \(key)"
    }
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
    var columns = survey.columns
    for (place, name) in columnNames.enumerated() { columns[place].name = name }
    return Table(name: name, sourceName: names[0], sourceTable: names[0], columns: columns)
  }

  /// In how many rows of JSON a column is NULL, and in how many it is missing; nil is one that no page
  /// has.
  func absence(ofColumn column: Int?) -> (nulls: Int, missing: Int) {
    let documents = pages.filter { $0.file.form != nil }
    guard let column else { return (0, documents.reduce(0) { $0 + rows(ofPage: $1) }) }
    // What all rows have shown is known of the table alone.
    guard documents.count < pages.count else { return survey.absence(ofColumn: column) }
    var (nulls, missing) = (0, 0)
    for page in documents {
      let own =
        page.column(at: column).map(page.survey.absence(ofColumn:))
        ?? (nulls: 0, missing: page.survey.rows)
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
