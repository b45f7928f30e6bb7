import Records

/// The numbers under which some operations of a queue are written, which take no memory of their own.
struct OperationNumbers {
  private let operations: OperationList
  /// The places of those that are written.
  private let kept: PlaceList
  /// Whether they keep the numbers that they have.
  let areKept: Bool

  /// The numbers of the operations at some places.
  init(of kept: PlaceList, in operations: OperationList) {
    self.operations = operations
    self.kept = kept
    areKept = Self.mayKeep(kept, in: operations)
  }

  /// Whether operations have all a number already, and may keep it.
  ///
  /// The SDK sends by number, and then by key, so that their order must be the same. It removes what
  /// it has sent by number alone, so that devices, each of which counts from 1, may not share one.
  private static func mayKeep(_ kept: PlaceList, in operations: OperationList) -> Bool {
    var last: (number: Int64, source: Int32)?
    for (place, operation) in operations.enumerated() where kept.contains(place) {
      guard let number = ownNumber(of: operation) else { return false }
      if let last {
        guard last.number < number || last == (number, operation.source) else { return false }
      }
      last = (number, operation.source)
    }
    return true
  }

  private static func ownNumber(of operation: PendingOperation) -> Int64? {
    operation.originalID.flatMap(Int64.init)
  }

  /// The number of an operation that is written behind so many others.
  func number(of operation: PendingOperation, behind count: Int) -> Int64 {
    (areKept ? Self.ownNumber(of: operation) : nil) ?? Int64(count) + 1
  }

  /// The number of the operation with a `sequence`; nil where it is not written.
  func number(ofOperation sequence: Int64) -> Int64? {
    guard let place = operations.place(numbered: sequence), kept.contains(place) else { return nil }
    return areKept ? Self.ownNumber(of: operations[place]) : Int64(kept.count(before: place)) + 1
  }

  /// The device whose operation has kept a number; nil where none has.
  func source(ofKept number: Int64) -> Int32? {
    let position = firstPlace(in: kept) {
      Self.ownNumber(of: operations[$0]).map { $0 >= number } ?? false
    }
    guard position < kept.count else { return nil }
    let operation = operations[kept[position]]
    return Self.ownNumber(of: operation) == number ? operation.source : nil
  }
}
