/// The cells of a table that somebody looks at; others may be left empty.
package struct WantedCells: Sendable, ExpressibleByArrayLiteral {
  /// The columns that are looked at in every row.
  package let columns: Set<Int>
  /// The rows that are looked at in all columns.
  package let wholeRows: KeyLookup

  /// Some columns, and all of some rows.
  package init(_ columns: Set<Int>, wholeRows: KeyLookup = KeyLookup()) {
    self.columns = columns
    self.wholeRows = wholeRows
  }

  /// Some columns.
  package init(arrayLiteral columns: Int...) {
    self.init(Set(columns))
  }
}
