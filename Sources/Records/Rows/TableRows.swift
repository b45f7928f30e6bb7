/// Lends the batches of one table to whoever takes them.
package typealias BatchProducer =
  ((inout RecordBatch) throws(StoreError) -> Void) throws(StoreError) -> Void

/// The rows of one table, read one batch after the other or in parts on several threads.
package struct TableRows {
  /// How the rows are read.
  package enum Form {
    /// On the thread that asks for them.
    case batches(BatchProducer)
    /// On any thread.
    case parts(any RowParts)
  }

  /// How the rows are read.
  package let form: Form
  /// How many threads may work on them.
  package let threads: Int

  /// Rows that so many threads may work on.
  package init(_ form: Form, threads: Int = 1) {
    self.form = form
    self.threads = threads
  }
}

/// The rows of one table in parts: each can be read on its own, on any thread.
package protocol RowParts: Sendable {
  /// How many parts there are; in their order they hold all rows in key order.
  var count: Int { get }

  func makeReader() -> any PartReader
}

/// Reads parts of a table on one thread; it keeps its memory from part to part.
package protocol PartReader: AnyObject {
  /// Lends the rows of one part, a batch at a time.
  func forEachBatch(
    ofPart part: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError)
}

/// Some rows as the books count them.
package struct RowTally: Sendable {
  /// How many rows were read.
  package var read = 0
  /// How many of their cells were left empty because their value could not be taken, by reason.
  package var rejectedCells: [RejectCode: Int] = [:]
  /// How many of the rows have such cells.
  package private(set) var rowsWithRejects = 0

  /// No rows.
  package init() {}

  /// Counts the rows of a batch.
  package mutating func count(_ batch: borrowing RecordBatch) {
    read += batch.rowCount
    for reject in batch.rejects { rejectedCells[reject.code, default: 0] += 1 }
    rowsWithRejects += batch.rejects.rowCount
  }
}

/// The cells of a table that somebody looks at; others may be left empty.
package struct WantedCells: Sendable, ExpressibleByArrayLiteral {
  /// The columns that are looked at in every row.
  package let columns: Set<Int>
  /// The rows that are looked at in all columns.
  package let wholeRows: KeyLookup
  /// Whether those are, too, that reading finds to be named by operations.
  package let wantsNamedRows: Bool

  /// Some columns, and all of some rows.
  package init(
    _ columns: Set<Int>, wholeRows: KeyLookup = KeyLookup(), wantsNamedRows: Bool = false
  ) {
    self.columns = columns
    self.wholeRows = wholeRows
    self.wantsNamedRows = wantsNamedRows
  }

  /// Some columns.
  package init(arrayLiteral columns: Int...) {
    self.init(Set(columns))
  }
}
