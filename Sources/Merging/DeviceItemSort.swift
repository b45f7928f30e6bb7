import Bytes
import Records

/// Brings what devices would send into the order of their operations.
///
/// It comes in the order of the rows. A few stay in memory; many wait in a file, in buckets of
/// operations that follow each other.
struct DeviceItemSort {
  /// All that was added and how many bytes it takes, unless it is too much for memory.
  private var few: [(place: Int, item: DeviceItem)] = []
  private var size = 0
  /// All that was added, where that is too much.
  private var spool: BucketSpool?
  /// How many operations there are.
  private let count: Int

  /// How many bytes stay in memory as long as there is no file, and how many are put into it at once.
  private static let most = 4 << 20

  /// Has nothing yet, of a queue of so many operations.
  init(count: Int) { self.count = count }

  /// Adds what is sent for the operation at a place in the queue, by which alone it is known.
  mutating func add(_ item: DeviceItem, at place: Int) throws(FileError) {
    guard spool == nil else { return try setAside(item, at: place) }
    var item = item
    item.operation = 0
    few.append((place, item))
    size += item.memory
    if size > Self.most { try setAsideAll() }
  }

  private mutating func setAsideAll() throws(FileError) {
    spool = BucketSpool(most: Self.most)
    for (place, item) in few { try setAside(item, at: place) }
    few = []
  }

  private mutating func setAside(_ item: DeviceItem, at place: Int) throws(FileError) {
    var entry: [UInt8] = []
    entry.append(item, at: place)
    try spool?.append(entry.span, inBucket: place * BucketSpool.bucketCount / max(1, count))
  }

  /// Lends all in the order of the operations, each with the place of its own.
  mutating func forEachItem(
    _ body: (_ place: Int, DeviceItem) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard spool != nil else {
      few.sort { $0.place < $1.place }
      for (place, item) in few { try body(place, item) }
      return
    }
    for bucket in 0..<BucketSpool.bucketCount {
      let bytes = try storeErrors(Self.context) { () throws(FileError) in try all(in: bucket) }
      var entries: [(place: Int, start: Int)] = []
      var start = 0
      while start < bytes.count {
        let entry = DeviceItemEntry(bytes, at: start)
        entries.append((entry.place, start))
        start = entry.end
      }
      entries.sort { $0.place < $1.place }
      for (place, start) in entries { try body(place, DeviceItemEntry(bytes, at: start).item) }
    }
  }

  private mutating func all(in bucket: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    for number in 0..<(try spool?.pieceCount() ?? 0) {
      bytes += try spool?.piece(number, ofBucket: bucket) ?? []
    }
    return bytes
  }

  static let context = "what devices would send cannot be set aside"
}

/// An entry that `append` has made: how many bytes it has, the place of the operation, the source,
/// and then the texts, each behind one more than its size, where 0 means none.
private struct DeviceItemEntry {
  private let bytes: [UInt8]
  private let start: Int

  fileprivate static let headSize = 24

  init(_ bytes: [UInt8], at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  var end: Int { start + Int(number(0)) }
  var place: Int { Int(number(1)) }

  var item: DeviceItem {
    var item = DeviceItem(operation: 0, source: Int32(truncatingIfNeeded: number(2)))
    var next = start + Self.headSize
    item.table = string(&next)
    item.item = text(&next)
    item.body = text(&next)
    item.updatedAt = string(&next)
    item.version = string(&next)
    return item
  }

  private func number(_ index: Int) -> UInt64 {
    UInt64(bigEndian: loadWord(from: bytes.span, at: start + 8 * index))
  }

  private func text(_ next: inout Int) -> [UInt8]? {
    let size = Int(UInt64(bigEndian: loadWord(from: bytes.span, at: next)))
    let first = next + 8
    next = first + max(0, size - 1)
    return size == 0 ? nil : Array(bytes[first..<next])
  }

  private func string(_ next: inout Int) -> String? {
    text(&next).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension DeviceItem {
  /// How many bytes it takes in memory, or about as many.
  fileprivate var memory: Int {
    let texts = [table, updatedAt, version].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return MemoryLayout<Self>.stride + 64 + texts + (item?.count ?? 0) + (body?.count ?? 0)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ item: DeviceItem, at place: Int) {
    let bytes = { (text: String?) in text.map { Array($0.utf8) } }
    let texts = [
      bytes(item.table), item.item, item.body, bytes(item.updatedAt), bytes(item.version),
    ]
    let size = texts.reduce(DeviceItemEntry.headSize) { $0 + 8 + ($1?.count ?? 0) }
    appendBigEndian(UInt64(size))
    appendBigEndian(UInt64(place))
    appendBigEndian(UInt64(UInt32(bitPattern: item.source)))
    for text in texts {
      appendBigEndian(UInt64(text.map { $0.count + 1 } ?? 0))
      if let text { append(text.span) }
    }
  }
}
