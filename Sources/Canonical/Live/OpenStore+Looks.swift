import Formats
package import Records
import SQLite

/// What the numbers of a column look like.
package struct NumberLook: Sendable {
  /// How many there are.
  package var count = 0
  /// How many of them are 0 or 1.
  package var truths = 0
  /// How many are 0, which some apps keep as no time.
  package var zeros = 0
  /// How many would be times between 1990 and 2100, or the first or the last one of .NET.
  package var times = 0
}

extension OpenStore {
  /// What the numbers of columns look like; `timesASecond` tells by how much times may grow in one.
  package func numberLooks(
    of columns: [Column], in table: Table, timesASecond: [Double]
  ) throws(StoreError) -> [NumberLook] {
    // SQLite answers with so many columns at once.
    let most = 400
    return try errors { (connection) throws(SQLiteError) in
      var looks: [NumberLook] = []
      for start in stride(from: 0, to: columns.count, by: most) {
        let piece = columns[start..<min(start + most, columns.count)]
        let terms = piece.flatMap { NumberLook.terms(quoted($0.name), timesASecond) }
        var statement = try connection.prepare(
          "SELECT \(terms.joined(separator: ", ")) FROM \(quoted(table.name))")
        guard try statement.step() else { return [] }
        for place in 0..<piece.count { looks.append(NumberLook(statement, from: 4 * place)) }
      }
      return looks
    }
  }

  /// The columns that have a value.
  package func columnsWithValues(
    among columns: [Column], in table: Table
  ) throws(StoreError) -> [Column] {
    try errors { (connection) throws(SQLiteError) in
      var found: [Column] = []
      for column in columns {
        let rows = "SELECT 1 FROM \(quoted(table.name)) WHERE \(quoted(column.name)) NOT NULL"
        if try connection.integer("SELECT EXISTS (\(rows))") != 0 { found.append(column) }
      }
      return found
    }
  }

  /// The columns that hold texts, and no other than JSON objects and arrays.
  package func columnsOfDocuments(
    among columns: [Column], in table: Table
  ) throws(StoreError) -> [Column] {
    try errors { (connection) throws(SQLiteError) in
      var found: [Column] = []
      for column in columns {
        var statement = try connection.prepare(
          "SELECT \(quoted(column.name)) FROM \(quoted(table.name)) "
            + "WHERE \(quoted(column.name)) NOT NULL")
        if try holdsOnlyDocuments(&statement) { found.append(column) }
      }
      return found
    }
  }
}

/// Whether a column has texts that are JSON objects and arrays, and no others.
///
/// The first text of most columns ends the search.
private func holdsOnlyDocuments(_ texts: inout Statement) throws(SQLiteError) -> Bool {
  var isEmpty = true
  while try texts.step() {
    guard texts.withText(at: 0, { isDocument($0) }) else { return false }
    isEmpty = false
  }
  return !isEmpty
}

private func isDocument(_ text: Span<UInt8>) -> Bool {
  var place = 0
  while place < text.count, [0x09, 0x0A, 0x0D, 0x20].contains(text[place]) { place += 1 }
  guard place < text.count, text[place] == UInt8(ascii: "{") || text[place] == UInt8(ascii: "[")
  else { return false }
  return (try? JSONValue(parsing: text)) != nil
}

extension NumberLook {
  /// What is counted of a column, in the order of the properties.
  fileprivate static func terms(_ column: String, _ timesASecond: [Double]) -> [String] {
    let times = timesASecond.map { unit in
      let (first, last) = (-62_135_596_800 * unit, 253_402_300_799 * unit)
      return "\(column) BETWEEN \(631_152_000 * unit) AND \(4_102_444_800 * unit)"
        + " OR \(column) = \(first) OR \(column) BETWEEN \(last) AND \(last + unit)"
    }
    return [
      "count(\(column))", "count(*) FILTER (WHERE \(column) IN (0, 1))",
      "count(*) FILTER (WHERE \(column) = 0)",
      times.isEmpty ? "0" : "count(*) FILTER (WHERE \(times.joined(separator: " OR ")))",
    ]
  }

  fileprivate init(_ statement: borrowing Statement, from place: Int) {
    count = Int(statement.integer(at: place))
    truths = Int(statement.integer(at: place + 1))
    zeros = Int(statement.integer(at: place + 2))
    times = Int(statement.integer(at: place + 3))
  }
}
