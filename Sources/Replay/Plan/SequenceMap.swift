/// Values by the `sequence` of operations, which mostly count up from 1: lists where they do.
///
/// The lists are short, so that none of many values is copied while it grows.
struct SequenceMap<Value: Sendable>: Sendable {
  private let empty: Value
  private var lists: [[Value]] = []
  private var sparse: [Int64: Value] = [:]

  private static var listSize: Int64 { 4096 }

  /// A map in which every number has the same value.
  init(empty: Value) { self.empty = empty }

  /// Whether no value was ever set.
  var isEmpty: Bool { lists.isEmpty && sparse.isEmpty }

  subscript(sequence: Int64) -> Value {
    get {
      guard let (list, place) = place(of: sequence), list < lists.count else {
        return sparse[sequence] ?? empty
      }
      return lists[list][place]
    }
    set {
      guard let (list, place) = place(of: sequence), list <= lists.count else {
        sparse[sequence] = newValue
        return
      }
      if list == lists.count { addList() }
      lists[list][place] = newValue
    }
  }

  /// The list in which a number has its place, be it there or not; nil where none ever has.
  private func place(of sequence: Int64) -> (list: Int, place: Int)? {
    guard sequence >= 0 else { return nil }
    return (Int(sequence / Self.listSize), Int(sequence % Self.listSize))
  }

  private mutating func addList() {
    let first = Int64(lists.count) * Self.listSize
    lists.append(
      (first..<first + Self.listSize).map { sparse.removeValue(forKey: $0) ?? empty })
  }
}
