import Bytes
package import Records
package import SQLite

/// How many steps statements about computed columns may have: each takes 24 bytes, and what is asked of
/// columns takes several times as many as naming them once.
private enum ComputedSteps {
  /// Tens of thousands of cases in one expression are honest; twice as many with each column are not.
  static let ofOne: Int32 = 1 << 19
  static let ofAll: Int32 = 1 << 21
}

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
        guard try connection.canPrepare([column.name], of: physical, within: ComputedSteps.ofOne),
          let size = try column.computedSize(in: physical, room, connection), size <= room
        else { continue }
        room -= size
      }
      readable.append(column)
    }
    return try readable.keepingWhatIsReadTogether(of: physical, connection)
  }
}

extension [SchemaColumn] {
  /// Leaves out the last of the computed columns where one statement for all of them has too many steps.
  fileprivate func keepingWhatIsReadTogether(
    of physical: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SchemaColumn] {
    let computed = filter(\.isGenerated).map(\.name)
    guard computed.count > 1,
      try connection.canPrepare(computed, of: physical, within: ComputedSteps.ofAll) == false
    else { return self }
    var (kept, tooMany) = (1, computed.count)
    while tooMany - kept > 1 {
      let count = (kept + tooMany) / 2
      if try connection.canPrepare(
        [String](computed[..<count]), of: physical, within: ComputedSteps.ofAll)
      {
        kept = count
      } else {
        tooMany = count
      }
    }
    var rest = kept
    return filter { column in
      guard column.isGenerated else { return true }
      rest -= 1
      return rest >= 0
    }
  }
}

extension Connection {
  /// Whether a statement with some columns of a table has no more than so many steps.
  fileprivate func canPrepare(
    _ columns: [String], of physical: String, within steps: Int32
  ) throws(SQLiteError) -> Bool {
    let list = columns.map { "count(\(quoted($0)))" }.joined(separator: ", ")
    do throws(SQLiteError) {
      return try limitingSteps(to: steps) { () throws(SQLiteError) in
        _ = try prepare("SELECT \(list) FROM \(physical)")
        return true
      }
    } catch {
      // What is wrong with an expression shows where it is computed.
      return error.code != .noMemory
    }
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
        + "expression that fails, is not trusted, gives too much or takes too many steps; it is left out"
    )
  }
}
