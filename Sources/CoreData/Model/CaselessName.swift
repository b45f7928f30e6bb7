/// A name as it is sorted: without regard to case, and by spelling where that is not enough.
struct CaselessName: Comparable, Hashable, Sendable {
  /// The form that is compared first.
  let folded: String
  /// The name as it came.
  let spelling: String

  /// Prepares a name for many comparisons.
  init(_ spelling: String) {
    folded = spelling.lowercased()
    self.spelling = spelling
  }

  /// Orders names as the framework does.
  static func < (left: Self, right: Self) -> Bool {
    left.folded == right.folded ? left.spelling < right.spelling : left.folded < right.folded
  }
}
