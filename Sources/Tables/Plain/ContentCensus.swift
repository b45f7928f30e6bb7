package import Bytes
import Records
package import SQLite
import SQLiteFile

/// How many values of each storage class a column has.
package struct ContentCensus: Equatable {
  var texts: Int64 = 0
  var blobs: Int64 = 0
  var integers: Int64 = 0
  var reals: Int64 = 0

  /// How many of the whole numbers a floating point number does not hold exactly.
  var inexactIntegers: Int64 = 0

  /// Whether the column has no value at all.
  package var isEmpty: Bool { texts == 0 && blobs == 0 && integers == 0 && reals == 0 }

  /// The form under which fewest values are rejected; the declared one where that is a tie, then
  /// text before bytes before numbers.
  ///
  /// Values of other classes are rejected and stay raw. Whole numbers among others are `real`,
  /// because SQLite itself keeps a whole number as an integer.
  package func form(declared: ColumnForm?, whenEmpty form: ColumnForm) -> ColumnForm {
    let numbers = reals > 0 ? [ColumnForm.real, .integer] : [.integer]
    let most = ([.text, .binary] + numbers).map(taken).max() ?? 0
    if most == 0 { return form }
    if let declared, taken(declared) == most { return declared }
    return ([.text, .binary] + numbers).first { taken($0) == most } ?? form
  }

  private func taken(_ form: ColumnForm) -> Int64 {
    switch form {
    case .text: texts
    case .binary: blobs
    case .real: reals + integers - inexactIntegers
    default: integers
    }
  }

  /// Counts the values of these columns, in one pass over the table for each few hundred.
  package static func count(
    _ columns: [String], of table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [ExactText: ContentCensus] {
    var result: [ExactText: ContentCensus] = [:]
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
    _ columns: [String], of table: PlannedTable, _ connection: borrowing Connection,
    into result: inout [ExactText: ContentCensus]
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
      FROM (SELECT \(classes.joined(separator: ", ")) FROM \(table.physical)\(table.filter(nil)))
      """)
    guard try statement.step() else { return }
    for (index, column) in columns.enumerated() {
      result[ExactText(column)] = ContentCensus(
        texts: statement.integer(at: index * 4), blobs: statement.integer(at: index * 4 + 1),
        integers: statement.integer(at: index * 4 + 2), reals: statement.integer(at: index * 4 + 3))
    }
  }

  /// Counts the whole numbers of a column that a floating point number does not hold.
  static func countInexact(
    _ column: String, of table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64 {
    let name = quoted(column)
    // What is above the last double that a whole number can be comes back as that whole number.
    // Numbers have no order that only the app knows, but their column may name one.
    return try connection.integer(
      """
      SELECT count(*) FROM \(table.physical)\(table.filter("typeof(\(name)) = 'integer'"))
        AND (CAST(CAST(\(name) AS REAL) AS INTEGER) <> \(name) COLLATE BINARY
          OR \(name) COLLATE BINARY = \(Int64.max))
      """)
  }
}

extension SourceDatabase {
  /// How many values of each class some columns of a planned table have, in their order.
  package borrowing func census(
    ofColumns places: [Int], of table: PlannedTable
  ) throws(SQLiteError) -> [ContentCensus] {
    guard !places.isEmpty else { return [] }
    let names = places.map { table.columns[$0].column.sourceColumn }
    var census: [ContentCensus] = try storedCensus(ofColumns: places, of: table) ?? []
    if census.isEmpty {
      let counts = try ContentCensus.count(names, of: table, connection)
      census = names.map { counts[ExactText($0)] ?? ContentCensus() }
    }
    for index in census.indices where census[index].reals > 0 && census[index].integers > 0 {
      census[index].inexactIntegers = try ContentCensus.countInexact(
        names[index], of: table, connection)
    }
    return census
  }

  /// What the pages of a table tell by themselves; nil where only the engine can tell.
  private borrowing func storedCensus(
    ofColumns places: [Int], of table: PlannedTable
  ) throws(SQLiteError) -> [ContentCensus]? {
    guard !needsEngine, let stored = try PageTable(table, connection), stored.condition == nil
    else { return nil }
    let census: StorageCensus?
    do throws(PageError) {
      census = try PageFile(of: file).census(
        ofTableAt: stored.root, columnCount: stored.shape.columnCount, threads: threadCount())
    } catch {
      // The engine will say what is wrong, in its own words.
      return nil
    }
    guard let census else { return nil }
    let columns = places.map { stored.places[$0] }
    var defaults: ColumnDefaults?
    if stored.hasDefaults, columns.contains(where: { census.count(of: .missing, inColumn: $0) > 0 })
    {
      guard let shape = try stored.shape(withDefaultsOf: connection) else { return nil }
      defaults = shape.defaults
    }
    return columns.map { column in
      // Nobody looks at what a record has in the place of its key.
      guard column != stored.shape.rowIDColumn else {
        return ContentCensus(integers: Int64(census.rowCount))
      }
      return ContentCensus(
        census, column: column, isReal: stored.shape.isReal[column],
        default: defaults?.kind(ofColumn: column) ?? .null)
    }
  }
}

extension ContentCensus {
  /// What the headers of a table's records tell of one of its columns, in which rows that are older
  /// have its default.
  init(_ census: StorageCensus, column: Int, isReal: Bool, default kind: StoredKind) {
    let count = { (kind: StorageCensus.Kind) in Int64(census.count(of: kind, inColumn: column)) }
    texts = count(.text)
    blobs = count(.blob)
    // The engine gives a whole number of such a column as a floating point number.
    integers = isReal ? 0 : count(.integer)
    reals = count(.real) + (isReal ? count(.integer) : 0)
    switch kind {
    case .text: texts += count(.missing)
    case .blob: blobs += count(.missing)
    case .integer: integers += count(.missing)
    case .real: reals += count(.missing)
    case .null, .missing: break
    }
  }
}
