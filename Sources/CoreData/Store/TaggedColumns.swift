import SQLite
import Tables

/// Finds the binary columns whose values carry a tag, where no model tells them.
///
/// A column counts as tagged when every value begins with a tag and at least one leaves no doubt:
/// the name of a file, or a tag before the beginning of a known format. The name of a file leaves
/// none beside values without a tag either, which are then taken as they are; what begins as a tag
/// counts as one there, too.
struct TaggedColumns {
  static func mark(
    _ tables: inout [PlannedTable], _ connection: borrowing Connection
  ) throws(SQLiteError) {
    for table in tables.indices {
      for column in tables[table].columns.indices
      where tables[table].columns[column].decoding == .binary {
        let expression = tables[table].columns[column].expression
        tables[table].columns[column].decoding = try decoding(
          of: expression, in: tables[table], connection)
      }
    }
  }

  private static func decoding(
    of value: String, in table: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> CellDecoding {
    let isName = """
      (length(\(value)) = 38 AND substr(\(value), 1, 1) IS x'02' AND substr(\(value), 38) = x'00'
        AND CAST(substr(\(value), 2, 36) AS TEXT) GLOB '\(uuidPattern)')
      """
    // Of bytes that are empty the first one is NULL.
    let hasTag = "substr(\(value), 1, 1) IS x'01'"
    // The engine holds the whole value for each time that it is named, so it is named seldom.
    let bySize = Dictionary(grouping: knownBeginnings) { $0.count / 2 }.sorted { $0.key < $1.key }
    let isKnown = bySize.map { size, beginnings in
      let list = beginnings.map { "x'\($0)'" }.joined(separator: ", ")
      return "substr(\(value), 2, \(size)) IN (\(list))"
    }.joined(separator: " OR ")
    // The first row without a tag ends this look, which mostly is the first that has a value.
    let hasOthers = try connection.integer(
      table.asking(whether: "\(value) IS NOT NULL AND NOT \(hasTag) AND NOT \(isName)"))
    guard hasOthers == 0 else {
      return try connection.integer(table.asking(whether: isName)) != 0 ? .perhapsTagged : .binary
    }
    let isCertain = try connection.integer(
      table.asking(whether: "(\(hasTag) AND (\(isKnown))) OR \(isName)"))
    return isCertain != 0 ? .taggedBinary : .binary
  }

  /// Digits of a UUID in capital letters, as the names of files are.
  private static let uuidPattern =
    [8, 4, 4, 4, 12].map { String(repeating: "[0-9A-F]", count: $0) }.joined(separator: "-")

  /// JPEG, PNG, GIF, binary property lists, ZIP, PDF, gzip.
  private static let knownBeginnings = [
    "FFD8", "89504E47", "47494638", "62706C697374", "504B0304", "25504446", "1F8B",
  ]
}
