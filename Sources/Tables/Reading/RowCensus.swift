import Bytes
import Records
package import SQLite
import Synchronization

/// What is counted of the stored rows of a table, in any order.
package protocol RowCensus: Sendable {
  /// Counts a row: columns from 1 on are those of the planned table.
  mutating func count(_ row: borrowing some StoredRow & ~Copyable)

  /// Adds what was counted of other rows.
  mutating func add(_ other: Self)
}

extension SourceDatabase {
  /// Counts all rows of a table, on all threads where its pages can be read without the engine.
  package borrowing func census<Census: RowCensus>(
    of table: PlannedTable, startingFrom empty: Census
  ) throws(SQLiteError) -> Census {
    let interruption = connection.interruption
    // What is wrong with a page, or asks to stop, the engine says in its own words.
    if let parts = try? parts(of: table),
      let census = parts.census(startingFrom: empty, unless: { interruption?.isRaised ?? false })
    {
      return census
    }
    var census = empty
    var statement = try connection.prepare(table.selection)
    while try statement.step() { census.count(statement) }
    return census
  }
}

extension PageParts {
  /// Counts the rows of all parts; nil where one cannot be read, or `mustStop` says so.
  fileprivate func census<Census: RowCensus>(
    startingFrom empty: Census, unless mustStop: @escaping @Sendable () -> Bool
  ) -> Census? {
    let total = Mutex<Census?>(empty)
    inParallel(count, threads: threadCount()) {
      var row = makeRow()
      return { part in
        guard total.withLock({ $0 != nil }) else { return }
        var census = empty
        let isWhole =
          !mustStop()
          && (try? forEachStoredRow(ofPart: part, using: &row) { (row, _) in
            census.count(row)
            return true
          }) != nil
        total.withLock { total in
          if isWhole { total?.add(census) } else { total = nil }
        }
      }
    }
    return total.withLock { $0 }
  }
}
