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

  private var spool: PartedSpool

  private static let entrySize = 40

  /// Room for about as many cells.
  init(cells: Int) { spool = PartedSpool(records: cells, recordSize: Self.entrySize) }

  /// The places of the parts.
  var indices: Range<Int> { spool.indices }

  /// What stands for a column in a cell.
  static func number(ofColumn name: String) -> Int64 { itemKey(of: Array(name.utf8)) }

  /// Takes a value of a table; of several of one cell and side the first one counts.
  mutating func add(
    _ reject: RejectedValue, _ table: Int, _ side: Side
  ) throws(FileError) {
    let column = Self.number(ofColumn: reject.column)
    let words = [
      Int64(table), reject.row, column, reject.raw?.fingerprint ?? 0, side == .first ? 0 : 1,
    ]
    try spool.add(key: UInt64(bitPattern: reject.row ^ column) &+ UInt64(table)) { waiting in
      for word in words { waiting.appendBigEndian(UInt64(bitPattern: word)) }
    }
  }

  /// What the tables have of the cells in one part.
  func compare(_ part: Int) throws(FileError) -> [Int: Tally] {
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

  private func entries(of part: Int) throws(FileError) -> [Entry] {
    var entries: [Entry] = []
    try spool.forEachPiece(ofPart: part) { piece in
      for start in stride(from: 0, to: piece.count, by: Self.entrySize) {
        let words = (0..<5).map { Int64(bitPattern: word($0, ofRecordAt: start, in: piece)) }
        let cell = Cell(
          table: Int(truncatingIfNeeded: words[0]), row: words[1], column: words[2])
        entries.append(
          Entry(cell: cell, value: words[3], side: words[4] == 0 ? .first : .second))
      }
    }
    // Swift's sorting keeps the order of equal elements.
    return entries.sorted { $0.cell.order < $1.cell.order }
  }
}
