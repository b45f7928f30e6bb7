/// A cell of a page of a tree, taken apart.
struct BTreeCell {
  /// The page below, of a cell on a page that has some.
  let child: UInt32
  /// The row id, in a table.
  let key: Int64?
  /// How long the payload is.
  let payloadSize: Int
  /// The part of the payload that is on the page.
  let local: Range<Int>
  /// Where the cell ends.
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
