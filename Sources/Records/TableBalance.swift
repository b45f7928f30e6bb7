import Bytes

/// The books of one table: every row that was read must be accounted for.
package struct TableBalance: Sendable, Equatable {
  /// The table's name.
  package var name: String
  /// Rows that the source gave.
  package var read: Int = 0
  /// Rows that the output took.
  package var written: Int = 0
  /// Rows that could not be taken.
  package var rejected: Int = 0
  /// Rows that the user asked to leave out, those that were merged among them.
  package var filtered: Int = 0
  /// Rows that gave way to rows of another source, of the same items.
  package var merged: Int = 0
  /// Cells of written rows that were left empty because their value could not be taken, by reason.
  package private(set) var rejectedCellsByCode: [RejectCode: Int] = [:]
  /// Rows with one or more such cells.
  private var rowsWithRejects = 0

  /// Books with nothing in them.
  package init(name: String) {
    self.name = name
  }

  /// How many cells of written rows were left empty.
  package var rejectedCells: Int { rejectedCellsByCode.values.reduce(0, +) }

  /// How many of the rows that were read were not taken as they are.
  ///
  /// A row that an app's store refuses may have had cells that were left empty before.
  package var rowsWithRejectsOrRejected: Int { min(read, rejected + rowsWithRejects) }

  /// Takes rows that were read into account.
  package mutating func count(_ tally: RowTally) {
    read += tally.read
    rejectedCellsByCode.merge(tally.rejectedCells, uniquingKeysWith: +)
    rowsWithRejects += tally.rowsWithRejects
  }

  /// Takes the cells of a batch that were left empty into account, all of them at once.
  package mutating func count(_ rejects: [CellReject]) {
    for reject in rejects { rejectedCellsByCode[reject.code, default: 0] += 1 }
    rowsWithRejects += rejects.rowCount
  }

  /// Takes values into account that no column could take, of so many rows that gave way to others.
  package mutating func count(rejectsOfMergedRows codes: [String], rows: Int) {
    rowsWithRejects += rows
    for code in codes.compactMap(RejectCode.init(rawValue:)) {
      rejectedCellsByCode[code, default: 0] += 1
    }
  }

  /// Takes rows into account that gave way to others, and those that the source counted but could
  /// not give.
  ///
  /// - Throws: `StoreError` where the books contradict each other or what was counted.
  package mutating func end(
    counted count: Int, lost: Int, merged gaveWay: Int
  ) throws(StoreError) {
    guard isBalanced, read + gaveWay == count else { throw StoreError(self, counted: count) }
    read += lost + gaveWay
    rejected += lost
    filtered += gaveWay
    merged += gaveWay
  }

  /// Adds the books of the same table in another source.
  package mutating func add(_ other: TableBalance) {
    read += other.read
    written += other.written
    rejected += other.rejected
    filtered += other.filtered
    merged += other.merged
    rejectedCellsByCode.merge(other.rejectedCellsByCode, uniquingKeysWith: +)
    rowsWithRejects += other.rowsWithRejects
  }

  /// Whether every row that was read is accounted for.
  package var isBalanced: Bool { read == written + rejected + filtered }
}

extension StoreError {
  /// Tells that the books of a table contradict each other or what was counted.
  package init(_ balance: TableBalance, counted: Int) {
    self.init(
      .internalError,
      "the books of \(balance.name) do not balance: \(counted) rows counted, \(balance.read) "
        + "read, \(balance.written) written, \(balance.rejected) rejected, "
        + "\(balance.filtered) left out")
  }
}
