import Bytes
import Records

/// A value that a column could not take.
struct RejectedCell {
  /// The key of its row.
  let row: Int64
  /// The place of its column.
  let column: Int
  /// What stands for the value.
  let number: Int64
}

/// The values that the columns of a table could not take, by their rows and columns.
struct RejectedCells {
  private var rows: [Int64] = []
  private var columns: [Int32] = []
  private var numbers: [Int64] = []

  /// None, with room for some.
  init(capacity: Int) {
    rows.reserveCapacity(capacity)
    columns.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func append(_ cell: RejectedCell) {
    rows.append(cell.row)
    columns.append(Int32(truncatingIfNeeded: cell.column))
    numbers.append(cell.number)
  }

  /// Puts them in the order in which they are looked for, in which most stores have them.
  mutating func sort() {
    let isSorted = rows.indices.dropFirst().allSatisfy { !isBefore($0, $0 - 1) }
    guard !isSorted else { return }
    // Swift's sorting keeps the order of equal elements: of several in one cell the first one counts.
    let order = rows.indices.sorted(by: isBefore)
    rows = order.map { rows[$0] }
    columns = order.map { columns[$0] }
    numbers = order.map { numbers[$0] }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (rows[left], columns[left]) < (rows[right], columns[right])
  }

  private subscript(place: Int) -> RejectedCell {
    RejectedCell(row: rows[place], column: Int(columns[place]), number: numbers[place])
  }

  /// Those of a row.
  func cells(ofRow row: Int64) -> [RejectedCell] {
    guard !isEmpty else { return [] }
    let start = firstPlace(in: rows) { $0 >= row }
    let end = rows[start...].firstIndex { $0 != row } ?? rows.endIndex
    return (start..<end).map { self[$0] }
  }
}
