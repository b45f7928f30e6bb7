import Bytes

/// The bytes of a page of a tree.
struct Page {
  private(set) var bytes: [UInt8] = []

  /// A page of rows, whose cells begin at `starts` of `content`.
  init(leaf starts: [Int], _ content: [UInt8], _ pageSize: Int, _ usableSize: Int) {
    begin(13, cells: starts.count, content: content.count, pageSize, usableSize)
    fill(starts, content, pageSize, usableSize)
  }

  /// A page of pages: all but the last child with their last key.
  init(branch children: ArraySlice<Child>, _ pageSize: Int, _ usableSize: Int) {
    var starts: [Int] = []
    var content: [UInt8] = []
    for child in children.dropLast() {
      starts.append(content.count)
      content.appendBigEndian(child.page)
      content.appendVarint(UInt64(bitPattern: child.lastKey))
    }
    begin(5, cells: starts.count, content: content.count, pageSize, usableSize)
    bytes.appendBigEndian(children.last?.page ?? 0)
    fill(starts, content, pageSize, usableSize)
  }

  /// A page of an index, whose cells begin at `starts` of `content`; a leaf has no right child.
  init(
    index starts: [Int], _ content: [UInt8], rightChild: UInt32?, _ pageSize: Int,
    _ usableSize: Int
  ) {
    let kind: UInt8 = rightChild == nil ? 10 : 2
    begin(kind, cells: starts.count, content: content.count, pageSize, usableSize)
    if let rightChild { bytes.appendBigEndian(rightChild) }
    fill(starts, content, pageSize, usableSize)
  }

  private mutating func begin(
    _ kind: UInt8, cells: Int, content: Int, _ pageSize: Int, _ usableSize: Int
  ) {
    bytes.reserveCapacity(pageSize)
    bytes.append(kind)
    append(0)
    append(cells)
    append(usableSize - content)
    bytes.append(0)
  }

  private mutating func fill(
    _ starts: [Int], _ content: [UInt8], _ pageSize: Int, _ usableSize: Int
  ) {
    for start in starts { append(usableSize - content.count + start) }
    bytes += [UInt8](repeating: 0, count: usableSize - content.count - bytes.count)
    bytes += content
    bytes += [UInt8](repeating: 0, count: pageSize - usableSize)
  }

  /// Appends two bytes; 65536 is written as zero.
  private mutating func append(_ number: Int) {
    bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    bytes.append(UInt8(truncatingIfNeeded: number))
  }
}
