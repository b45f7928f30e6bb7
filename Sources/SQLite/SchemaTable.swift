import Bytes

/// A true table of a database, with its columns as they were declared.
package struct SchemaTable: Sendable, Equatable {
  /// The name as stored.
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
  /// Whether every row must have a value, and none is given for those that bring none.
  package let isRequired: Bool
  /// Whether rows that bring no value get one, those among them that are older than the column.
  package let hasDefault: Bool
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
      WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY rowid
      """)
    while try statement.step() {
      if let name = statement.text(at: 0) { places.append((name, statement.integer(at: 1))) }
    }
    let kinds = try tableKinds()
    var columns = try prepare(Self.columnsOfTable)
    var tables: [SchemaTable] = []
    for (name, root) in places {
      let kind = kinds[ExactText(name)]
      let table = SchemaTable(
        name: name, columns: try Self.columns(of: name, &columns),
        isWithoutRowID: kind?.isWithoutRowID ?? false)
      if kind?.isShadow == true, try isMadeByModule(table) { continue }
      // By a name that had to be mended, or that it has only here, the engine finds another or none.
      if kind != nil, !name.unicodeScalars.contains("\u{FFFD}") { known.add(table, root: root) }
      tables.append(table)
    }
    if known.isFixed { known.tables = tables }
    return tables
  }

  /// One true table, be it one of the insides of a virtual table; nil when there is none of this name.
  package func table(named name: String) throws(SQLiteError) -> SchemaTable? {
    try remembered(name, in: \.named) { () throws(SQLiteError) in
      var statement = try prepare(
        """
        SELECT wr, name FROM pragma_table_list(?)
        WHERE schema = 'main' AND type IN ('table', 'shadow')
        """)
      try statement.bind(name, at: 1)
      guard try statement.step() else { return nil }
      var columns = try prepare(Self.columnsOfTable)
      return SchemaTable(
        name: statement.text(at: 1) ?? name, columns: try Self.columns(of: name, &columns),
        isWithoutRowID: statement.integer(at: 0) != 0)
    }
  }

  /// The page at which a table begins, by its name as stored; nil when there is none of this name.
  package func rootPage(ofTable name: String) throws(SQLiteError) -> Int64? {
    try remembered(name, in: \.rootPages) { () throws(SQLiteError) in
      var statement = try prepare(
        "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?")
      try statement.bind(name, at: 1)
      return try statement.step() ? statement.integer(at: 0) : nil
    }
  }

  /// The index that a table's primary key has; nil where the table itself is sorted by it.
  package func keyIndex(ofTable name: String) throws(SQLiteError) -> String? {
    try remembered(name, in: \.keyIndexes) { () throws(SQLiteError) in
      var statement = try prepare("SELECT name FROM pragma_index_list(?) WHERE origin = 'pk'")
      try statement.bind(name, at: 1)
      return try statement.step() ? statement.text(at: 0) : nil
    }
  }

  private static let columnsOfTable = """
    SELECT name, type, pk, hidden, "notnull", dflt_value IS NOT NULL FROM pragma_table_xinfo(?)
    ORDER BY cid
    """

  private static func columns(
    of table: String, _ statement: inout Statement
  ) throws(SQLiteError) -> [SchemaColumn] {
    var columns: [SchemaColumn] = []
    statement.reset()
    try statement.bind(table, at: 1)
    while try statement.step() {
      let hidden = statement.integer(at: 3)
      guard hidden != 1 else { continue }
      let hasDefault = statement.integer(at: 5) != 0
      columns.append(
        SchemaColumn(
          name: statement.text(at: 0) ?? "", declaredType: statement.text(at: 1) ?? "",
          keyPlace: Int(statement.integer(at: 2)), isGenerated: hidden != 0,
          isRequired: statement.integer(at: 4) != 0 && !hasDefault, hasDefault: hasDefault))
    }
    return columns
  }

  /// Which tables have no row ids, and which are called as the insides of a virtual table are.
  private func tableKinds() throws(SQLiteError) -> [ExactText: (
    isWithoutRowID: Bool, isShadow: Bool
  )] {
    var kinds: [ExactText: (isWithoutRowID: Bool, isShadow: Bool)] = [:]
    var statement = try prepare(
      "SELECT name, wr, type FROM pragma_table_list WHERE schema = 'main'")
    while try statement.step() {
      guard let name = statement.text(at: 0) else { continue }
      kinds[ExactText(name)] = (statement.integer(at: 1) != 0, statement.text(at: 2) == "shadow")
    }
    return kinds
  }
}

/// A name as SQL spells it, whatever characters it holds.
package func quoted(_ name: String) -> String { spelled(name, UInt8(ascii: "\"")) }

/// A text as SQL spells it; only for statements that take no parameters.
package func quotedLiteral(_ text: String) -> String { spelled(text, UInt8(ascii: "'")) }

/// A text between quotes, with those inside of it doubled; statements are made for every store, and
/// nearly no name has a quote.
private func spelled(_ text: String, _ quote: UInt8) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count + 2)
  bytes.append(quote)
  for byte in text.utf8 {
    if byte == quote { bytes.append(quote) }
    bytes.append(byte)
  }
  bytes.append(quote)
  return String(decoding: bytes, as: UTF8.self)
}
