/// Values by the `sequence` of operations, which mostly count up from 1: a list where they do.
struct SequenceMap<Value: Sendable>: Sendable {
  private let empty: Value
  private var dense: [Value] = []
  private var sparse: [Int64: Value] = [:]

  /// How far behind the list a number may be to become a part of it.
  private static var step: Int64 { 4096 }

  /// A map in which every number has the same value.
  init(empty: Value) { self.empty = empty }

  subscript(sequence: Int64) -> Value {
    get {
      if sequence >= 0, sequence < dense.count { return dense[Int(sequence)] }
      return sparse[sequence] ?? empty
    }
    set {
      if sequence >= 0, sequence < Int64(dense.count) + Self.step, sparse[sequence] == nil {
        while dense.count <= Int(sequence) {
          dense.append(sparse.removeValue(forKey: Int64(dense.count)) ?? empty)
        }
        dense[Int(sequence)] = newValue
      } else {
        sparse[sequence] = newValue
      }
    }
  }
}
