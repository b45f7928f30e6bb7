/// What a page of a tree is for; the first byte of the page.
enum PageKind: UInt8, Sendable {
  case indexInterior = 2
  case tableInterior = 5
  case indexLeaf = 10
  case tableLeaf = 13

  /// Whether the page has no pages below it.
  var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
  /// Whether the keys of the tree are row ids.
  var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  /// How many bytes the page's header has, behind which its cells are listed.
  var headerSize: Int { isLeaf ? 8 : 12 }
}

/// The header of a page of a tree, and where its cells are listed.
struct PageHeader {
  /// What the page is for.
  let kind: PageKind
  /// The place of the header inside the page: behind the file's header on page 1.
  let offset: Int
  /// Where the list of cells starts inside the page.
  let cellList: Int
  /// How many cells the page says to have.
  let cellCount: Int

  /// Reads the header of the page that starts at `start`; nil when it is no page of a tree or
  /// lists more cells than fit.
  init?(_ bytes: Span<UInt8>, start: Int, page: UInt32, usableSize: Int) {
    offset = page == 1 ? FileHeader.size : 0
    guard let kind = PageKind(rawValue: bytes[start + offset]) else { return nil }
    self.kind = kind
    cellList = offset + kind.headerSize
    cellCount = halfWord(bytes, at: start + offset + 3)
    guard cellList + 2 * cellCount <= usableSize else { return nil }
  }

  /// Where a cell starts inside the page; any two bytes.
  @inline(__always)
  func cell(_ index: Int, in bytes: Span<UInt8>, start: Int) -> Int {
    halfWord(bytes, at: start &+ cellList &+ 2 &* index)
  }
}
