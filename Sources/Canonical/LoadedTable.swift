import Records

/// A table that is being loaded, with its books so far.
package struct LoadedTable: ~Copyable {
  /// The table as the catalogue describes it.
  let table: Table
  var load: TableLoad
  /// What was read, and what the file took.
  var balance: TableBalance

  init(_ table: Table, _ load: consuming TableLoad) {
    self.table = table
    self.load = load
    balance = TableBalance(name: table.name)
  }
}
