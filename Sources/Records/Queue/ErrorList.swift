import Bytes

/// The failures of a queue in the order in which they were written down: few are kept in memory,
/// many in a file without a name.
///
/// They are packed, a few to a block, and each is put together when it is asked for. Copies may be
/// read, but only one may grow.
package struct ErrorList: Sendable {
  /// Where a block is in the spool.
  private struct Block: Sendable {
    /// The place of its first error in the list.
    let first: Int32
    let start: Int
  }

  private var blocks: [Block] = []
  private var spool: ByteSpool
  /// The errors behind those in the blocks, packed.
  private var recent: [UInt8] = []
  private var recentCount = 0
  /// How many errors there are.
  package private(set) var count = 0

  /// How many bytes make a block; one that an error makes longer ends there.
  private static let blockSize = 8 << 10

  /// A list of no errors that keeps so many bytes in memory.
  package init(memoryLimit: Int = 4 << 20) { spool = ByteSpool(memoryLimit: memoryLimit) }

  /// A list of some errors.
  package init(_ errors: some Sequence<OperationError>) {
    self.init()
    for error in errors { append(error) }
  }

  /// Adds an error.
  package mutating func append(_ error: OperationError) {
    recent.append(packed: error)
    recentCount += 1
    count += 1
    guard recent.count >= Self.blockSize else { return }
    // A second reference, because a span of `recent` would keep all of this value occupied.
    let block = recent
    let start = spool.append(counted: block.span)
    blocks.append(Block(first: Int32(clamping: recentStart), start: start))
    // What a very long error took is not kept for those that follow.
    recent.removeAll(keepingCapacity: recent.capacity <= 4 * Self.blockSize)
    recentCount = 0
  }

  /// Changes the errors one after the other.
  package mutating func updateEach(_ change: (inout OperationError) -> Void) {
    var list = ErrorList()
    for var error in self {
      change(&error)
      list.append(error)
    }
    self = list
  }

  private var recentStart: Int { count - recentCount }
}

extension ErrorList: RandomAccessCollection {
  /// Where the first error is.
  package var startIndex: Int { 0 }
  /// How many errors there are.
  package var endIndex: Int { count }

  /// One error; whoever wants many in a row has a lookup.
  package subscript(place: Int) -> OperationError {
    var lookup = Lookup(self)
    return lookup.error(at: place)
  }

  /// Goes through all errors, of which each block is read once.
  package func makeIterator() -> Iterator { Iterator(Lookup(self)) }

  /// One error after the other.
  package struct Iterator: IteratorProtocol {
    private var lookup: Lookup
    private var number = 0

    fileprivate init(_ lookup: Lookup) { self.lookup = lookup }

    /// The next error.
    package mutating func next() -> OperationError? {
      guard number < lookup.count else { return nil }
      defer { number += 1 }
      return lookup.error(at: number)
    }
  }

  /// Looks up one error after the other; of those that follow each other each block is read once.
  package struct Lookup {
    private let list: ErrorList
    /// The block at hand, and the places of its errors in the list.
    private var block: [UInt8] = []
    private var places = 0..<0
    /// The place of the error behind the one that was read last, and where it begins.
    private var next = 0
    private var start = 0

    /// Looks up errors of a list.
    package init(_ list: ErrorList) { self.list = list }

    fileprivate var count: Int { list.count }

    /// The error at a place.
    package mutating func error(at place: Int) -> OperationError {
      if !places.contains(place) { turn(to: place) }
      if place < next { (next, start) = (places.lowerBound, 0) }
      // A second reference, because a span of `block` would keep all of this value occupied.
      let block = block
      while next < place {
        for _ in 0..<OperationError.packedFields { _ = readField(of: block.span, at: &start) }
        next += 1
      }
      next += 1
      return OperationError(packedIn: block.span, at: &start)
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

extension ErrorList: Equatable, ExpressibleByArrayLiteral {
  /// A list of these errors.
  package init(arrayLiteral errors: OperationError...) { self.init(errors) }

  /// Whether the errors are the same.
  package static func == (left: ErrorList, right: ErrorList) -> Bool { left.elementsEqual(right) }
}

// How an error is packed: its fields, each a length, one more than its bytes so that 0 means none,
// and then the bytes.

extension OperationError {
  fileprivate static let packedFields = 13

  /// The error at a place in a block, behind which that moves; a field that a block does not hold,
  /// because it could not be read, has no value.
  fileprivate init(packedIn block: Span<UInt8>, at place: inout Int) {
    table = readText(of: block, at: &place)
    itemID = readText(of: block, at: &place)
    kind = readText(of: block, at: &place).flatMap(OperationKind.init(rawValue:))
    code = readText(of: block, at: &place)
    message = readText(of: block, at: &place)
    originalID = readText(of: block, at: &place)
    originalOperationID = readText(of: block, at: &place)
    item = readBytes(of: block, at: &place)
    serverItem = readBytes(of: block, at: &place)
    raw = readBytes(of: block, at: &place).flatMap { OperationFields.raw($0[...]) }
    status = readNumber(of: block, at: &place)
    operation = readNumber(of: block, at: &place)
    source = readNumber(of: block, at: &place).map { Int32(clamping: $0) } ?? 0
  }
}

private func readField(of block: Span<UInt8>, at place: inout Int) -> Range<Int>? {
  let length = OperationFields.readLength(block, at: &place)
  guard length > 0, length &- 1 <= block.count &- place else { return nil }
  let start = place
  place = start &+ length &- 1
  return start..<place
}

private func readText(of block: Span<UInt8>, at place: inout Int) -> String? {
  guard let range = readField(of: block, at: &place) else { return nil }
  do {
    return String(copying: try UTF8Span(validating: block.extracting(range)))
  } catch {
    // What was packed was a text, so the block could not be read.
    return nil
  }
}

private func readBytes(of block: Span<UInt8>, at place: inout Int) -> [UInt8]? {
  readField(of: block, at: &place).map { range in
    var bytes: [UInt8] = []
    bytes.append(block.extracting(range))
    return bytes
  }
}

private func readNumber(of block: Span<UInt8>, at place: inout Int) -> Int64? {
  readBytes(of: block, at: &place).map { Int64(bitPattern: OperationFields.number($0[...])) }
}

extension [UInt8] {
  /// Appends an error.
  fileprivate mutating func append(packed error: OperationError) {
    append(field: error.table)
    append(field: error.itemID)
    append(field: error.kind?.rawValue)
    append(field: error.code)
    append(field: error.message)
    append(field: error.originalID)
    append(field: error.originalOperationID)
    append(field: error.item)
    append(field: error.serverItem)
    append(field: error.raw.map(OperationFields.packed))
    append(field: error.status)
    append(field: error.operation)
    append(field: Int64(error.source))
  }

  private mutating func append(field text: String?) {
    guard let text else { return append(0) }
    append(field: text.utf8Span.span)
  }

  private mutating func append(field bytes: [UInt8]?) {
    guard let bytes else { return append(0) }
    append(field: bytes.span)
  }

  private mutating func append(field number: Int64?) {
    guard let number else { return append(0) }
    append(8 + 1)
    appendBigEndian(UInt64(bitPattern: number))
  }

  private mutating func append(field bytes: Span<UInt8>) {
    OperationFields.append(length: bytes.count &+ 1, to: &self)
    append(bytes)
  }
}
