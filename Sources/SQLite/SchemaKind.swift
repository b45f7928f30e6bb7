/// What a line of the schema describes.
package enum SchemaKind: String, Sendable {
  case table
  case index
  case view
  case trigger

  /// The condition under which a line is of this kind, in a query that has the schema once, or calls it so.
  ///
  /// It is the engine's own, which holds the word against the statement that it has read: by the text
  /// of any value, up to a zero, whatever its case.
  package func condition(on schema: String? = nil) -> String {
    "CAST(\(schema.map { $0 + "." } ?? "")type AS TEXT) LIKE '\(rawValue)'"
  }
}

extension Connection {
  /// The statement that made something of this kind and name; nil where there is none.
  package func declaration(
    of kind: SchemaKind, named name: String
  ) throws(SQLiteError) -> String? {
    var statement = try lines(of: kind, named: name)
    return try statement.step() ? statement.name(at: 0) : nil
  }

  /// The statements and roots of all of this kind and name, which the engine finds whatever its case.
  func lines(of kind: SchemaKind, named name: String) throws(SQLiteError) -> Statement {
    var statement = try prepare(
      """
      SELECT sql, rootpage FROM sqlite_schema
      WHERE \(kind.condition()) AND CAST(name AS TEXT) = ? COLLATE NOCASE
      """)
    try statement.bind(name: name, at: 1)
    return statement
  }
}
