import Bytes

/// The failures of a queue in the order in which they were written down.
package typealias ErrorList = RecordList<OperationError>

/// How far pulls had come, query by query.
package typealias TokenList = RecordList<DeltaToken>

/// Records in their order: few are kept in memory, many in a file without a name.
///
/// They are packed, a few to a block, and each is put together when it is asked for. Copies may be
/// read, but only one may grow.
package struct RecordList<Record: PackedRecord>: Sendable {
  /// Where a block is in the spool.
  private struct Block: Sendable {
    /// The place of its first record in the list.
    let first: Int32
    let start: Int
  }

  private var blocks: [Block] = []
  private var spool: ByteSpool
  /// The records behind those in the blocks, packed.
  private var recent: [UInt8] = []
  private var recentCount = 0
  /// How many records there are.
  package private(set) var count = 0

  /// How many bytes make a block; one that a record makes longer ends there.
  private static var blockSize: Int { 8 << 10 }

  /// A list of no records that keeps so many bytes in memory.
  package init(memoryLimit: Int = 4 << 20) { spool = ByteSpool(memoryLimit: memoryLimit) }

  /// A list of some records.
  package init(_ records: some Sequence<Record>) {
    self.init()
    append(contentsOf: records)
  }

  /// Adds a record.
  package mutating func append(_ record: Record) {
    record.pack(into: &recent)
    recentCount += 1
    count += 1
    guard recent.count >= Self.blockSize else { return }
    // A second reference, because a span of `recent` would keep all of this value occupied.
    let block = recent
    let start = spool.append(counted: block.span)
    blocks.append(Block(first: Int32(clamping: recentStart), start: start))
    // What a very long record took is not kept for those that follow.
    recent.removeAll(keepingCapacity: recent.capacity <= 4 * Self.blockSize)
    recentCount = 0
  }

  /// Adds records that come one behind the other.
  package mutating func append(contentsOf records: some Sequence<Record>) {
    for record in records { append(record) }
  }

  /// Changes the records one after the other.
  package mutating func updateEach(_ change: (inout Record) -> Void) {
    var list = Self()
    for var record in self {
      change(&record)
      list.append(record)
    }
    self = list
  }

  private var recentStart: Int { count - recentCount }
}

extension RecordList: RandomAccessCollection {
  /// Where the first record is.
  package var startIndex: Int { 0 }
  /// How many records there are.
  package var endIndex: Int { count }

  /// One record; whoever wants many in a row has a lookup.
  package subscript(place: Int) -> Record {
    var lookup = Lookup(self)
    return lookup.record(at: place)
  }

  /// Goes through all records, of which each block is read once.
  package func makeIterator() -> Iterator { Iterator(Lookup(self)) }

  /// One record after the other.
  package struct Iterator: IteratorProtocol {
    private var lookup: Lookup
    private var number = 0

    fileprivate init(_ lookup: Lookup) { self.lookup = lookup }

    /// The next record.
    package mutating func next() -> Record? {
      guard number < lookup.count else { return nil }
      defer { number += 1 }
      return lookup.record(at: number)
    }
  }

  /// Looks up one record after the other; of those that follow each other each block is read once.
  package struct Lookup {
    private let list: RecordList
    /// The block at hand, and the places of its records in the list.
    private var block: [UInt8] = []
    private var places = 0..<0
    /// The place of the record behind the one that was read last, and where it begins.
    private var next = 0
    private var start = 0

    /// Looks up records of a list.
    package init(_ list: RecordList) { self.list = list }

    fileprivate var count: Int { list.count }

    /// The record at a place.
    package mutating func record(at place: Int) -> Record {
      if !places.contains(place) { turn(to: place) }
      if place < next { (next, start) = (places.lowerBound, 0) }
      // A second reference, because a span of `block` would keep all of this value occupied.
      let block = block
      while next < place {
        for _ in 0..<Record.packedFields { _ = PackedFields.field(of: block.span, at: &start) }
        next += 1
      }
      next += 1
      return Record(packedIn: block.span, at: &start)
    }

    private mutating func turn(to place: Int) {
      let behind = firstPlace(in: list.blocks) { Int($0.first) > place }
      if place < list.recentStart {
        let own = list.blocks[behind - 1]
        block = list.spool.counted(at: own.start)
        let end = behind < list.blocks.count ? Int(list.blocks[behind].first) : list.recentStart
        places = Int(own.first)..<end
      } else {
        block = list.recent
        places = list.recentStart..<list.count
      }
      (next, start) = (places.lowerBound, 0)
    }
  }
}

extension RecordList: Equatable, ExpressibleByArrayLiteral {
  /// A list of these records.
  package init(arrayLiteral records: Record...) { self.init(records) }

  /// Whether the records are the same.
  package static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}
