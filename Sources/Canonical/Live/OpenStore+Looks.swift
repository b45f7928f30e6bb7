import Formats
package import Records
import SQLite

/// What is counted of the numbers of a column.
package struct NumberCounts: Sendable {
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
  /// What the numbers of columns are like; `timesASecond` tells by how much times may grow in one.
  package func numberCounts(
    of columns: [Column], in table: Table, timesASecond: [Double]
  ) throws(StoreError) -> [NumberCounts] {
    // SQLite answers with so many columns at once.
    let most = 400
    return try errors { (connection) throws(SQLiteError) in
      var counts: [NumberCounts] = []
      for start in stride(from: 0, to: columns.count, by: most) {
        let piece = columns[start..<min(start + most, columns.count)]
        let terms = piece.flatMap { NumberCounts.terms(quoted($0.name), timesASecond) }
        var statement = try connection.prepare(
          "SELECT \(terms.joined(separator: ", ")) FROM \(quoted(table.name))")
        guard try statement.step() else { return [] }
        for place in 0..<piece.count { counts.append(NumberCounts(statement, from: 4 * place)) }
      }
      return counts
    }
  }

  /// The columns that have a value.
  package func columnsWithValues(
    among columns: [Column], in table: Table
  ) throws(StoreError) -> [Column] {
    // A few rows tell it of most columns; the others are looked through once.
    let early = try filledPlaces(
      of: columns, in: "(SELECT * FROM \(quoted(table.name)) LIMIT 1000)")
    let open = columns.indices.filter { !early.contains($0) }
    let late = try filledPlaces(of: open.map { columns[$0] }, in: quoted(table.name))
    return early.union(late.map { open[$0] }).sorted().map { columns[$0] }
  }

  /// The places of those columns that are not NULL in all of some rows.
  private func filledPlaces(of columns: [Column], in rows: String) throws(StoreError) -> Set<Int> {
    guard !columns.isEmpty else { return [] }
    let looks = columns.map { "max(\(quoted($0.name)) IS NOT NULL)" }.joined(separator: ", ")
    return try errors { (connection) throws(SQLiteError) in
      var statement = try connection.prepare("SELECT \(looks) FROM \(rows)")
      guard try statement.step() else { return [] }
      return Set(columns.indices.filter { statement.integer(at: $0) == 1 })
    }
  }

  /// The columns that hold texts, and no other than JSON objects and arrays.
  package func columnsOfDocuments(
    among columns: [Column], in table: Table
  ) throws(StoreError) -> [Column] {
    guard !columns.isEmpty else { return [] }
    return try errors { (connection) throws(SQLiteError) in
      var statement = try connection.prepare(
        "SELECT \(columns.map { quoted($0.name) }.joined(separator: ", ")) "
          + "FROM \(quoted(table.name))")
      var (candidates, found) = (Set(columns.indices), Set<Int>())
      // The first text of most columns ends the search.
      while !candidates.isEmpty, try statement.step() {
        for column in candidates where statement.storageClass(at: column) != .null {
          if statement.withText(at: column, { isDocument($0) }) {
            found.insert(column)
          } else {
            candidates.remove(column)
          }
        }
      }
      return candidates.intersection(found).sorted().map { columns[$0] }
    }
  }
}

private func isDocument(_ text: Span<UInt8>) -> Bool {
  var place = 0
  while place < text.count, [0x09, 0x0A, 0x0D, 0x20].contains(text[place]) { place += 1 }
  guard place < text.count, text[place] == UInt8(ascii: "{") || text[place] == UInt8(ascii: "[")
  else { return false }
  return isJSON(text)
}

extension NumberCounts {
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
