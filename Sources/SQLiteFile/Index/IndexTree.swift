import Bytes
package import Records

/// Builds the tree of an empty index from entries that come in order, page after page.
///
/// Every page but the last of a level is full. An entry that no longer fits divides its page from
/// the next, and goes one level up; "Database File Format" of SQLite, section 1.6, has the rules.
package struct IndexTree {
  private let root: UInt32
  private var levels = [IndexLevel(isLeaf: true)]

  /// Begins the tree of an index whose pages begin at `root`, which must be an empty leaf.
  package init(root: UInt32) {
    self.root = root
  }

  /// Adds entries behind all others.
  package mutating func append(
    _ entries: IndexEntries, to file: inout GrowingPages
  ) throws(StoreError) {
    var start = 0
    for end in entries.ends {
      try add(entries.bytes.span.extracting(start..<end), below: 0, level: 0, &file)
      start = end
    }
  }

  /// Writes what is left, and the root.
  package mutating func finish(_ file: inout GrowingPages) throws(StoreError) {
    guard !levels[0].isEmpty else { return }
    var rightChild: UInt32 = 0
    var level = 0
    while true {
      if let waiting = levels[level].waiting.take() {
        // No page may be empty: the last entry of the full one divides it from the next.
        let divider = levels[level].removeLast()
        try endPage(of: level, before: divider, &file)
        levels[level].append(waiting.entry.span, below: waiting.child)
      }
      let page = levels[level].page(rightChild: rightChild, file)
      guard level + 1 < levels.count else {
        return try storeErrors { () throws(FileError) in
          try file.replace(root, with: page.bytes)
        }
      }
      rightChild = try storeErrors { () throws(FileError) in try file.add(page.bytes) }
      level += 1
    }
  }

  /// Adds an entry to a level, with the page of all that comes before it and was not yet named.
  private mutating func add(
    _ entry: Span<UInt8>, below child: UInt32, level: Int, _ file: inout GrowingPages
  ) throws(StoreError) {
    if level == levels.count { levels.append(IndexLevel(isLeaf: false)) }
    if let divider = levels[level].waiting.take() { try endPage(of: level, before: divider, &file) }
    if levels[level].hasRoom(for: entry, file) {
      levels[level].append(entry, below: child)
    } else {
      levels[level].wait(entry, below: child)
    }
  }

  private mutating func endPage(
    of level: Int, before divider: (child: UInt32, entry: [UInt8]), _ file: inout GrowingPages
  ) throws(StoreError) {
    let page = levels[level].page(rightChild: divider.child, file)
    levels[level].removeAll()
    let number = try storeErrors { () throws(FileError) in try file.add(page.bytes) }
    try add(divider.entry.span, below: number, level: level + 1, &file)
  }

  /// The page that is being filled on one level of an index.
  fileprivate struct IndexLevel {
    let isLeaf: Bool
    private var content: [UInt8] = []
    private var starts: [Int] = []
    /// The first entry without room, and on higher levels the page before it.
    var waiting: (child: UInt32, entry: [UInt8])?

    init(isLeaf: Bool) { self.isLeaf = isLeaf }

    var isEmpty: Bool { starts.isEmpty }

    func hasRoom(for entry: Span<UInt8>, _ file: borrowing GrowingPages) -> Bool {
      let head = isLeaf ? 8 : 12
      let size = entry.count + (isLeaf ? 0 : 4)
      return head + 2 * (starts.count + 1) + content.count + size <= file.usableSize
    }

    mutating func append(_ entry: Span<UInt8>, below child: UInt32) {
      starts.append(content.count)
      if !isLeaf { content.appendBigEndian(child) }
      content.append(entry)
    }

    /// Keeps an entry for which there is no room.
    mutating func wait(_ entry: Span<UInt8>, below child: UInt32) {
      var copy: [UInt8] = []
      copy.append(entry)
      waiting = (child, copy)
    }

    /// Takes the last entry back; a full page has several.
    mutating func removeLast() -> (child: UInt32, entry: [UInt8]) {
      let start = starts.popLast() ?? content.count
      let cell = content[start...]
      content.removeLast(cell.count)
      guard !isLeaf else { return (0, Array(cell)) }
      return (cell.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, Array(cell.dropFirst(4)))
    }

    mutating func removeAll() {
      content.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
    }

    func page(rightChild: UInt32, _ file: borrowing GrowingPages) -> Page {
      Page(
        index: starts, content, rightChild: isLeaf ? nil : rightChild, file.pageSize,
        file.usableSize)
    }
  }
}

/// The spelling of a value whose bytes have the engine's order: its kind, then the value.
///
/// Text and bytes stay as they are, which is the order that the engine calls binary.
enum IndexKey {
  static let null: UInt8 = 0
  static let integer: UInt8 = 1
  static let real: UInt8 = 2
  static let text: UInt8 = 3
  static let binary: UInt8 = 4

  /// The first eight bytes as a number, which settles most comparisons.
  @inline(__always)
  static func prefix(of key: Span<UInt8>) -> UInt64 {
    if key.count >= 8 { return UInt64(bigEndian: loadWord(from: key, at: 0)) }
    var prefix: UInt64 = 0
    for place in key.indices { prefix |= UInt64(key[place]) << UInt64(56 &- place &* 8) }
    return prefix
  }
}

extension [UInt8] {
  /// Appends a value in the spelling of `IndexKey`.
  mutating func appendIndexKey(_ cell: Cell, arena: Span<UInt8>) {
    switch cell.kind {
    case .null: append(IndexKey.null)
    case .integer:
      append(IndexKey.integer)
      appendBigEndian(UInt64(bitPattern: cell.integer) ^ Self.signBit)
    // In columns of numbers the engine keeps NULL for what is not one, and 0 for a negative zero.
    case .real where cell.real.isNaN: append(IndexKey.null)
    case .real:
      let bits = (cell.real == 0 ? 0 : cell.real).bitPattern
      append(IndexKey.real)
      appendBigEndian(bits < Self.signBit ? bits | Self.signBit : ~bits)
    case .text:
      append(IndexKey.text)
      append(arena.extracting(cell.range))
    case .binary:
      append(IndexKey.binary)
      append(arena.extracting(cell.range))
    }
  }

  mutating func appendIndexEntry(_ key: Span<UInt8>, row: Int64) {
    // Two sizes, two types and a row take less than this besides the value.
    append(addingCapacity: key.count &+ 32) { $0.appendIndexEntry(key, RecordInteger(row)) }
  }

  fileprivate static var signBit: UInt64 { 1 << 63 }
}

extension OutputSpan<UInt8> {
  @inline(__always)
  fileprivate mutating func appendIndexEntry(_ key: Span<UInt8>, _ row: RecordInteger) {
    let value = key.extracting(1...)
    switch key[0] {
    case IndexKey.integer:
      let bits = UInt64(bigEndian: loadWord(from: value, at: 0)) ^ [UInt8].signBit
      let number = RecordInteger(Int64(bitPattern: bits))
      appendHead(type: number.type, size: number.size, row)
      append(number)
    case IndexKey.real:
      let bits = UInt64(bigEndian: loadWord(from: value, at: 0))
      appendHead(type: 7, size: 8, row)
      appendBigEndian(bits < [UInt8].signBit ? ~bits : bits ^ [UInt8].signBit)
    case IndexKey.text, IndexKey.binary:
      let kind: UInt64 = key[0] == IndexKey.text ? 13 : 12
      appendHead(type: UInt64(value.count) &* 2 &+ kind, size: value.count, row)
      append(value)
    default: appendHead(type: 0, size: 0, row)
    }
    append(row)
  }

  /// Appends what stands before the values; a record of two has a head below 127 bytes.
  @inline(__always)
  private mutating func appendHead(type: UInt64, size: Int, _ row: RecordInteger) {
    let head = 2 &+ varintSize(type)
    appendVarint(UInt64(head &+ size &+ row.size))
    append(UInt8(head))
    appendVarint(type)
    appendVarint(row.type)
  }
}
