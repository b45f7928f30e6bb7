/// The payloads of operations on one item in push order, each read when its turn comes.
///
/// All of a long chain at once would take as much memory as the queue.
package struct ItemPayloads: Sequence, IteratorProtocol {
  private let operations: OperationList
  private let following: ItemChains.Places
  private let last: Int
  private var place: Int?

  init(
    of operations: OperationList, _ following: ItemChains.Places, from first: Int, through last: Int
  ) {
    self.operations = operations
    self.following = following
    self.last = last
    place = first
  }

  /// The next payload; operations without one are passed over.
  package mutating func next() -> [UInt8]? {
    while let current = place {
      place = current == last ? nil : following[current]
      if let item = operations[current].item { return item }
    }
    return nil
  }
}
