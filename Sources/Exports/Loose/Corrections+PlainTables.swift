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
  /// and gives their columns the parts that they then have.
  ///
  /// - Returns: what is told of columns beside their names and types, for each table.
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  func apply(
    to tables: inout [Table], called plain: [PlainTable], path: String
  ) throws(StoreError) -> [ColumnChoices] {
    if let correction = names.first(where: { correction in
      plain.contains { $0.name.isEmpty && $0.isRenamed(by: correction) }
    }) {
      throw Self.usage("--rename \(correction)", "the new name is empty or taken", path)
    }
    var told = tables.map { _ in ColumnChoices() }
    let asRead = tables
    var renamed: [ColumnPlace: String] = [:]
    for correction in names where !plain.contains(where: { $0.isRenamed(by: correction) }) {
      let option = "--rename \(correction)"
      if let table = plain.first(where: { $0.hasOtherName(than: correction) }) {
        throw Self.usage(option, "another --rename calls the table \(table.name)", path)
      }
      guard
        let (place, isChained) = try renameColumn(
          correction, in: &tables, asRead, plain, path)
      else { continue }
      guard renamed.updateValue(option, forKey: place) == nil || isChained else {
        throw Self.usage(option, "another --rename calls the column otherwise", path)
      }
      told[place.table].named.insert(place.column)
    }
    // A column may be called by its new name, too, but an old one goes first.
    let called = [asRead, tables]
    var types: [ColumnPlace: String] = [:]
    for correction in self.types {
      let option = "--type \(correction)"
      let (place, type, form) = try Self.type(correction, path, or: DateForm.allCases)
      guard let found = try Self.column(place, of: called, plain, option, path) else { continue }
      let word = form?.rawValue ?? type.rawValue
      guard types.updateValue(word, forKey: found) ?? word == word else {
        throw Self.usage(option, "another --type says otherwise", path)
      }
      tables[found.table].columns[found.column].type = type
      told[found.table].typed.insert(found.column)
      told[found.table].dates[found.column] = form
    }
    for correction in drops {
      let option = "--drop \(correction)"
      guard let found = try Self.column(correction, of: called, plain, option, path) else {
        continue
      }
      try plain[found.table].checkOtherPages(correction, found.column, option, path)
      told[found.table].dropped.insert(found.column)
    }
    for (place, option) in renamed.sorted(by: { $0.value < $1.value })
    where !told[place.table].dropped.contains(place.column) {
      let others = tables[place.table].columns.enumerated().filter { other, _ in
        other != place.column && !told[place.table].dropped.contains(other)
      }
      guard
        Self.canBeCalled(
          tables[place.table].columns[place.column].name, beside: others.map(\.element.name))
      else { throw Self.usage(option, "the new name is empty or taken", path) }
    }
    for place in tables.indices { tables[place].giveRoles(besides: told[place].dropped) }
    return told
  }

  private static func canBeCalled(_ name: String, beside others: [String]) -> Bool {
    var claimed = CatalogueNames()
    for other in others { _ = claimed.claimColumn(other) }
    return !name.isEmpty && hasSameBytes(claimed.claimColumn(name), name)
  }

  /// - Returns: which column it is, and whether the correction calls it by a new name; nil where it
  ///   is about nothing.
  private func renameColumn(
    _ correction: String, in tables: inout [Table], _ asRead: [Table], _ plain: [PlainTable],
    _ path: String
  ) throws(StoreError) -> (place: ColumnPlace, isChained: Bool)? {
    let option = "--rename \(correction)"
    let (place, name) = try Self.name(correction, path)
    let called = [asRead, tables]
    // No table has this name, or it would have the new one.
    guard place.contains(".") else {
      throw Self.usage(
        option,
        place.isEmpty
          ? "it must be TABLE=NAME or TABLE.COLUMN=NAME" : "the store has no table \(place)", path,
        hint: Self.known(called, plain).hint(for: place))
    }
    guard let found = try Self.column(place, of: called, plain, option, path) else {
      return nil
    }
    let isChained = Self.column(place, of: asRead, plain) == nil
    let old = asRead[found.table].columns[found.column].name
    guard !isChained || !isExchange(of: old, with: place) else {
      throw Self.usage(
        option, "the store has no column \(place)", path,
        hint: Self.known([asRead], plain).hint(for: place))
    }
    try plain[found.table].checkOtherPages(place, found.column, option, path)
    tables[found.table].columns[found.column].name = name
    return (found, isChained)
  }

  /// The place of `TABLE.COLUMN`, by any name that either has; of several ways in which tables are
  /// called, the first goes first.
  ///
  /// It is nil where there are neither rows nor columns that could show the column.
  private static func column(
    _ place: String, of called: [[Table]], _ plain: [PlainTable], _ option: String, _ path: String
  ) throws(StoreError) -> ColumnPlace? {
    for tables in called {
      if let found = column(place, of: tables, plain) { return found }
    }
    guard !plain.contains(where: { $0.hasNothing(at: place) }) else { return nil }
    throw usage(
      option, "the store has no column \(place)", path,
      hint: known(called, plain).hint(for: place))
  }

  /// What a person may call the tables and columns, as they are read and as they shall be called.
  private static func known(_ called: [[Table]], _ plain: [PlainTable]) -> KnownNames {
    KnownNames(
      plain.indices.map { place in
        (
          [plain[place].name] + plain[place].calls.joined() + called.map { $0[place].name },
          called.flatMap { $0[place].columns.map(\.name) }
        )
      })
  }

  private static func column(
    _ place: String, of tables: [Table], _ plain: [PlainTable]
  ) -> ColumnPlace? {
    for (table, columns) in tables.map(\.columns).enumerated() {
      for name in [tables[table].name, plain[table].name] + plain[table].calls.joined() {
        guard let own = place.removing(prefix: name + ".") else { continue }
        let found =
          columns.firstIndex { hasSameBytes($0.sourceName, own) }
          ?? columns.firstIndex { hasSameBytes($0.name, own) }
        if let found { return ColumnPlace(table: table, column: found) }
      }
    }
    return nil
  }
}

extension PlainTable {
  /// Throws where a correction names a column by one of several pages and others have it, too: it
  /// is one column of the table, and their values would be changed unasked.
  fileprivate func checkOtherPages(
    _ correction: String, _ column: Int, _ option: String, _ path: String
  ) throws(StoreError) {
    let isNamed = { (name: String) in correction.removing(prefix: name + ".") != nil }
    guard !isNamed(name) else { return }
    let key = survey.keys[survey.keys.startIndex + column]
    let other = pages.indices.first { page in
      !calls[page].contains(where: isNamed) && pages[page].survey.keys.contains(key)
    }
    guard let other else { return }
    throw StoreError(
      .usage, path: path,
      "\(option): \(names[other]), which is a page of \(name), has the column, too",
      hint: "name the column of the whole table with \(name) in front, or seed the pages one by one"
    )
  }
}
