import Records

/// Operations that spell an item's id otherwise than the first one on the item.
struct OtherSpellings: Sendable {
  /// The ties of such items, by the first operation on each.
  private var items: [Int: Int] = [:]
  /// The first operation with each of the spellings, by the hash of it.
  private var places: HashPlaces

  /// Takes up operations, of which those that get the row of another one share its tie.
  init(
    _ others: [(index: Int, first: Int)], of operations: OperationList, ties: inout RowMatches
  ) {
    places = HashPlaces(capacity: others.count, below: operations.count)
    for (index, first) in others {
      let item = items[first] ?? makeItem(of: first, &ties)
      operations[index].withItemID { id in
        if let same = place(of: id, operations) {
          ties.follow(same, index)
        } else {
          places.add(index, hash: spelledHash(id, seed: places.seed))
          ties.share(index, with: item)
        }
      }
    }
  }

  private mutating func makeItem(of first: Int, _ ties: inout RowMatches) -> Int {
    let item = ties.add()
    items[first] = item
    ties.share(first, with: item)
    return item
  }

  /// The tie of an item that is spelled in several ways; nil for any other.
  func item(of first: Int) -> Int? { items[first] }

  /// The first operation with a spelling.
  func place(of id: Span<UInt8>, _ operations: OperationList) -> Int? {
    places.first(of: spelledHash(id, seed: places.seed)) { operations[$0].isItemID(id) }
  }
}
