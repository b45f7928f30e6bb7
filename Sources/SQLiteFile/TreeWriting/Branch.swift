/// A page, and the last key below it.
struct Child {
  let page: UInt32
  let lastKey: Int64
}

/// The pages of one level of a tree that no page above names yet.
struct Branch {
  var children: [Child] = []

  /// How many children every page has room for, with keys of any size.
  let mostChildren: Int

  init(usableSize: Int) {
    // A head of 12 bytes; for each child but the last a place, a page number and a key.
    mostChildren = (usableSize - 12) / (2 + 4 + 9) + 1
  }

  /// The children of a page, once there are so many that two stay for the next.
  ///
  /// The engine takes a page with a single child for damaged.
  mutating func takeFullPart() -> ArraySlice<Child>? {
    guard children.count == mostChildren + 2 else { return nil }
    defer { children.removeFirst(mostChildren) }
    return children[..<mostChildren]
  }

  /// The children of the last one or two pages of the level.
  var lastParts: [ArraySlice<Child>] {
    guard children.count > mostChildren else { return [children[...]] }
    let half = children.count / 2
    return [children[..<half], children[half...]]
  }
}
