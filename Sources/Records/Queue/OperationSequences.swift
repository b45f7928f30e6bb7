import Bytes

/// The `sequence` of some operations, which mostly are one or stand close together: there may be as many
/// as a queue is long, and each takes a byte or two.
package struct OperationSequences: Sendable, Equatable {
  /// The first number.
  package private(set) var first: Int64?
  /// The last number.
  package private(set) var last: Int64?
  /// How many there are.
  package private(set) var count = 0
  /// The way from each number to the next.
  private var differences: [UInt8] = []

  /// No numbers.
  package init() {}

  /// Some numbers in their order.
  package init(_ numbers: some Sequence<Int64>) {
    for number in numbers { append(number) }
  }

  /// Adds a number.
  package mutating func append(_ number: Int64) {
    if let last { differences.append(packed: folded(Int(number &- last))) } else { first = number }
    last = number
    count += 1
  }
}

extension OperationSequences: Collection, ExpressibleByArrayLiteral {
  /// These numbers.
  package init(arrayLiteral numbers: Int64...) { self.init(numbers) }

  /// Where a number is.
  package struct Index: Comparable {
    fileprivate var position: Int
    fileprivate var number: Int64 = 0
    /// Where the way to the next number is.
    fileprivate var place = 0

    /// Whether both are the same.
    package static func == (left: Index, right: Index) -> Bool { left.position == right.position }

    /// Which one comes first.
    package static func < (left: Index, right: Index) -> Bool { left.position < right.position }
  }

  /// Where the first number is.
  package var startIndex: Index { Index(position: 0, number: first ?? 0) }
  /// Behind the last number.
  package var endIndex: Index { Index(position: count) }

  /// One number.
  package subscript(index: Index) -> Int64 { index.number }

  /// Where the next number is.
  package func index(after index: Index) -> Index {
    var next = index
    next.position += 1
    if next.position < count {
      next.number &+= Int64(unfolded(packedNumber(differences.span, &next.place)))
    }
    return next
  }
}
