import Bytes

/// A true table of a database, with its columns as they were declared.
package struct SchemaTable: Sendable, Equatable {
  /// The name as the engine has it.
  package let name: String
  /// The columns in their order; hidden ones are left out.
  package let columns: [SchemaColumn]
  /// Whether rows have no row id.
  package let isWithoutRowID: Bool
}

/// A column as it was declared.
package struct SchemaColumn: Sendable, Equatable {
  /// The name as stored.
  package let name: String
  /// The declared type, as written.
  package let declaredType: String
  /// Its place in the primary key from 1, or 0.
  package let keyPlace: Int
  /// Whether the engine computes it.
  package let isGenerated: Bool
  /// Whether rows hold its value, be it a computed one.
  package let isStored: Bool
  /// Whether every row must have a value.
  package let isNeverNull: Bool
  /// Whether rows that bring no value get one, those among them that are older than the column.
  package let hasDefault: Bool

  /// Whether every row must have a value, and none is given for those that bring none.
  package var isRequired: Bool { isNeverNull && !hasDefault }
}

extension Connection {
  /// The true tables, without views, virtual tables with what is kept for them, and the engine's
  /// own, in order of creation.
  package func tables() throws(SQLiteError) -> [SchemaTable] {
    if let tables = known.tables { return tables }
    var places: [(name: String, root: Int64)] = []
    var statement = try prepare(
      """
      SELECT name, rootpage FROM sqlite_schema
      WHERE \(SchemaKind.table.condition()) AND rootpage > 0
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY rowid
      """)
    while try statement.step() {
      guard statement.storageClass(at: 0) != .null else { continue }
      places.append((statement.name(at: 0), statement.integer(at: 1)))
    }
    let kinds = try tableKinds()
    let shadows =
      kinds.values.contains(where: \.isShadow) ? try ShadowTables(of: self) : nil
    var tables: [SchemaTable] = []
    for (name, root) in places {
      let kind = kinds[ExactText(sqlName: name)]
      let table = SchemaTable(
        name: kind?.name ?? name, columns: try columns(ofTable: name),
        isWithoutRowID: kind?.isWithoutRowID ?? false)
      if kind?.isShadow == true, shadows?.contains(table, of: self) == true { continue }
      // By a name that it has only here the engine finds another or none.
      if kind != nil { known.add(table, root: root) }
      tables.append(table)
    }
    if known.isFixed { known.tables = tables }
    return tables
  }

  /// One true table, be it one of the insides of a virtual table; nil when there is none of this name.
  package func table(named name: String) throws(SQLiteError) -> SchemaTable? {
    try remembered(name, in: \.named) { () throws(SQLiteError) in
      var statement = try prepare("PRAGMA main.table_list(\(quoted(name)))")
      while try statement.step() {
        let kind = TableKind(statement)
        guard kind.isTable else { continue }
        return SchemaTable(
          name: kind.name, columns: try columns(ofTable: name),
          isWithoutRowID: kind.isWithoutRowID)
      }
      return nil
    }
  }

  /// The same of names, all of which are looked up at once; nil for those of no table.
  package func tables(named names: [String]) throws(SQLiteError) -> [SchemaTable?] {
    let kinds = try tableKinds()
    var tables: [SchemaTable?] = []
    for name in names {
      guard let kind = kinds[ExactText(sqlName: name)], kind.isTable else {
        tables.append(nil)
        continue
      }
      tables.append(
        SchemaTable(
          name: kind.name, columns: try columns(ofTable: name),
          isWithoutRowID: kind.isWithoutRowID))
    }
    return tables
  }

  /// The page at which a table begins; nil when there is none of this name.
  package func rootPage(ofTable name: String) throws(SQLiteError) -> Int64? {
    try remembered(name, in: \.rootPages) { () throws(SQLiteError) in
      var statement = try lines(of: .table, named: name)
      return try statement.step() ? statement.integer(at: 1) : nil
    }
  }

  /// The index that a table's primary key has; nil where the table itself is sorted by it.
  package func keyIndex(ofTable name: String) throws(SQLiteError) -> String? {
    try remembered(name, in: \.keyIndexes) { () throws(SQLiteError) in
      try constraintIndexes(ofTable: name).first { $0.isKey }?.name
    }
  }

  /// The columns of a table; those that only a virtual one has are left out.
  ///
  /// It is asked by a statement and not by a query, as a table may be called like the query's source.
  private func columns(ofTable table: String) throws(SQLiteError) -> [SchemaColumn] {
    var columns: [SchemaColumn] = []
    var statement = try prepare("PRAGMA main.table_xinfo(\(quoted(table)))")
    while try statement.step() {
      let hidden = statement.integer(at: 6)
      guard hidden != 1 else { continue }
      columns.append(
        SchemaColumn(
          name: statement.name(at: 1), declaredType: statement.text(at: 2) ?? "",
          keyPlace: Int(statement.integer(at: 5)), isGenerated: hidden != 0,
          isStored: hidden != 2, isNeverNull: statement.integer(at: 3) != 0,
          hasDefault: statement.storageClass(at: 4) != .null))
    }
    return columns
  }

  /// What the engine knows of a table, a view or a virtual table by its name.
  private struct TableKind {
    /// The name in the statement that made it, whatever the case is in which its line has it.
    let name: String
    /// Whether its rows are its own.
    let isTable: Bool
    /// Whether it is called as the insides of a virtual table are.
    let isShadow: Bool
    let isWithoutRowID: Bool

    /// Takes a row of the list of tables.
    init(_ row: borrowing Statement) {
      name = row.name(at: 1)
      let word = row.text(at: 2)
      isShadow = word == "shadow"
      isTable = word == "table" || isShadow
      isWithoutRowID = row.integer(at: 4) != 0
    }
  }

  private func tableKinds() throws(SQLiteError) -> [ExactText: TableKind] {
    var kinds: [ExactText: TableKind] = [:]
    var statement = try prepare("PRAGMA main.table_list")
    while try statement.step() {
      let kind = TableKind(statement)
      kinds[ExactText(sqlName: kind.name)] = kind
    }
    return kinds
  }
}

/// A name as SQL spells it, whatever characters it holds.
package func quoted(_ name: String) -> String { enclosed(name, in: UInt8(ascii: "\"")) }

/// A text as SQL spells it; only for statements that take no parameters.
package func quotedLiteral(_ text: String) -> String { enclosed(text, in: UInt8(ascii: "'")) }
