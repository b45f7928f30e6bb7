import Records

/// The cells of items that neither of two stores could take, so that what they hold is compared.
///
/// Elsewhere such a value counts as NULL: a store of an app that was made of another has that in its
/// place.
struct RejectedByBoth {
  private let first: KeyPlaces
  /// Which of the first store's the second has, too.
  private var isShared: [Bool]
  /// Whether there are none.
  private(set) var isEmpty = true

  /// None, of those cells that the first store could not take.
  init(first cells: consuming [Int64] = []) {
    isShared = Array(repeating: false, count: cells.count)
    first = KeyPlaces(cells)
  }

  /// Adds a cell that the second store could not take, if it is one of the first's, too.
  mutating func add(second cell: Int64) {
    guard let place = first.place(of: cell) else { return }
    isShared[place] = true
    isEmpty = false
  }

  func contains(_ cell: Int64) -> Bool {
    !isEmpty && first.place(of: cell).map { isShared[$0] } ?? false
  }

  /// What stands for a cell of the item with a key, which is a part of a hash.
  static func cell(ofItem key: Int64, column: Int) -> Int64 {
    key &+ Int64(column) &* 0x1E37_79B9_7F4A_7C15
  }
}
