import Records

/// A table that waits for the rows of the next source.
final class WaitingTable {
  private var table: LoadedTable?
  /// The books of the sources so far.
  private var total: TableBalance

  init(_ table: Table) {
    total = TableBalance(name: table.name)
  }

  /// Takes the table, with the books of one source.
  func put(_ loaded: consuming LoadedTable) {
    total.add(loaded.balance)
    loaded.balance = TableBalance(name: total.name)
    table = consume loaded
  }

  /// Gives the table out, with empty books.
  func take() -> LoadedTable? { table.take() }

  /// Gives the table out, with the books of all sources.
  func takeWhole() -> LoadedTable? {
    var whole = table.take()
    whole?.balance = total
    return whole
  }
}
