package import Bytes

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

/// The pages of a database that grows while the engine has no transaction open.
///
/// To the engine this looks as if another process had changed the file: the change counter in the
/// header goes up, so that it forgets what it has cached.
package struct GrowingPages: ~Copyable {
  private var file: GrowingFile
  /// The size of a page.
  package private(set) var pageSize = 0
  /// How many bytes of a page hold content.
  package private(set) var usableSize = 0
  private var pageCount: UInt32 = 0
  private var changes: UInt32 = 0

  package init(opening path: String) throws(FileError) {
    file = try GrowingFile(opening: path, isDurable: true)
  }

  /// Goes on behind what the engine has written and committed.
  package mutating func takeOver() throws(FileError) {
    let header = try file.read(at: 0, count: 100)
    let size = Int(header[16]) << 8 | Int(header[17])
    pageSize = size == 1 ? 65536 : size
    usableSize = pageSize - Int(header[20])
    changes = Self.number(header, at: 24)
    pageCount = Self.number(header, at: 28)
    try file.moveEnd(to: Int(pageCount) * pageSize)
  }

  /// Makes everything written here a part of the database.
  package mutating func handOver() throws(FileError) {
    try file.flush()
    changes &+= 1
    var counts: [UInt8] = []
    counts.appendBigEndian(changes)
    counts.appendBigEndian(pageCount)
    try file.replace(at: 24, with: counts.span)
    // The page count is valid for this change, and not for an older one.
    try file.replace(at: 92, with: counts.span.extracting(0..<4))
  }

  mutating func nextNumber() throws(FileError) -> UInt32 {
    if isKeptForLocks(pageCount + 1) { try append([UInt8](repeating: 0, count: pageSize)) }
    return pageCount + 1
  }

  /// The number of the page that will follow the page `number`.
  func number(after number: UInt32) -> UInt32 {
    isKeptForLocks(number + 1) ? number + 2 : number + 1
  }

  /// The engine uses the byte at 1 GiB for its locks, and keeps that page free.
  private func isKeptForLocks(_ number: UInt32) -> Bool {
    (Int(number) - 1) * pageSize == 1 << 30
  }

  /// Adds a page, and tells its number.
  package mutating func add(_ page: [UInt8]) throws(FileError) -> UInt32 {
    let number = try nextNumber()
    try append(page)
    return number
  }

  /// Adds the page whose number `nextNumber` has told.
  package mutating func append(_ page: [UInt8]) throws(FileError) {
    guard pageCount < Self.mostPages else {
      throw FileError(operation: "write", path: "", errno: Self.fileTooLarge)
    }
    try file.append(page.span)
    pageCount += 1
  }

  func replace(_ number: UInt32, with page: [UInt8]) throws(FileError) {
    try file.replace(at: Int(number - 1) * pageSize, with: page.span)
  }

  /// What the engine allows.
  private static let mostPages: UInt32 = 4_294_967_294
  /// `EFBIG`, the system's word for it.
  private static let fileTooLarge: Int32 = 27

  private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
