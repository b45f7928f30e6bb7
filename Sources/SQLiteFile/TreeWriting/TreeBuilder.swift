import Bytes
package import Records

/// Builds the tree of an empty table from rows whose keys ascend, page after page.
///
/// The engine would look for the place of every row; here each goes behind the one before.
/// "Database File Format" of SQLite, section 1.6, describes the pages.
package struct TreeBuilder {
  private let root: UInt32
  /// The cells of the leaf that is being filled, and where each begins.
  private var content: [UInt8] = []
  private var starts: [Int] = []
  private var hasPages = false
  private var branches: [Branch] = []
  /// The key of the last row.
  package private(set) var lastKey: Int64?

  /// Begins the tree of a table whose pages begin at `root`, which must be an empty leaf.
  package init(root: UInt32) {
    self.root = root
  }

  /// Adds the first rows of some cells behind all others; their keys ascend.
  package mutating func append(
    _ cells: RowCells, keys: ArraySlice<Int64>, to file: inout GrowingPages
  ) throws(StoreError) {
    var row = 0
    var longRows = cells.longRows[...]
    while row < keys.count {
      if longRows.first == row {
        longRows.removeFirst()
        let record = cells.bytes[cells.start(ofRow: row)..<cells.ends[row]]
        try appendLong(record, key: keys[keys.startIndex + row], to: &file)
        row += 1
      } else {
        let end = min(keys.count, longRows.first ?? keys.count)
        let next = fill(with: cells, rows: row..<end, file.usableSize)
        if next > row { lastKey = keys[keys.startIndex + next - 1] }
        // A leaf without rows has room for any cell.
        if next < end { try endLeaf(&file) }
        row = next
      }
    }
  }

  /// Adds as many cells to the leaf as it has room for.
  ///
  /// - Returns: the first row that is left.
  private mutating func fill(
    with cells: RowCells, rows: Range<Int>, _ usableSize: Int
  ) -> Int {
    let start = cells.start(ofRow: rows.lowerBound)
    let shift = content.count &- start
    var row = rows.lowerBound
    var cellStart = start
    while row < rows.upperBound {
      let cellEnd = cells.ends[row]
      guard 8 &+ 2 &* (starts.count &+ 1) &+ shift &+ cellEnd <= usableSize else { break }
      starts.append(cellStart &+ shift)
      cellStart = cellEnd
      row &+= 1
    }
    content.append(cells.bytes.span.extracting(start..<cellStart))
    return row
  }

  /// Writes what is left, and the root.
  package mutating func finish(_ file: inout GrowingPages) throws(StoreError) {
    guard !starts.isEmpty else { return }
    guard hasPages else {
      return try write(Page(leaf: starts, content, file.pageSize, file.usableSize), &file)
    }
    try endLeaf(&file)
    var level = 0
    while true {
      let parts = branches[level].lastParts
      guard level + 1 < branches.count || parts.count > 1 else {
        return try write(Page(branch: parts[0], file.pageSize, file.usableSize), &file)
      }
      for part in parts { try endBranch(part, level, &file) }
      level += 1
    }
  }

  private func write(_ rootPage: Page, _ file: inout GrowingPages) throws(StoreError) {
    try storeErrors { () throws(FileError) in try file.replace(root, with: rootPage.bytes) }
  }

  private mutating func endLeaf(_ file: inout GrowingPages) throws(StoreError) {
    let page = Page(leaf: starts, content, file.pageSize, file.usableSize)
    starts.removeAll(keepingCapacity: true)
    content.removeAll(keepingCapacity: true)
    hasPages = true
    try add(page, lastKey: lastKey ?? 0, level: 0, &file)
  }

  private mutating func add(
    _ page: Page, lastKey: Int64, level: Int, _ file: inout GrowingPages
  ) throws(StoreError) {
    let number = try storeErrors { () throws(FileError) in try file.add(page.bytes) }
    if level == branches.count { branches.append(Branch(usableSize: file.usableSize)) }
    branches[level].children.append(Child(page: number, lastKey: lastKey))
    guard let full = branches[level].takeFullPart() else { return }
    try endBranch(full, level, &file)
  }

  private mutating func endBranch(
    _ children: ArraySlice<Child>, _ level: Int, _ file: inout GrowingPages
  ) throws(StoreError) {
    let page = Page(branch: children, file.pageSize, file.usableSize)
    try add(page, lastKey: children.last?.lastKey ?? 0, level: level + 1, &file)
  }

  /// Adds a row of which the leaf has the first part of the record, and pages of its own the rest.
  private mutating func appendLong(
    _ record: ArraySlice<UInt8>, key: Int64, to file: inout GrowingPages
  ) throws(StoreError) {
    let size = UInt64(record.count)
    let local = PayloadSizes(usableSize: file.usableSize, isTable: true).local(of: record.count)
    let cellSize = varintSize(size) + varintSize(UInt64(bitPattern: key)) + local + 4
    if 8 + 2 * (starts.count + 1) + content.count + cellSize > file.usableSize {
      try endLeaf(&file)
    }
    starts.append(content.count)
    content.appendVarint(size)
    content.appendVarint(UInt64(bitPattern: key))
    content.append(contentsOf: record.prefix(local))
    try appendRest(of: record.dropFirst(local), to: &file)
    lastKey = key
  }

  /// Appends the number of the page that follows to the leaf, and writes the pages.
  private mutating func appendRest(
    of record: ArraySlice<UInt8>, to file: inout GrowingPages
  ) throws(StoreError) {
    var rest = record
    let room = file.usableSize - 4
    try storeErrors { () throws(FileError) in
      content.appendBigEndian(try file.nextNumber())
      while !rest.isEmpty {
        let part = rest.prefix(room)
        rest = rest.dropFirst(room)
        // The page after this one is the next, unless that is the one kept for locks.
        let number = try file.nextNumber()
        var page: [UInt8] = []
        page.reserveCapacity(file.pageSize)
        page.appendBigEndian(rest.isEmpty ? 0 : file.number(after: number))
        page.append(contentsOf: part)
        page += [UInt8](repeating: 0, count: file.pageSize - page.count)
        try file.append(page)
      }
    }
  }
}

/// A page, and the last key below it.
struct Child {
  let page: UInt32
  let lastKey: Int64
}

extension TreeBuilder {
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
}
