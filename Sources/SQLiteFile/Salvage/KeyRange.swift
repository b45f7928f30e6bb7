/// The row ids that a part of a tree may hold: above one bound and not above the other.
struct KeyRange {
  /// All keys are larger; nil when there is no bound.
  var lower: Int64?
  /// No key is larger; nil when there is no bound.
  var upper: Int64?

  /// Every row id.
  static let all = KeyRange(lower: nil, upper: nil)

  /// Whether a key may be in this part.
  func contains(_ key: Int64) -> Bool {
    (lower.map { key > $0 } ?? true) && (upper.map { key <= $0 } ?? true)
  }
}
