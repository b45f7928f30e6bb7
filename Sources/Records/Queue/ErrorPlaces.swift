/// Where the errors about each operation are in the queue's list, in twelve bytes an error.
package struct ErrorPlaces: Sendable {
  /// The operations' numbers, which never fall, and the places of the errors beside them.
  private var sequences: [Int64] = []
  private var places: [Int32] = []

  /// Goes through all errors once.
  package init(in errors: ErrorList) {
    for (place, error) in errors.enumerated() {
      guard let sequence = error.operation else { continue }
      sequences.append(sequence)
      places.append(Int32(clamping: place))
    }
    guard zip(sequences, sequences.dropFirst()).contains(where: { $0 > $1 }) else { return }
    // Swift's sorting keeps the order of equal elements.
    let order = sequences.indices.sorted { sequences[$0] < sequences[$1] }
    (sequences, places) = (order.map { sequences[$0] }, order.map { places[$0] })
  }

  /// Whether no error tells its operation.
  package var isEmpty: Bool { sequences.isEmpty }

  /// The errors about an operation, in their order.
  package subscript(sequence: Int64) -> some Sequence<Int> {
    let start = firstPlace(in: sequences) { $0 >= sequence }
    return sequences[start...].prefix { $0 == sequence }.indices.lazy.map { Int(places[$0]) }
  }
}
