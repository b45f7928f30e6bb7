/// What can be wrong with a page by itself.
enum PageFault: UInt8, Sendable {
  case unreadable
  case tooManyCells
  case cellOutside
  case keyOrder
  case overlap
  case freeBlocks
  case fragments
  case record

  /// The fault in words.
  var message: String {
    switch self {
    case .unreadable: "it cannot be read"
    case .tooManyCells: "it lists more cells than fit"
    case .cellOutside: "a cell is outside of its place"
    case .keyOrder: "row ids are out of order"
    case .overlap: "two things use the same bytes"
    case .freeBlocks: "its free space contradicts itself"
    case .fragments: "its unused bytes are counted wrongly"
    case .record: "a record is malformed"
    }
  }
}

/// What one look at a page tells, whether or not it turns out to belong to a tree.
struct PageFacts: Sendable {
  /// What the page would be for in a tree; nil when it can be in none.
  var kind: PageKind?
  /// What contradicts that it is such a page.
  var fault: PageFault?
  /// How many cells it has.
  var cellCount: UInt16 = 0
  /// The smallest row id of a table's leaf that has rows.
  var firstKey: Int64 = 0
  /// The largest row id of a table's leaf that has rows.
  var lastKey: Int64 = 0
}

/// A payload that goes on elsewhere.
struct OverflowStart: Sendable {
  /// The page that holds its cell.
  let page: UInt32
  /// The first page of the chain.
  let first: UInt32
  /// How many pages the chain must have.
  let count: UInt32
}
