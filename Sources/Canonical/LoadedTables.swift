import Bytes
import Records
import SQLiteFile
import Tables

/// The table that is being loaded, and the books of those before.
struct LoadedTables: ~Copyable {
  /// Whether each table goes on with the rows of the next source.
  let isMerging: Bool
  private var current: LoadedTable?
  private var balances: [TableBalance] = []
  private var waiting: [ExactText: WaitingTable] = [:]
  private var order: [WaitingTable] = []

  init(isMerging: Bool) {
    self.isMerging = isMerging
  }

  mutating func begin(_ table: Table, _ writer: inout CanonicalWriter) throws(StoreError) {
    current = waiting[ExactText(table.name)]?.take()
    if current == nil { current = try writer.beginTable(table) }
  }

  mutating func insert(
    _ batch: borrowing RecordBatch, encodedAs cells: RowCells?, _ writer: inout CanonicalWriter
  ) throws(StoreError) {
    guard var table = current.take() else { return }
    try writer.insert(batch, encodedAs: cells, into: &table)
    current = consume table
  }

  mutating func end(
    counted count: Int, lost: Int, merged: Int, _ writer: inout CanonicalWriter
  ) throws(StoreError) {
    guard var table = current.take() else { return }
    try table.balance.end(counted: count, lost: lost, merged: merged)
    balances.append(table.balance)
    guard isMerging else { return try writer.finish(table) }
    let name = ExactText(table.table.name)
    let place = waiting[name] ?? WaitingTable(table.table)
    if waiting.updateValue(place, forKey: name) == nil { order.append(place) }
    place.put(table)
  }

  /// Gives out the books of the tables that have ended since they were last asked for.
  mutating func takeBalances() -> [TableBalance] {
    defer { balances = [] }
    return balances
  }

  /// Ends the tables that wait for another source.
  mutating func finish(_ writer: inout CanonicalWriter) throws(StoreError) {
    for place in order {
      if let table = place.takeWhole() { try writer.finish(table) }
    }
  }
}

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
