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
  /// Where its text is among those of what was set aside.
  var text = 0
}

/// The values that the columns of a table could not take, by their rows and columns.
struct RejectedCells {
  private var rows: [Int64] = []
  private var columns: [Int32] = []
  private var numbers: [Int64] = []
  private var texts: [Int] = []

  /// None, with room for some.
  init(capacity: Int) {
    rows.reserveCapacity(capacity)
    columns.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
    texts.reserveCapacity(capacity)
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func append(_ cell: RejectedCell) {
    rows.append(cell.row)
    columns.append(Int32(truncatingIfNeeded: cell.column))
    numbers.append(cell.number)
    texts.append(cell.text)
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
    texts = order.map { texts[$0] }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (rows[left], columns[left]) < (rows[right], columns[right])
  }

  private subscript(place: Int) -> RejectedCell {
    RejectedCell(
      row: rows[place], column: Int(columns[place]), number: numbers[place], text: texts[place])
  }

  /// Those of a row.
  func cells(ofRow row: Int64) -> [RejectedCell] {
    guard !isEmpty else { return [] }
    let start = firstPlace(in: rows) { $0 >= row }
    let end = rows[start...].firstIndex { $0 != row } ?? rows.endIndex
    return (start..<end).map { self[$0] }
  }

  /// That of one cell.
  func cell(ofRow row: Int64, column: Int) -> RejectedCell? {
    let wanted = (row, Int32(truncatingIfNeeded: column))
    let place = firstPlace(in: rows.indices) { (rows[$0], columns[$0]) >= wanted }
    guard place < rows.count, (rows[place], columns[place]) == wanted else { return nil }
    return self[place]
  }

  /// How many cells neither of two tables could take, and in how many of these it is another value.
  func shared(with other: RejectedCells) -> (count: Int, differing: Int) {
    var shared = (count: 0, differing: 0)
    for place in rows.indices where place == 0 || isBefore(place - 1, place) {
      let cell = self[place]
      guard let theirs = other.cell(ofRow: cell.row, column: cell.column) else { continue }
      shared.count += 1
      if theirs.number != cell.number { shared.differing += 1 }
    }
    return shared
  }
}

extension RawValue {
  /// A number that stands for the value.
  var number: Int64 { itemKey(of: Array("\(storage) ".utf8) + bytes) }
}
