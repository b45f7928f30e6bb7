/// The elements of arrays that hold one row each in a member, as `{"node": {…}}` does, and those that
/// hold none.
///
/// Elements that list rows in a member may well have an empty list, or none.
struct JSONRowHolders {
  private struct Elements {
    var haveRows = false
    var haveLists = false
    var empty = 0
  }

  /// By the places of the arrays on the ways to rows.
  private var elements: [Int: Elements] = [:]

  /// Takes an element that holds a row.
  mutating func addRow(in node: Int) { elements[node, default: Elements()].haveRows = true }

  /// Takes one that lists rows, as where a single one stands without a list around it.
  mutating func addList(in node: Int) { elements[node, default: Elements()].haveLists = true }

  /// Takes one in which there was none.
  mutating func addEmpty(at node: Int) { elements[node, default: Elements()].empty += 1 }

  /// Ends an array; returns how many elements so far turn out to lack the row that others hold.
  mutating func close(_ node: Int) -> Int {
    guard let found = elements[node], found.haveRows, !found.haveLists else { return 0 }
    elements[node]?.empty = 0
    return found.empty
  }
}
