/// The leaf pages of a table in key order, to be scanned in chunks by as many threads as wanted.
package struct TableLeaves: Sendable {
  /// The numbers of the pages.
  package let pages: [UInt32]

  /// The pages in chunks of at most `size`, in key order; each can be scanned on its own.
  package func chunks(ofPages size: Int) -> [ArraySlice<UInt32>] {
    stride(from: 0, to: pages.count, by: max(size, 1)).map {
      pages[$0..<min($0 + max(size, 1), pages.count)]
    }
  }
}

extension PageFile {
  /// The leaf pages of the table whose tree starts at `root`; reads each page above them once.
  ///
  /// - Throws: `PageError` when the tree contradicts itself or a page cannot be read.
  package func leaves(ofTableAt root: UInt32) throws(PageError) -> TableLeaves {
    var walk = TableWalk(file: self)
    try walk.visit(root)
    return TableLeaves(pages: walk.leaves)
  }

  /// How many rows the first, the middle or the last leaf of a table has, whichever has the most.
  ///
  /// - Throws: `PageError` when a page cannot be read.
  package func mostRows(ofLeaves leaves: TableLeaves) throws(PageError) -> Int {
    let pages = leaves.pages
    var most = 0
    for place in Set([0, pages.count / 2, pages.count - 1]) where pages.indices.contains(place) {
      var bytes: [UInt8] = []
      try read(page: pages[place], appendingTo: &bytes)
      let leaf = PageHeader(
        bytes.span, start: 0, page: pages[place], usableSize: header.usableSize)
      most = max(most, leaf?.cellCount ?? 0)
    }
    return most
  }
}

/// A walk over the pages above the leaves; no tree can make it longer than the file has pages.
private struct TableWalk {
  let file: PageFile
  var leaves: [UInt32] = []
  private var interiorCount = 0
  private var bytes: [UInt8] = []

  /// No tree of the engine is deeper.
  private static let deepest = 20

  init(file: PageFile) { self.file = file }

  mutating func visit(_ root: UInt32) throws(PageError) {
    let (header, children) = try read(root)
    guard header == .tableInterior else { return leaves.append(root) }
    try visitChildren(children, of: root, depth: 1)
  }

  private mutating func visitChildren(
    _ children: [UInt32], of page: UInt32, depth: Int
  ) throws(PageError) {
    guard depth < Self.deepest else { throw file.damaged(Int(page), "the tree is too deep") }
    // All leaves are at one depth, so the first child tells what the others are.
    guard let first = children.first else { return }
    let (kind, grandchildren) = try read(first)
    guard leaves.count + children.count <= file.storedPageCount else {
      throw file.damaged(Int(page), "the tree uses pages twice")
    }
    guard kind == .tableInterior else { return leaves.append(contentsOf: children) }
    try visitChildren(grandchildren, of: first, depth: depth + 1)
    for child in children.dropFirst() {
      let (kind, grandchildren) = try read(child)
      guard kind == .tableInterior else {
        throw file.damaged(Int(child), "the tree is not of one depth")
      }
      try visitChildren(grandchildren, of: child, depth: depth + 1)
    }
  }

  private mutating func read(
    _ page: UInt32
  ) throws(PageError) -> (kind: PageKind, children: [UInt32]) {
    bytes.removeAll(keepingCapacity: true)
    try file.read(page: page, appendingTo: &bytes)
    let usableSize = file.header.usableSize
    guard let header = PageHeader(bytes.span, start: 0, page: page, usableSize: usableSize),
      header.kind.isTable
    else { throw file.damaged(Int(page), "not a page of a table") }
    guard header.kind == .tableInterior else { return (.tableLeaf, []) }
    interiorCount += 1
    guard interiorCount <= file.storedPageCount else {
      throw file.damaged(Int(page), "the tree uses pages twice")
    }
    var children: [UInt32] = []
    children.reserveCapacity(header.cellCount + 1)
    let span = bytes.span
    for index in 0..<header.cellCount {
      let cell = header.cell(index, in: span, start: 0)
      guard cell + 4 <= usableSize else { throw file.damaged(Int(page), "a cell is off the page") }
      children.append(word(span, at: cell))
    }
    children.append(word(span, at: header.offset + 8))
    return (.tableInterior, children)
  }
}
