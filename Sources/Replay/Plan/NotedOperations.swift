import Records

/// Operations with a small note on each, of which there may be as many as the queue is long.
package struct NotedOperations<Note: Sendable>: RandomAccessCollection, Sendable {
  /// The `sequence` of each, and what the note on it is made from.
  private var numbers = PackedPairs()
  private let note: @Sendable (_ sequence: Int64, _ number: Int) -> Note

  /// No operations yet; `note` makes the note on one from a number.
  init(_ note: @escaping @Sendable (_ sequence: Int64, _ number: Int) -> Note) { self.note = note }

  /// Adds an operation.
  mutating func append(_ sequence: Int64, _ number: Int) { numbers.append(Int(sequence), number) }

  /// Where the first one is.
  package var startIndex: Int { 0 }
  /// How many there are.
  package var endIndex: Int { numbers.count }

  /// One of them.
  package subscript(position: Int) -> Note {
    let (sequence, number) = numbers[position]
    return note(Int64(sequence), number)
  }
}
