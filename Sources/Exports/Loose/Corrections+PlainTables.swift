import Bytes
import Records

extension Corrections {
  /// What is told of the columns of a plain table beside their names and types: their places.
  struct ColumnChoices {
    var dropped: Set<Int> = []
    /// Those whose type is told.
    var typed: Set<Int> = []
    /// Those whose name is told.
    var named: Set<Int> = []
    /// How times are spelled in those of which that is told.
    var dates: [Int: DateForm] = [:]

    /// Those of which something is told but that they are not wanted.
    var wanted: Set<Int> { typed.union(named) }
  }

  /// Applies everything to the tables of plain files, which are called by their new names already,
  /// and brings their pages together.
  ///
  /// What is told of the columns of one page is done before, so that it may get the names that others
  /// have. At last the columns get the parts that they then have.
  ///
  /// - Returns: the tables, and what is told of their columns beside names and types.
  /// - Throws: `StoreError` when a table, a column or a type does not exist, or pages do not fit.
  func apply(
    to tables: inout [PlainTable], path: String
  ) throws(StoreError) -> (tables: [Table], told: [ColumnChoices]) {
    var corrected = CorrectedTables(tables, path)
    if !isEmpty {
      try corrected.rename(names, isExchange)
      try corrected.drop(drops)
    }
    corrected.mention(mentions + types.compactMap(Self.place(ofType:)))
    try corrected.unitePages()
    try corrected.giveTypes(types)
    tables = corrected.plain
    return (corrected.tables, corrected.told)
  }

  /// The place of which `--type` tells the type.
  private static func place(ofType correction: String) -> String? {
    correction.lastIndex(of: "=").map { String(correction[..<$0]) }
  }
}

/// Tables of plain files while corrections are applied to them.
private struct CorrectedTables {
  typealias ColumnPlace = Corrections.ColumnPlace
  /// A column of a page.
  private struct PagePlace: Hashable {
    let table: Int
    let page: Int
    let column: Int
  }

  private(set) var plain: [PlainTable]
  private let asRead: [PlainTable]
  /// The tables with the columns of all pages, once these are together.
  private(set) var tables: [Table] = []
  private(set) var told: [Corrections.ColumnChoices]
  private let names: [String]
  private let path: String
  private lazy var called = ColumnsCalled(asRead, called: names)
  /// Which option has renamed a column of a page.
  private var renamed: [PagePlace: String] = [:]

  init(_ plain: [PlainTable], _ path: String) {
    self.plain = plain
    self.path = path
    asRead = plain
    told = plain.map { _ in .init() }
    names = CatalogueNames.tables(plain.map(\.name))
  }

  // MARK: Pages

  mutating func rename(
    _ corrections: [String], _ isExchange: (_ old: String, _ place: String) -> Bool
  ) throws(StoreError) {
    var done: Set<ExactText> = []
    for table in plain {
      let own = table.calls.joined().map { ExactText("\($0)=\(table.name)") }
      if table.name.isEmpty, let taken = corrections.first(where: { own.contains(ExactText($0)) }) {
        throw usage("--rename \(taken)", "the new name is empty or taken")
      }
      done.formUnion(own)
    }
    for correction in corrections where !done.contains(ExactText(correction)) {
      let option = "--rename \(correction)"
      if let table = called.table(renamedBy: correction) {
        throw usage(option, "another --rename calls the table \(plain[table].name)")
      }
      let (place, name) = try Corrections.name(correction, path)
      // No table has this name, or it would have the new one.
      guard place.contains(".") else {
        throw usage(
          option,
          place.isEmpty
            ? "it must be TABLE=NAME or TABLE.COLUMN=NAME" : "the store has no table \(place)",
          hint: known().hint(for: place))
      }
      guard let found = try find(place, option) else { continue }
      try rename(found, place, to: name, option) { isExchange($0, place) }
    }
  }

  private mutating func rename(
    _ found: ColumnsCalled.Found, _ text: String, to name: String, _ option: String,
    _ isExchange: (_ old: String) -> Bool
  ) throws(StoreError) {
    for (page, column) in found.places {
      let read = asRead[found.table].pages[page].columns[column]
      guard !found.isRenamed || !isExchange(read.name) else {
        throw usage(
          option, "the store has no column \(text)", hint: known(asRead).hint(for: text))
      }
      let place = PagePlace(table: found.table, page: page, column: column)
      guard renamed.updateValue(option, forKey: place) == nil || found.isRenamed else {
        throw usage(option, "another --rename calls the column otherwise")
      }
      let old = plain[found.table].pages[page].columns[column].name
      called.rename(column, ofPage: page, inTable: found.table, from: old, to: name)
      plain[found.table].rename(column: column, ofPage: page, to: name)
    }
    try checkOtherPages(found, option)
  }

  mutating func drop(_ corrections: [String]) throws(StoreError) {
    for correction in corrections {
      let option = "--drop \(correction)"
      guard let found = try find(correction, option) else { continue }
      try checkOtherPages(found, option)
      for (page, column) in found.places {
        plain[found.table].drop(column: column, ofPage: page)
      }
    }
  }

  /// Takes that something is told of columns, as far as there are such.
  mutating func mention(_ texts: [String]) {
    guard !texts.isEmpty, plain.contains(where: \.hasEmptyColumns) else { return }
    for found in texts.compactMap({ called.find($0) }) {
      for (page, column) in found.places {
        plain[found.table].mention(column: column, ofPage: page)
      }
    }
  }

  /// What `TABLE.COLUMN` means; nil where there are neither rows nor columns that could show it.
  private mutating func find(
    _ place: String, _ option: String
  ) throws(StoreError) -> ColumnsCalled.Found? {
    if let found = called.find(place) { return found }
    guard !plain.contains(where: { $0.hasNothing(at: place) }) else { return nil }
    throw usage(option, "the store has no column \(place)", hint: known().hint(for: place))
  }

  /// Throws where a correction names a column by one of several pages and others have it, too: it is
  /// one column of the table, and their values would be changed unasked.
  private mutating func checkOtherPages(
    _ found: ColumnsCalled.Found, _ option: String
  ) throws(StoreError) {
    guard !found.isOfTable, let (page, column) = found.places.first else { return }
    let table = plain[found.table]
    let name = table.pages[page].columns[column].sourceName
    guard let other = called.page(beside: found, having: name) else { return }
    throw usage(
      option, "\(table.names[other]), which is a page of \(table.name), has the column, too",
      hint: "name the column of the whole table with \(table.name) in front, or seed the pages one "
        + "by one")
  }

  // MARK: Tables

  mutating func unitePages() throws(StoreError) {
    for place in plain.indices {
      try plain[place].unitePages()
      var table = plain[place].table
      table.name = names[place]
      tables.append(table)
      for page in plain[place].pages {
        for case (let column, let own?) in zip(page.columns, page.places) {
          if column.isNamed { told[place].named.insert(own) }
          if column.isDropped { told[place].dropped.insert(own) }
        }
      }
      try checkNames(place)
    }
  }

  /// Throws where a column has no name, or one that another column has.
  private func checkNames(_ table: Int) throws(StoreError) {
    var claimed = CatalogueNames()
    let columns = tables[table].columns.indices.filter { !told[table].dropped.contains($0) }
    for column in columns where !told[table].named.contains(column) {
      _ = claimed.claimColumn(tables[table].columns[column].name)
    }
    for column in columns.reversed() where told[table].named.contains(column) {
      let name = tables[table].columns[column].name
      guard name.isEmpty || !hasSameBytes(claimed.claimColumn(name), name) else { continue }
      throw usage(renaming(column, table), "the new name is empty or taken")
    }
  }

  /// The option that gave a column its name.
  private func renaming(_ column: Int, _ table: Int) -> String {
    plain[table].pages.enumerated().lazy.compactMap { page, own in
      own.column(at: column).flatMap {
        renamed[PagePlace(table: table, page: page, column: $0)]
      }
    }.first ?? "--rename"
  }

  mutating func giveTypes(_ corrections: [String]) throws(StoreError) {
    var types: [ColumnPlace: String] = [:]
    for correction in corrections {
      let option = "--type \(correction)"
      let (place, type, form) = try Corrections.type(
        correction, path, or: Corrections.DateForm.allCases)
      guard let found = try find(place, option), let column = column(found) else { continue }
      let word = form?.rawValue ?? type.rawValue
      guard
        types.updateValue(word, forKey: ColumnPlace(table: found.table, column: column))
          ?? word == word
      else { throw usage(option, "another --type says otherwise") }
      tables[found.table].columns[column].type = type
      told[found.table].typed.insert(column)
      told[found.table].dates[column] = form
    }
    for place in tables.indices {
      tables[place].giveRoles(besides: told[place].dropped, named: told[place].named)
    }
  }

  /// Where the columns of pages are in their table; of several, that which is called as was said.
  private func column(_ found: ColumnsCalled.Found) -> Int? {
    let table = plain[found.table]
    let places = found.places.compactMap { table.pages[$0.page].places[$0.column] }
    return places.first { ExactText(tables[found.table].columns[$0].name) == found.name }
      ?? places.first
  }

  // MARK: Errors

  /// What a person may call the tables and columns, as they are read and as they shall be called.
  private func known() -> KnownNames { known(asRead + plain) }

  private func known(_ tables: [PlainTable]) -> KnownNames {
    KnownNames(
      plain.indices.map { place in
        let pages = stride(from: place, to: tables.count, by: plain.count).flatMap {
          tables[$0].pages
        }
        return (
          [plain[place].name] + plain[place].calls.joined() + [names[place]],
          pages.flatMap { $0.columns.map(\.name) }
        )
      })
  }

  private func usage(_ option: String, _ reason: String, hint: String? = nil) -> StoreError {
    Corrections.usage(option, reason, path, hint: hint)
  }
}
