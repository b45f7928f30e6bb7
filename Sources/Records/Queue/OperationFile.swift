import Bytes
import Synchronization

/// Operations that are too many for memory, in a file without a name that is gone when it is closed.
///
/// A few neighbours make a block: first a head of each, then the fields of all, as they are packed
/// in memory. Blocks that were read lately are kept.
final class OperationFile: Sendable {
  struct Block: Sendable {
    /// The place of its first operation in the list.
    let first: Int32
    /// How many bytes it has.
    let bytes: Int32
    fileprivate var offset: Int
  }

  private let file: SpoolFile
  private let cache = Mutex([Cached?](repeating: nil, count: cacheSize))

  private struct Cached {
    let offset: Int
    let bytes: [UInt8]
  }

  /// How many operations make a block, and how many bytes, whichever comes first.
  static let blockCount = 32
  static let blockSize = 16 << 10
  private static let cacheSize = 128
  /// How many bytes are written at once.
  private static let pieceSize = 256 << 10
  /// What is longer is not kept when it was read.
  private static let longestCached = 4 * blockSize

  init() throws(FileError) { file = try SpoolFile() }

  // What a long queue was made of must not come on top of what the next one takes.
  deinit { giveBackFreeMemory() }

  /// Writes operations, of which the first has a place in the list.
  func append(
    _ operations: ArraySlice<PendingOperation>, at place: Int
  ) throws(FileError) -> [Block] {
    var blocks: [Block] = []
    var rest = operations
    while !rest.isEmpty {
      var bytes: [UInt8] = []
      let first = blocks.count
      while !rest.isEmpty, bytes.count < Self.pieceSize {
        let block = Self.nextBlock(of: rest)
        let before = bytes.count
        bytes.append(block: block)
        blocks.append(
          Block(
            first: Int32(truncatingIfNeeded: place + block.startIndex - operations.startIndex),
            bytes: Int32(clamping: bytes.count - before), offset: before))
        rest = rest[block.endIndex...]
      }
      let offset = try file.add(bytes)
      for number in first..<blocks.count { blocks[number].offset += offset }
    }
    return blocks
  }

  private static func nextBlock(
    of operations: ArraySlice<PendingOperation>
  ) -> ArraySlice<PendingOperation> {
    var size = 0
    return operations.prefix(blockCount).prefix { operation in
      defer { size += operation.fields.size }
      return size < blockSize
    }
  }

  /// The bytes of a block, of which the list has others.
  func bytes(of block: Block) -> [UInt8] {
    let slot =
      (block.offset / Self.blockSize &+ Int(block.first) / Self.blockCount) % Self.cacheSize
    let known = cache.withLock { cache in
      cache[slot].flatMap { $0.offset == block.offset ? $0.bytes : nil }
    }
    if let known { return known }
    // The file remembers that it could not be read; whoever reads operations asks it in the end.
    guard let bytes = try? file.read(at: block.offset, count: Int(block.bytes)) else { return [] }
    if bytes.count <= Self.longestCached {
      cache.withLock { $0[slot] = Cached(offset: block.offset, bytes: bytes) }
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append(block operations: ArraySlice<PendingOperation>) {
    var fields: [UInt8] = []
    let start = operations.count * OperationHead.size
    for operation in operations {
      append(OperationHead(operation, fieldsAt: start + fields.count))
      operation.fields.append(to: &fields)
    }
    append(fields.span)
  }

  private mutating func append(_ head: OperationHead) {
    appendBigEndian(head.sequence)
    appendBigEndian(head.rowKey)
    appendBigEndian(head.rest)
  }
}

extension PendingOperation {
  /// The operation at a place in a block of the file; an empty one where the block has fewer.
  init(_ place: Int, ofBlock bytes: [UInt8]) {
    let start = place * OperationHead.size
    guard start + OperationHead.size <= bytes.count else {
      self.init()
      return
    }
    self = OperationHead(bytes.span, at: start).operation
    fields.settle(in: bytes)
  }
}

/// What a block holds of an operation besides its fields, in three words.
private struct OperationHead {
  let sequence: UInt64
  let rowKey: UInt64
  /// The source in 32 bits, where the fields begin in 24, and the flags in 8.
  let rest: UInt64

  static let size = 24

  init(_ operation: PendingOperation, fieldsAt start: Int) {
    sequence = UInt64(bitPattern: operation.sequence)
    rowKey = UInt64(bitPattern: operation.rowKey ?? 0)
    rest =
      UInt64(UInt32(bitPattern: operation.source)) &<< 32 | UInt64(start) &<< 8
      | UInt64(operation.flags.bits)
  }

  init(_ bytes: Span<UInt8>, at place: Int) {
    sequence = UInt64(bigEndian: loadWord(from: bytes, at: place))
    rowKey = UInt64(bigEndian: loadWord(from: bytes, at: place + 8))
    rest = UInt64(bigEndian: loadWord(from: bytes, at: place + 16))
  }

  /// The operation, which is still to be given its block.
  var operation: PendingOperation {
    let flags = OperationFlags(bits: UInt8(truncatingIfNeeded: rest))
    let start = Int(rest &>> 8 & 0xFF_FFFF)
    var operation = PendingOperation(
      fieldsFrom: start, flags, key: Int64(bitPattern: rowKey))
    operation.sequence = Int64(bitPattern: sequence)
    operation.source = Int32(bitPattern: UInt32(truncatingIfNeeded: rest &>> 32))
    return operation
  }
}
