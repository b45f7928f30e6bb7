package import Bytes

/// How the texts of a database are written, by the numbers of the file format.
package enum DatabaseEncoding: UInt32, Sendable, CaseIterable {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3

  /// What stands before a text so that its order of bytes is known, and what the engine takes away;
  /// without it a text that begins with it would lose it.
  var mark: [UInt8]? {
    switch self {
    case .utf8: nil
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    }
  }

  /// The encoding that the engine calls by a word.
  init(pragma word: String?) {
    self = Self.allCases.first { $0.pragma == word } ?? .utf8
  }

  /// The word by which the engine calls it.
  package var pragma: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    }
  }
}

extension DatabaseEncoding {
  /// A name as a database holds it; nil where that is not told by its UTF-8.
  package func bytes(ofName name: String) -> [UInt8]? {
    guard self != .utf8 else { return name.keptBytes }
    guard !name.hasKeptBytes else { return nil }
    return name.utf16.flatMap { bytes(ofUnit: $0) }
  }

  /// A unit of UTF-16 in the order of the encoding.
  func bytes(ofUnit unit: UInt16) -> [UInt8] {
    let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
    return self == .utf16BigEndian ? [high, low] : [low, high]
  }
}

/// A line of a schema, whose texts are written as those of its database are.
package struct SchemaLine: Sendable {
  package var type: String
  package var name: [UInt8]
  package var table: [UInt8]
  package var root: Int64
  package var sql: [UInt8]?

  /// Takes all its parts.
  package init(type: String, name: [UInt8], table: [UInt8], root: Int64, sql: [UInt8]?) {
    self.type = type
    self.name = name
    self.table = table
    self.root = root
    self.sql = sql
  }
}

extension Connection {
  /// Says how a new database writes its texts.
  package func write(in encoding: DatabaseEncoding) throws(SQLiteError) {
    try execute("PRAGMA encoding = '\(encoding.pragma)'")
  }

  /// Puts other lines in the place of the schema of a database of our own, numbered from 1.
  ///
  /// From then on lines that the engine does not understand are as if they were not there. It reads
  /// them as it reads those of any file: nothing in them is run, and what they promise of rows is
  /// not asked for.
  package func replaceSchema(
    with lines: [SchemaLine], in encoding: DatabaseEncoding
  ) throws(SQLiteError) {
    try execute("PRAGMA writable_schema = ON")
    // The first statement fails where a line of the schema does, and the others go by the rest.
    _ = try? prepare("SELECT 1 FROM sqlite_schema")
    try execute("DELETE FROM sqlite_schema")
    var insertion = try prepare(
      """
      INSERT INTO sqlite_schema(rowid, type, name, tbl_name, rootpage, sql)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    for (place, line) in lines.enumerated() {
      try insertion.bind(Int64(place + 1), at: 1)
      try insertion.bind(line.type, at: 2)
      try insertion.bind(text: line.name, in: encoding, at: 3)
      try insertion.bind(text: line.table, in: encoding, at: 4)
      try insertion.bind(line.root, at: 5)
      if let sql = line.sql {
        try insertion.bind(text: sql, in: encoding, at: 6)
      } else {
        try insertion.bindNull(at: 6)
      }
      try insertion.run()
    }
    try execute("PRAGMA writable_schema = RESET")
    try execute("PRAGMA writable_schema = ON")
    // As above.
    _ = try? prepare("SELECT 1 FROM sqlite_schema")
  }

  /// The names that the first lines of the schema have, in their order.
  package func names(ofLines count: Int) throws(SQLiteError) -> [String] {
    var names: [String] = []
    var statement = try prepare("SELECT name FROM sqlite_schema ORDER BY rowid LIMIT ?")
    try statement.bind(Int64(count), at: 1)
    while try statement.step() { names.append(statement.name(at: 0)) }
    return names
  }

  /// The pages where the tables and indexes of a database start, by their names.
  package func rootPages() throws(SQLiteError) -> [ExactText: Int64] {
    var roots: [ExactText: Int64] = [:]
    var statement = try prepare("SELECT name, rootpage FROM sqlite_schema")
    while try statement.step() {
      roots[ExactText(statement.name(at: 0))] = statement.integer(at: 1)
    }
    return roots
  }

  /// Whether something of the schema has the name that a new table would have.
  package func isTaken(_ name: String) -> Bool {
    !compiles("CREATE TABLE main.\(quoted(name))(a)")
  }

  /// Whether there is a trigger of this name.
  package func hasTrigger(_ name: String) -> Bool {
    compiles("DROP TRIGGER main.\(quoted(name))")
  }

  /// Whether the engine would run a statement, which is how it says what it knows of names.
  private func compiles(_ sql: String) -> Bool {
    (try? prepare(sql)) != nil
  }
}
