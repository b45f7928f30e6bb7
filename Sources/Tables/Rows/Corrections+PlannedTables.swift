import Bytes
package import Records

extension Corrections {
  /// Applies everything to tables whose names are not claimed yet.
  ///
  /// `time` is how the layout stores a time where nothing else is known. Where the store spells no
  /// names and those of columns are guesses, new ones are the app's own.
  ///
  /// - Throws: `StoreError` when a table, a column or a type does not exist.
  package func apply(
    to tables: inout [PlannedTable], time: CellDecoding, path: String, areGuesses: Bool = false
  ) throws(StoreError) {
    guard drops.isEmpty else {
      throw StoreError(
        .usage, path: path, "--drop is for columns of plain files", hint: "leave --drop away")
    }
    let asRead = tables
    // A name may have to give way; then the one that everything else shows is meant, too.
    var claimed = asRead
    _ = claimed.claimNames(origin: .schema)
    try rename(&tables, claimed, path)
    if areGuesses {
      for place in tables.indices { tables[place].takeOwnNames(ofColumnsCalled: asRead[place]) }
    }
    let called = [asRead, claimed, tables, asRead.map(\.calledAsInSource)]
    var told: [ColumnPlace: Answer] = [:]
    for correction in types {
      let (name, type, form) = try Self.type(correction, path, or: DateForm.ofDatabases)
      guard let place = Self.column(name, in: called) else {
        throw Self.usage(
          "--type \(correction)", "the store has no column \(name)", path,
          hint: KnownNames(called).hint(for: name))
      }
      let answer = Answer(type: type, form: form)
      guard told.updateValue(answer, forKey: place) ?? answer == answer else {
        throw Self.usage("--type \(correction)", "another --type says otherwise", path)
      }
    }
    for (place, answer) in Self.shared(told, by: asRead) {
      tables[place.table].columns[place.column].take(answer, time: time)
    }
  }

  /// What a person says of a column.
  fileprivate struct Answer: Equatable {
    let type: LogicalType
    let form: DateForm?
  }

  /// What is told of a column of an entity holds for all entities of its table that have the
  /// column, read as the same type, but for those of which something else is told; where that
  /// differs, what is told of the first goes.
  private static func shared(
    _ told: [ColumnPlace: Answer], by tables: [PlannedTable]
  ) -> [ColumnPlace: Answer] {
    let places = told.keys.filter { tables[$0.table].entity != nil }
      .sorted { ($0.table, $0.column) < ($1.table, $1.column) }
    guard !places.isEmpty else { return told }
    let answers = Dictionary(
      keepingFirst: places.map { (SharedColumn($0, of: tables), told[$0]) })
    var all = told
    for table in tables.indices where tables[table].entity != nil {
      for column in tables[table].columns.indices {
        let place = ColumnPlace(table: table, column: column)
        if all[place] == nil { all[place] = answers[SharedColumn(place, of: tables)] ?? nil }
      }
    }
    return all
  }

  /// What the columns of entities that share a table are the same by.
  private struct SharedColumn: Hashable {
    private let table: ExactText
    private let expression: ExactText
    private let name: ExactText
    private let type: LogicalType

    init(_ place: ColumnPlace, of tables: [PlannedTable]) {
      let column = tables[place.table].columns[place.column]
      table = ExactText(tables[place.table].sourceTable)
      expression = ExactText(column.expression)
      name = ExactText(column.column.name)
      type = column.column.type
    }
  }

  /// The places of a table and of its column that are called `TABLE.COLUMN`; of several ways in
  /// which tables are called, the first goes first.
  private static func column(_ place: String, in called: [[PlannedTable]]) -> ColumnPlace? {
    if let found = called.lazy.compactMap({ column(place, in: $0, withColumnsOf: $0) }).first {
      return found
    }
    // Only one of the two names may have given way, or be new.
    for columns in called {
      for tables in called {
        if let found = column(place, in: tables, withColumnsOf: columns) { return found }
      }
    }
    return nil
  }

  private static func column(
    _ place: String, in tables: [PlannedTable], withColumnsOf others: [PlannedTable]
  ) -> ColumnPlace? {
    for table in tables.indices {
      guard let name = place.removing(prefix: tables[table].name + "."),
        let column = others[table].columns.firstIndex(where: { hasSameBytes($0.column.name, name) })
      else { continue }
      return ColumnPlace(table: table, column: column)
    }
    return nil
  }

  /// Gives all their new names at once, so that two can exchange theirs; `claimed` are the tables as
  /// reports show them.
  private func rename(
    _ tables: inout [PlannedTable], _ claimed: [PlannedTable], _ path: String
  ) throws(StoreError) {
    let asRead = tables
    let ownNames = asRead.map(\.name)
    let shownNames = claimed.map(\.name)
    var names = ownNames
    var ofTables: [Int: String] = [:]
    var ofColumns: [String] = []
    for correction in self.names {
      // What has a new name may be called by it, but an old one goes first.
      let own = Self.place(renamedBy: correction, in: ownNames)
      let shown = own == nil ? Self.place(renamedBy: correction, in: shownNames) : nil
      let new = Self.place(renamedBy: correction, in: names)
        .flatMap { isExchange(of: ownNames[$0], with: names[$0]) ? nil : $0 }
      guard let table = own ?? shown ?? new else {
        ofColumns.append(correction)
        continue
      }
      let isChained = own == nil && shown == nil
      guard ofTables.updateValue(correction, forKey: table) == nil || isChained else {
        throw Self.usage(
          "--rename \(correction)", "another --rename calls the table otherwise", path)
      }
      let old = shown == nil ? names[table] : shownNames[table]
      names[table] = correction.removing(prefix: old + "=") ?? ""
    }
    tables.renameTables(to: names)
    for (place, correction) in ofTables.sorted(by: { $0.key < $1.key }) {
      let name = names[place]
      guard !name.isEmpty, names.count(where: { hasSameBytes($0, name) }) == 1 else {
        throw Self.usage("--rename \(correction)", "the new name is empty or taken", path)
      }
    }
    try renameColumns(ofColumns, in: &tables, asRead, claimed, path)
  }

  /// The place of the name that a correction replaces.
  private static func place(renamedBy correction: String, in names: [String]) -> Int? {
    // A name may hold an equals sign itself, so the longest one that fits is meant.
    names.indices.filter { correction.removing(prefix: names[$0] + "=") != nil }
      .max { names[$0].utf8.count < names[$1].utf8.count }
  }

  /// Renames columns, whose tables may be called as they were read or by their new names.
  private func renameColumns(
    _ corrections: [String], in tables: inout [PlannedTable], _ asRead: [PlannedTable],
    _ claimed: [PlannedTable], _ path: String
  ) throws(StoreError) {
    // Here only the tables have their new names.
    let withOwnColumns = tables
    var renamed: [ColumnPlace: String] = [:]
    for correction in corrections {
      let option = "--rename \(correction)"
      let (name, new) = try Self.name(correction, path)
      let own = Self.column(name, in: [asRead, claimed, withOwnColumns])
      let called = Self.column(name, in: [asRead, claimed, tables]).flatMap { place in
        let old = asRead[place.table].columns[place.column].column.name
        return isExchange(of: old, with: name) ? nil : place
      }
      let source = Self.column(
        name, in: [asRead.map(\.calledAsInSource), withOwnColumns.map(\.calledAsInSource)])
      guard let place = own ?? called ?? source else {
        throw Self.usage(
          option, "it must be TABLE=NAME or TABLE.COLUMN=NAME for what is there", path,
          hint: KnownNames([asRead, claimed, tables]).hint(for: name))
      }
      let isChained = own == nil && called != nil
      guard renamed.updateValue(correction, forKey: place) == nil || isChained else {
        throw Self.usage(option, "another --rename calls the column otherwise", path)
      }
      tables[place.table].renameColumn(
        place.column, to: new, asRead: asRead[place.table].columns.map(\.column.name))
    }
    for (place, correction) in renamed.sorted(by: { $0.value < $1.value }) {
      let columns = tables[place.table].columns
      let name = ExactText(sqlName: columns[place.column].column.name)
      guard !columns[place.column].column.name.isEmpty,
        columns.count(where: { ExactText(sqlName: $0.column.name) == name }) == 1
      else { throw Self.usage("--rename \(correction)", "the new name is empty or taken", path) }
    }
  }
}

extension KnownNames {
  /// The same tables as they are called in several ways, the first of which is shown.
  fileprivate init(_ called: [[PlannedTable]]) {
    self.init(
      (called.first ?? []).indices.map { place in
        (
          called.map { $0[place].name },
          called.flatMap { $0[place].columns.map(\.column.name) }
        )
      })
  }
}

extension PlannedTable {
  /// The same with the names that the app or its SDK gave to the columns.
  fileprivate var calledAsInSource: PlannedTable {
    var table = self
    for place in columns.indices {
      table.columns[place].column.name = columns[place].column.sourceName
    }
    return table
  }

  /// Takes the names of values that were called otherwise for those that the app sends.
  fileprivate mutating func takeOwnNames(ofColumnsCalled old: PlannedTable) {
    for place in columns.indices where columns[place].column.role == .value {
      let name = columns[place].column.name
      if !hasSameBytes(name, old.columns[place].column.name) {
        columns[place].column.sourceName = name
      }
    }
  }

  /// Gives a column another name; what goes with a reference is called as that, unless it has a new
  /// name itself.
  fileprivate mutating func renameColumn(_ place: Int, to new: String, asRead names: [String]) {
    columns[place].column.name = new
    guard columns[place].column.role == .reference else { return }
    for other in columns.indices
    where [.referenceEntity, .position].contains(columns[other].column.role) {
      guard hasSameBytes(columns[other].column.name, names[other]),
        let ending = names[other].removing(prefix: names[place] + "_"),
        ["entity", "position"].contains(ending)
      else { continue }
      columns[other].column.name = "\(new)_\(ending)"
    }
  }
}

extension PlannedColumn {
  /// Takes what a person has told of it.
  fileprivate mutating func take(_ answer: Corrections.Answer, time: CellDecoding) {
    column.isUndecided = false
    typeSource = .person
    // A column that has the type already keeps its layout's way of storing it.
    guard answer.form != nil || column.type != answer.type else {
      if decoding == .text { decoding = CellDecoding(corrected: answer.type, time: time) }
      return
    }
    setType(answer.type, time: answer.form.flatMap(CellDecoding.init) ?? time)
  }

  /// Takes the type that a person has told; a reference that is none any more refers to no table.
  fileprivate mutating func setType(_ type: LogicalType, time: CellDecoding) {
    column.type = type
    decoding = CellDecoding(corrected: type, time: time)
    // The keys that only the other side knows are whole numbers.
    if type != .integer { otherSide = nil }
    guard column.role == .reference || column.role == .referenceEntity else { return }
    // The key of a row is a number, and SQLite made it of no text.
    if type == .text { decoding = .text }
    column.role = .value
    column.target = nil
    targetTable = nil
  }
}

extension CellDecoding {
  /// How times are read that are stored as a person says; nil where no database has such.
  fileprivate init?(_ form: Corrections.DateForm) {
    switch form {
    case .unixSeconds: self = .time(StoredTime(unit: .seconds))
    case .unixMilliseconds: self = .time(StoredTime(unit: .milliseconds))
    case .serial, .dayFirst, .monthFirst: return nil
    }
  }

  /// How values are read in a column of which a person has told the type.
  init(corrected type: LogicalType, time: CellDecoding) {
    switch type {
    // In columns of some types SQLite makes numbers of the texts that look like them.
    case .text: self = .textOrNumber
    case .uri, .json: self = .text
    case .integer: self = .integer
    case .real: self = .real
    case .boolean: self = .boolean
    case .timestamp: self = time
    case .decimal: self = .decimal
    case .uuid: self = .uuid
    case .binary: self = .base64
    case .reference: self = .reference(otherSide: [:])
    }
  }
}
