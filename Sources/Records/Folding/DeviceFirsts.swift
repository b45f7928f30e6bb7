package import Bytes

/// The items on which several devices have operations: of each device the first on such an item.
///
/// Items are told apart by 128 bits of hashes that nobody can know beforehand, which wait in a file
/// where they are many.
package struct DeviceFirsts: Sendable {
  /// For each operation one more than the place of the next device's on its item, with a minus where
  /// another device's is before; 0 where none follows.
  private var next: [Int32]

  /// Links those operations of a queue that wait, and of which it is known what they do.
  ///
  /// Items are told apart by the very spelling of their ids where to all devices it counts: `exactly`.
  ///
  /// - Throws: `FileError` where they cannot be set aside.
  package init(
    of operations: OperationList, exactly: Bool = false
  ) throws(FileError) {
    next = [Int32](repeating: 0, count: operations.count)
    var spool = try Self.spool(operations, exactly)
    let pieces = try spool.pieceCount()
    for bucket in 0..<BucketSpool.bucketCount {
      var entries: [Entry] = []
      for number in 0..<pieces {
        let piece = try spool.piece(number, ofBucket: bucket)
        for start in stride(from: 0, to: piece.count, by: Entry.size) {
          entries.append(Entry(piece.span, at: start))
        }
      }
      link(Entry.firsts(of: entries))
    }
  }

  private static func spool(
    _ operations: OperationList, _ exactly: Bool
  ) throws(FileError) -> BucketSpool {
    let seeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    var spool = BucketSpool(most: 1 << 20)
    var failure: FileError?
    var bytes: [UInt8] = []
    operations.lendEach { place, operation in
      guard failure == nil, operation.state.isPending, operation.kind != nil,
        let hash = operation.itemHash(inTableSeededBy: seeds.0, exactly: exactly),
        let other = operation.itemHash(inTableSeededBy: seeds.1, exactly: exactly)
      else { return }
      bytes.removeAll(keepingCapacity: true)
      Entry(hash, other, operation.source, place).append(to: &bytes)
      do throws(FileError) {
        try spool.append(bytes.span, hash: hash)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return spool
  }

  /// Links the first operations of devices, item by item and in push order.
  private mutating func link(_ firsts: [Entry]) {
    var isFirst = true
    for (entry, after) in zip(firsts, firsts.dropFirst()) {
      guard entry.isSameItem(as: after) else {
        isFirst = true
        continue
      }
      next[Int(entry.place)] = isFirst ? after.place + 1 : -after.place - 1
      isFirst = false
    }
  }

  /// Whether an operation is the first of all on an item on which other devices have some, too.
  package func isFirst(_ place: Int) -> Bool { next[place] > 0 }

  /// The first operations of all devices on an item, given the first of all.
  package func places(from first: Int) -> [Int] {
    var places = [first]
    var place = next[first]
    while place != 0 {
      places.append(Int(abs(place)) - 1)
      place = next[Int(abs(place)) - 1]
    }
    return places
  }

  /// An operation as it waits to be compared with others.
  private struct Entry {
    /// What is the same for all operations on the item.
    private let hashes: (UInt64, UInt64)
    private let source: Int32
    let place: Int32

    static let size = 24

    init(_ hash: UInt64, _ other: UInt64, _ source: Int32, _ place: Int) {
      hashes = (hash, other)
      self.source = source
      self.place = Int32(truncatingIfNeeded: place)
    }

    init(_ bytes: Span<UInt8>, at start: Int) {
      func word(_ number: Int) -> UInt64 {
        UInt64(bigEndian: loadWord(from: bytes, at: start + 8 * number))
      }
      hashes = (word(0), word(1))
      source = Int32(truncatingIfNeeded: word(2) &>> 32)
      place = Int32(truncatingIfNeeded: word(2))
    }

    func append(to bytes: inout [UInt8]) {
      bytes.appendBigEndian(hashes.0)
      bytes.appendBigEndian(hashes.1)
      bytes.appendBigEndian(UInt32(bitPattern: source))
      bytes.appendBigEndian(UInt32(bitPattern: place))
    }

    func isSameItem(as other: Entry) -> Bool { hashes == other.hashes }

    /// The first of each source on an item, item by item and in push order.
    static func firsts(of entries: [Entry]) -> [Entry] {
      var firsts: [Entry] = []
      for entry in entries.sorted(by: {
        ($0.hashes.0, $0.hashes.1, $0.source, $0.place)
          < ($1.hashes.0, $1.hashes.1, $1.source, $1.place)
      }) {
        if let last = firsts.last, last.isSameItem(as: entry), last.source == entry.source {
          continue
        }
        firsts.append(entry)
      }
      // Mostly the devices stand in the queue in the order of their numbers.
      firsts.sort {
        ($0.hashes.0, $0.hashes.1, $0.place) < ($1.hashes.0, $1.hashes.1, $1.place)
      }
      return firsts
    }
  }
}
