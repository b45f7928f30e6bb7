import SQLite

/// How many values of each storage class a column has.
struct ContentCensus: Equatable {
  var texts: Int64 = 0
  var blobs: Int64 = 0
  var integers: Int64 = 0
  var reals: Int64 = 0

  /// The form that most values have: text before bytes before numbers where they are as many.
  ///
  /// Values of other classes are rejected and stay raw. A column of numbers is `real` as soon as
  /// one is, because SQLite itself keeps a whole number as an integer. Without any value a column
  /// declared as bytes is bytes, and any other is text.
  func form(whenEmpty form: ColumnForm) -> ColumnForm {
    let numbers = integers + reals
    let most = max(texts, blobs, numbers)
    if most == 0 { return form }
    if most == texts { return .text }
    if most == blobs { return .binary }
    return reals > 0 ? .real : .integer
  }

  /// Counts the values of these columns, in one pass over the table for each few hundred.
  static func count(
    _ columns: [String], of table: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [String: ContentCensus] {
    var result: [String: ContentCensus] = [:]
    var rest = columns[...]
    while !rest.isEmpty {
      // Four results for each column must stay below SQLite's limit of 2000.
      let few = Array(rest.prefix(400))
      rest = rest.dropFirst(400)
      try countFew(few, of: table, connection, into: &result)
    }
    return result
  }

  private static func countFew(
    _ columns: [String], of table: String, _ connection: borrowing Connection,
    into result: inout [String: ContentCensus]
  ) throws(SQLiteError) {
    // Names may be long, so each stands in the statement only once.
    let classes = columns.enumerated().map { "typeof(\(quoted($0.element))) AS t\($0.offset)" }
    let sums = columns.indices.map { index in
      ["text", "blob", "integer", "real"].map { "total(t\(index) = '\($0)')" }
        .joined(separator: ", ")
    }
    var statement = try connection.prepare(
      """
      SELECT \(sums.joined(separator: ", "))
      FROM (SELECT \(classes.joined(separator: ", ")) FROM \(quoted(table)) NOT INDEXED)
      """)
    guard try statement.step() else { return }
    for (index, column) in columns.enumerated() {
      result[column] = ContentCensus(
        texts: statement.integer(at: index * 4), blobs: statement.integer(at: index * 4 + 1),
        integers: statement.integer(at: index * 4 + 2), reals: statement.integer(at: index * 4 + 3))
    }
  }
}
