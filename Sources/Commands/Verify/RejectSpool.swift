import Bytes
import Records

/// The cells of tables whose columns could not take their values, in parts of which each fits the
/// memory.
struct RejectSpool {
  /// A cell, known by what stands for the name of its column: the store may no longer have that.
  struct Cell {
    /// The place of its table among those that are compared.
    let table: Int
    /// The key of its row.
    let row: Int64
    let column: Int64

    fileprivate var order: (Int, Int64, Int64) { (table, row, column) }
  }

  /// What two tables have of such cells.
  struct Tally {
    /// How many have the same value in both.
    var same = 0
    /// How many are only in one of them.
    var single = 0
    /// Those that have one value in the one and another in the other.
    var different: [Cell] = []

    /// What that means for the tables.
    var outcome: RejectOutcome {
      if !different.isEmpty { return .different }
      if same == 0 { return .comparedAsNull }
      return single == 0 ? .same : .sameWhereBothHaveOne
    }
  }

  private struct Entry {
    let cell: Cell
    let value: Int64
    let side: Side
  }

  private var spool: PartedSpool<5>

  /// Room for about as many cells.
  init(cells: Int) { spool = PartedSpool(records: cells) }

  /// The places of the parts.
  var indices: Range<Int> { spool.indices }

  /// What stands for a column in a cell.
  static func number(ofColumn name: String) -> Int64 { itemKey(of: Array(name.utf8)) }

  /// Takes a value of a table; of several of one cell and side the first one counts.
  mutating func add(
    _ reject: RejectedValue, _ table: Int, _ side: Side
  ) throws(StoreError) {
    let column = Self.number(ofColumn: reject.column)
    try spool.add(
      key: UInt64(bitPattern: reject.row ^ column) &+ UInt64(table),
      [
        UInt64(table), UInt64(bitPattern: reject.row), UInt64(bitPattern: column),
        UInt64(bitPattern: reject.raw?.fingerprint ?? 0), side == .first ? 0 : 1,
      ])
  }

  /// What the tables have of the cells in one part.
  func compare(_ part: Int) throws(StoreError) -> [Int: Tally] {
    var tallies: [Int: Tally] = [:]
    var rest = try entries(of: part)[...]
    while let cell = rest.first?.cell {
      let alike = rest.prefix { $0.cell.order == cell.order }
      rest = rest.dropFirst(alike.count)
      let first = alike.first { $0.side == .first }
      let second = alike.first { $0.side == .second }
      if first == nil || second == nil {
        tallies[cell.table, default: Tally()].single += 1
      } else if first?.value == second?.value {
        tallies[cell.table, default: Tally()].same += 1
      } else {
        tallies[cell.table, default: Tally()].different.append(cell)
      }
    }
    return tallies
  }

  private func entries(of part: Int) throws(StoreError) -> [Entry] {
    let entries = try spool.records(ofPart: part) { words in
      Entry(
        cell: Cell(
          table: Int(truncatingIfNeeded: words[0]), row: Int64(bitPattern: words[1]),
          column: Int64(bitPattern: words[2])),
        value: Int64(bitPattern: words[3]), side: words[4] == 0 ? .first : .second)
    }
    // Swift's sorting keeps the order of equal elements.
    return entries.sorted { $0.cell.order < $1.cell.order }
  }
}
