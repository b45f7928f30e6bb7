/// The rows of one table among those of others.
struct OwnRows<Name: Equatable> {
  private let table: Name
  /// How many are still to come.
  private(set) var rest: Int
  /// How many rows were met, whosever they are.
  private(set) var met: Int

  /// As many rows as were counted, behind those that were met before.
  init(of table: Name, count: Int, met: Int = 0) {
    self.table = table
    rest = count
    self.met = met
  }

  /// Whether a row that was met is one of them.
  mutating func take(_ found: Name) -> Bool {
    met += 1
    guard found == table else { return false }
    rest -= 1
    return true
  }
}

extension OwnRows<Int> {
  /// All rows of a walk to one table.
  static var all: OwnRows { OwnRows(of: 0, count: .max) }
}
