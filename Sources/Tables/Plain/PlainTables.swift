import Bytes
import Records
package import SQLite

/// Plans the tables of a store that keeps them as plain SQLite tables.
package struct PlainTables {
  let rules: ColumnRules
  /// The tables that are bookkeeping; names in lower case.
  let leavesOut: @Sendable (String) -> Bool

  /// The tables of the app, in the order of their creation.
  ///
  /// A computed column whose expression fails, or would call what is not trusted, is left out; it
  /// holds nothing of its own.
  package func plan(
    _ tables: [SchemaTable], _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> [PlannedTable] {
    var planned: [PlannedTable] = []
    // A table that is its own index has no plan without the order that its app gave to the key.
    if tables.contains(where: \.isWithoutRowID) {
      try database.connection.compareBytesForUnknownCollations()
    }
    for table in tables where !leavesOut(asciiLowercased(table.name)) {
      planned.append(try plan(table, database))
    }
    return planned
  }

  /// One table, whether it is the app's own or a module keeps its insides in it.
  package func plan(
    _ table: SchemaTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) -> PlannedTable {
    let key = try TableKey(of: table, database.connection)
    let physical = PlannedTable.physical(table.name, sortedAs: key.index)
    let stored = try table.readableColumns(of: physical, database.connection)
    var planned = PlannedTable(
      name: table.name, sourceName: table.name, sourceTable: table.name,
      columns: stored.enumerated().map { position, column in
        PlannedColumn(column, at: position, rules.form(ofDeclared: column.declaredType) ?? .text)
      },
      entity: nil, condition: nil,
      // An index may leave rows out where a file is damaged; the table itself is the evidence.
      origin: quoted(table.name) + " NOT INDEXED", key: key.expression, order: key.order,
      keyIndex: key.index)
    try decideForms(of: &planned, stored, database)
    let others = try namesakes(in: planned, stored, database.connection)
    rules.adapt(&planned.columns, except: others)
    try claimIfAllFit(&planned, database)
    if let place = rules.identity.place(in: stored) {
      planned.columns[place].column.role = .id
      if let versions = rules.versions {
        planned.columns.append(
          versions.column(ofItemsIn: planned, toldApartBy: stored[place].name))
      }
    }
    return planned
  }

  /// The places of columns that are called as one of the SDK's and are the app's own, as their
  /// declared types or their values show.
  private func namesakes(
    in table: PlannedTable, _ columns: [SchemaColumn], _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<Int> {
    var places: Set<Int> = []
    for (place, column) in columns.enumerated() {
      guard let system = rules.systemColumn(named: column.name),
        let declared = rules.form(ofDeclared: column.declaredType)
      else { continue }
      if !system.mayBe(declared) {
        places.insert(place)
      } else if rules.declaresTimes, declared.type == .text,
        case .time(let form) = system.form.decoding,
        try holdsNoTimes(column.name, of: table, form, connection)
      {
        places.insert(place)
      }
    }
    return places
  }

  /// Whether a column has values, and none of them is a time.
  private func holdsNoTimes(
    _ column: String, of table: PlannedTable, _ form: StoredTime,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    var hasValues = false
    var statement = try connection.prepare(Self.values(of: column, table))
    while try statement.step() {
      hasValues = true
      guard statement.storageClass(at: 0) == .text else { return false }
      if statement.withText(at: 0, { form.time($0) }) != nil { return false }
    }
    return hasValues
  }

  private static func values(of column: String, _ table: PlannedTable) -> String {
    let name = quoted(column)
    return "SELECT \(name) FROM \(table.physical) WHERE \(name) IS NOT NULL"
  }

  /// Gives columns that may be the SDK's their part, where every value is what it would be.
  private func claimIfAllFit(
    _ table: inout PlannedTable, _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    for place in table.columns.indices {
      let column = table.columns[place].column
      guard column.type == .text,
        let system = rules.perhaps.first(where: { $0.name == column.sourceName }),
        case .time(let form) = system.form.decoding,
        try holdsOnlyTimes(column.sourceColumn, of: table, form, database.connection)
      else { continue }
      table.columns[place].column.type = system.form.type
      table.columns[place].column.role = system.role
      table.columns[place].decoding = system.form.decoding
    }
  }

  private func holdsOnlyTimes(
    _ column: String, of table: PlannedTable, _ form: StoredTime,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    var statement = try connection.prepare(Self.values(of: column, table))
    while try statement.step() {
      guard statement.storageClass(at: 0) == .text,
        statement.withText(at: 0, { form.time($0) }) != nil
      else { return false }
    }
    return true
  }

  /// Gives columns the form that their values show, where these have a say.
  private func decideForms(
    of table: inout PlannedTable, _ columns: [SchemaColumn],
    _ database: borrowing SourceDatabase
  ) throws(SQLiteError) {
    let undecided = columns.indices.filter {
      rules.goesByContent || rules.form(ofDeclared: columns[$0].declaredType) == nil
    }
    let census = try database.census(ofColumns: undecided, of: table)
    for (place, census) in zip(undecided, census) {
      let type = columns[place].declaredType
      let isBytes = asciiLowercased(type).contains("blob")
      let declared = rules.form(ofDeclared: type)
      let form = census.form(
        declared: rules.goesByContent && isBytes ? declared ?? .binary : declared,
        whenEmpty: declared ?? (isBytes ? .binary : .text))
      table.columns[place].column.type = form.type
      table.columns[place].column.isUndecided = declared == nil && !isBytes && census.isEmpty
      table.columns[place].decoding = form.decoding
    }
  }
}

extension PlannedColumn {
  fileprivate init(_ column: SchemaColumn, at position: Int, _ form: ColumnForm) {
    self.init(
      column: Column(name: column.name, type: form.type), position: position,
      expression: quoted(column.name), decoding: form.decoding)
  }
}
