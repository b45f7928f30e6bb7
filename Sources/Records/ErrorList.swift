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

  /// One error; whoever wants many in a row goes through all of them.
  package subscript(place: Int) -> OperationError {
    guard place < recentStart else { return recent.error(at: place - recentStart) }
    let block = firstPlace(in: blocks) { Int($0.first) > place } - 1
    return spool.counted(at: blocks[block].start).error(at: place - Int(blocks[block].first))
  }

  /// Goes through all errors, of which each block is read once.
  package func makeIterator() -> Iterator { Iterator(of: self) }

  /// One error after the other.
  package struct Iterator: IteratorProtocol {
    private let list: ErrorList
    private var number = 0
    private var block = 0
    /// The block at hand, and where it goes on.
    private var bytes: [UInt8] = []
    private var place = 0

    fileprivate init(of list: ErrorList) { self.list = list }

    /// The next error.
    package mutating func next() -> OperationError? {
      guard number < list.count else { return nil }
      if number == (block < list.blocks.count ? Int(list.blocks[block].first) : list.recentStart) {
        bytes =
          block < list.blocks.count
          ? list.spool.counted(at: list.blocks[block].start) : list.recent
        block += 1
        place = 0
      }
      number += 1
      return bytes.error(from: &place)
    }
  }
}

extension ErrorList: Equatable, ExpressibleByArrayLiteral {
  /// A list of these errors.
  package init(arrayLiteral errors: OperationError...) { self.init(errors) }

  /// Whether the errors are the same.
  package static func == (left: ErrorList, right: ErrorList) -> Bool { left.elementsEqual(right) }
}

// How an error is packed: the bytes of all its fields, then the fields, each a length, one more
// than its bytes so that 0 means none, and then the bytes.

extension [UInt8] {
  /// Appends an error.
  fileprivate mutating func append(packed error: OperationError) {
    var fields: [UInt8] = []
    for text in [
      error.table, error.itemID, error.kind?.rawValue, error.code, error.message, error.originalID,
      error.originalOperationID,
    ] {
      fields.append(field: text.map { Array($0.utf8) })
    }
    fields.append(field: error.item)
    fields.append(field: error.serverItem)
    fields.append(field: error.raw.map(OperationFields.packed))
    fields.append(field: error.status.map(Self.bytes))
    fields.append(field: error.operation.map(Self.bytes))
    fields.append(field: Self.bytes(Int64(error.source)))
    OperationFields.append(length: fields.count, to: &self)
    append(fields.span)
  }

  private mutating func append(field: [UInt8]?) {
    OperationFields.append(length: field.map { $0.count &+ 1 } ?? 0, to: &self)
    if let field { append(field.span) }
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt64(bitPattern: number))
    return bytes
  }

  /// The error behind some others in a block.
  fileprivate func error(at number: Int) -> OperationError {
    var place = 0
    for _ in 0..<number {
      let size = OperationFields.readLength(span, at: &place)
      place &+= size
    }
    return error(from: &place)
  }

  /// The error at a place, which moves behind it; an empty one where a block could not be read.
  fileprivate func error(from place: inout Int) -> OperationError {
    var error = OperationError()
    let size = OperationFields.readLength(span, at: &place)
    guard size <= count - place else { return error }
    let end = place + size
    error.table = text(from: &place)
    error.itemID = text(from: &place)
    error.kind = text(from: &place).flatMap(OperationKind.init(rawValue:))
    error.code = text(from: &place)
    error.message = text(from: &place)
    error.originalID = text(from: &place)
    error.originalOperationID = text(from: &place)
    error.item = field(from: &place)
    error.serverItem = field(from: &place)
    error.raw = field(from: &place).flatMap { OperationFields.raw($0[...]) }
    error.status = number(from: &place)
    error.operation = number(from: &place)
    error.source = number(from: &place).map { Int32(clamping: $0) } ?? 0
    place = end
    return error
  }

  private func text(from place: inout Int) -> String? {
    field(from: &place).map { String(decoding: $0, as: UTF8.self) }
  }

  private func number(from place: inout Int) -> Int64? {
    field(from: &place).map { Int64(bitPattern: OperationFields.number($0[...])) }
  }

  private func field(from place: inout Int) -> [UInt8]? {
    let length = OperationFields.readLength(span, at: &place)
    guard length > 0, length &- 1 <= count &- place else { return nil }
    defer { place &+= length &- 1 }
    return Array(self[place..<place &+ length &- 1])
  }
}
