import Bytes
import Records
package import SQLite
import Synchronization

/// What is counted of the stored rows of a table, whichever comes first.
package protocol RowCensus: Sendable {
  /// Counts a row: column 0 is the key, the others are those of the planned table.
  mutating func count(_ row: borrowing some StoredRow & ~Copyable)

  /// Adds what was counted of other rows.
  mutating func add(_ other: Self)
}

extension SourceDatabase {
  /// Counts all rows of a table, on all threads where its pages can be read without the engine.
  package borrowing func census<Census: RowCensus>(
    of table: PlannedTable, startingFrom start: Census
  ) throws(SQLiteError) -> Census {
    // What is wrong with a page the engine says in its own words.
    if let parts = try? parts(of: table), let census = try? parts.census(startingFrom: start) {
      return census
    }
    var census = start
    var statement = try connection.prepare(table.selection)
    while try statement.step() { census.count(statement) }
    return census
  }
}

extension PageParts {
  fileprivate func census<Census: RowCensus>(
    startingFrom start: Census
  ) throws(StoreError) -> Census {
    let total = Mutex<Result<Census, StoreError>>(.success(start))
    inParallel(count, threads: threadCount()) {
      var row = makeRow()
      return { part in
        let counted = Result { () throws(StoreError) in
          var census = start
          try forEachStoredRow(ofPart: part, using: &row) { (row, _) in
            census.count(row)
            return true
          }
          return census
        }
        total.withLock { total in
          total = total.flatMap { sum in
            counted.map { more in
              var sum = sum
              sum.add(more)
              return sum
            }
          }
        }
      }
    }
    let result = total.withLock { $0 }
    return try result.get()
  }
}
