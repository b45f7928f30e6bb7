import Bytes
package import Records
package import SQLite

extension SchemaTable {
  /// The columns that can be read: all but those that are computed by an expression that fails for some
  /// row, would call what is not trusted, or gives too much.
  ///
  /// What is left out holds nothing of its own. `physical` is the table as it stands after `FROM`.
  package func readableColumns(
    of physical: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SchemaColumn] {
    var readable: [SchemaColumn] = []
    // What is computed is not part of a record, whose size has a limit.
    var room = InputLimits.current.valueBytes / 8
    for column in columns {
      if column.isGenerated {
        let size = try column.computedSize(in: physical, room, connection)
        guard let size, size <= room else { continue }
        room -= size
      }
      readable.append(column)
    }
    return readable
  }
}

extension SchemaColumn {
  /// How many bytes its longest value has; nil where one cannot be computed, or only with more than
  /// there is room for.
  fileprivate func computedSize(
    in table: String, _ room: Int, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int? {
    let query = """
      SELECT ifnull(max(length(CAST(\(quoted(name)) AS BLOB))), 0), count(*) > count(\(quoted(name)))
      FROM \(table)
      """
    do {
      let (size, hasNulls) = try connection.limitingValues(to: max(room, 1 << 16)) {
        () throws(SQLiteError) in
        var statement = try connection.prepare(query)
        guard try statement.step() else { return (0, false) }
        return (Int(statement.integer(at: 0)), statement.integer(at: 1) != 0)
      }
      // Some functions give NULL in place of what is too long.
      return hasNulls ? Int(try connection.integer(query)) : size
    } catch {
      // A file that cannot be read now says nothing of the column.
      guard error.code.isOfStatement else { throw error }
      return nil
    }
  }

  /// What to tell of a column that cannot be read.
  package func findingOfLeavingOut(of table: SchemaTable) -> Finding {
    Finding(
      "computed-column-left-out", .note, table: table.name.mended,
      message: "the column \(name.mended) of \(table.name.mended) is computed by an "
        + "expression that fails, is not trusted, or gives too much; it is left out")
  }
}
