/// A cell of a page of a tree, taken apart.
struct BTreeCell {
  let child: UInt32
  /// The row id, in a table.
  let key: Int64?
  let payloadSize: Int
  /// The part of the payload that is on the page.
  let local: Range<Int>
  let end: Int
  /// Whether there is a payload; the cells above a table's leaves have none.
  let hasPayload: Bool

  /// The fewest bytes that a cell takes.
  private static let smallest = 4

  /// Reads the cell at `offset` of the page; nil when it does not end inside of `bytes`.
  @inline(__always)
  init?(_ bytes: Span<UInt8>, at offset: Int, kind: PageKind, sizes: PayloadSizes) {
    var position = offset
    if kind.isLeaf {
      child = 0
    } else {
      guard offset &+ 4 <= bytes.count else { return nil }
      child = word(bytes, at: offset)
      position &+= 4
    }
    hasPayload = kind != .tableInterior
    if hasPayload {
      guard let size = varint(bytes, at: &position), size <= Int32.max else { return nil }
      payloadSize = Int(truncatingIfNeeded: size)
    } else {
      payloadSize = 0
    }
    if kind.isTable {
      guard let key = varint(bytes, at: &position) else { return nil }
      self.key = Int64(bitPattern: key)
    } else {
      key = nil
    }
    let localSize = sizes.local(of: payloadSize)
    let payloadEnd = position &+ localSize
    let cellEnd = localSize < payloadSize ? payloadEnd &+ 4 : payloadEnd
    end = max(cellEnd, offset &+ Self.smallest)
    guard end <= bytes.count else { return nil }
    local = position..<payloadEnd
  }
}

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
  let kind: PageKind
  /// The place of the header inside the page: behind the file's header on page 1.
  let offset: Int
  let cellList: Int
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

/// How much of a payload stays on its page, as section 1.6 of the file format computes it.
struct PayloadSizes {
  /// How many bytes of a page are for its contents.
  let usableSize: Int
  /// The most that stays on the page.
  let largest: Int
  /// What stays at least when the rest goes to overflow pages.
  private let smallest: Int

  init(usableSize: Int, isTable: Bool) {
    self.usableSize = usableSize
    largest = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    smallest = (usableSize - 12) * 32 / 255 - 23
  }

  /// How many bytes of a payload are on the page itself.
  @inline(__always)
  func local(of size: Int) -> Int {
    size <= largest ? size : localWithOverflow(of: size)
  }

  private func localWithOverflow(of size: Int) -> Int {
    let local = smallest + (size - smallest) % (usableSize - 4)
    return local <= largest ? local : smallest
  }
}
