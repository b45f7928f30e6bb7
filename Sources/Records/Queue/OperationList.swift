import Bytes

/// The operations of a queue in push order: few are kept in memory, many in a file without a name.
///
/// A copy may grow, too; the file is gone when the last of them is.
package struct OperationList: Sendable {
  /// The first operations, where they are too many for memory.
  private var file: OperationFile?
  private var blocks: [OperationFile.Block] = []
  private var spilledCount = 0
  private var changed: [Int: PendingOperation] = [:]
  /// Those behind the ones in the file.
  private var recent: [PendingOperation] = []
  /// How many bytes they take.
  private var weight = 0
  /// How many bytes may stay in memory; nil where no file can be written.
  private var limit: Int?
  /// Whether the `sequence` of each operation is one more than its place.
  package private(set) var isNumbered = true

  /// How many bytes stay in memory as long as there is no file, and then.
  private static let memoryLimit = 32 << 20
  private static let pieceLimit = 512 << 10
  /// How many operations are worked on together.
  private static let pieceCount = 4096

  /// A list of no operations that keeps so many bytes in memory.
  package init(memoryLimit: Int = memoryLimit) { limit = memoryLimit }

  /// A list for as many operations as another one has, which keeps few in memory if that one does.
  init(like other: OperationList) {
    self.init(memoryLimit: other.isSpilled ? Self.pieceLimit : Self.memoryLimit)
  }

  /// A list of some operations.
  package init(_ operations: some Sequence<PendingOperation>) {
    self.init()
    for operation in operations { append(operation) }
  }

  /// Adds an operation.
  package mutating func append(_ operation: PendingOperation) {
    weight += operation.weight(after: recent.last)
    if operation.sequence != Int64(count) + 1 { isNumbered = false }
    recent.append(operation)
    if let limit, weight > limit { spill() }
  }

  /// Adds operations that come one behind the other.
  package mutating func append(contentsOf operations: some Sequence<PendingOperation>) {
    for operation in operations { append(operation) }
  }

  /// Makes room for so many operations, if they are few.
  package mutating func reserveCapacity(_ count: Int) {
    let most = Self.memoryLimit / MemoryLayout<PendingOperation>.stride / 2
    if limit == Self.memoryLimit { recent.reserveCapacity(Swift.min(count, most)) }
  }

  private mutating func spill() {
    do throws(FileError) {
      let file = if let file { file } else { try OperationFile() }
      blocks += try file.append(recent[...], at: spilledCount)
      self.file = file
      spilledCount += recent.count
      let isFirst = limit.map { $0 > Self.pieceLimit } ?? false
      recent.removeAll(keepingCapacity: !isFirst)
      weight = 0
      limit = limit.map { Swift.min($0, Self.pieceLimit) }
      if isFirst { giveBackFreeMemory() }
    } catch {
      // What no file can take stays in memory.
      limit = nil
    }
  }
}

extension OperationList: RandomAccessCollection {
  /// Where the first operation is.
  package var startIndex: Int { 0 }
  /// How many operations there are.
  package var endIndex: Int { spilledCount + recent.count }

  /// One operation; a change to one of the many in a file is kept in memory.
  package subscript(place: Int) -> PendingOperation {
    get { place < spilledCount ? spilled(place) : recent[place - spilledCount] }
    set {
      if newValue.sequence != Int64(place) + 1 { isNumbered = false }
      if place < spilledCount {
        changed[place] = newValue
      } else {
        recent[place - spilledCount] = newValue
      }
    }
  }

  private func spilled(_ place: Int) -> PendingOperation {
    var block = BlockAtHand()
    return spilled(place, &block)
  }

  private func spilled(_ place: Int, _ block: inout BlockAtHand) -> PendingOperation {
    if !changed.isEmpty, let operation = changed[place] { return operation }
    if !block.places.contains(place) { block = self.block(of: place) }
    return PendingOperation(place - block.places.lowerBound, ofBlock: block.bytes)
  }

  /// The block of the file that was read last, and the places of its operations.
  private struct BlockAtHand {
    var places = 0..<0
    var bytes: [UInt8] = []
  }

  private func block(of place: Int) -> BlockAtHand {
    let number = blockNumber(of: place)
    let end = number + 1 < blocks.count ? Int(blocks[number + 1].first) : spilledCount
    return BlockAtHand(
      places: Int(blocks[number].first)..<end, bytes: file?.bytes(of: blocks[number]) ?? [])
  }

  private func blockNumber(of place: Int) -> Int {
    // Most blocks have as many operations as others.
    let guess = Swift.min(place / OperationFile.blockCount, blocks.count - 1)
    if blocks[guess].first <= place, guess + 1 == blocks.count || place < blocks[guess + 1].first {
      return guess
    }
    return Records.firstPlace(in: blocks) { $0.first > place } - 1
  }

  /// Goes through all operations, of which each block is read once.
  package func makeIterator() -> Iterator { Iterator(of: self) }

  /// One operation after the other.
  package struct Iterator: IteratorProtocol {
    private let list: OperationList
    private var place = 0
    private var block = BlockAtHand()

    fileprivate init(of list: OperationList) { self.list = list }

    /// The next operation.
    package mutating func next() -> PendingOperation? {
      guard place < list.endIndex else { return nil }
      defer { place += 1 }
      guard place < list.spilledCount else { return list.recent[place - list.spilledCount] }
      return list.spilled(place, &block)
    }
  }
}

extension OperationList {
  /// Lends one operation, which is not copied where it is in memory.
  package func with<Result>(
    _ place: Int, _ body: (borrowing PendingOperation) -> Result
  ) -> Result {
    place < spilledCount ? body(spilled(place)) : body(recent.span[place - spilledCount])
  }

  /// Lends one operation after the other, of which those in memory are not copied.
  package func lendEach(
    in places: Range<Int>? = nil,
    _ body: (_ place: Int, _ operation: borrowing PendingOperation) -> Void
  ) {
    let places = places ?? indices
    var block = BlockAtHand()
    for place in places.clamped(to: 0..<spilledCount) { body(place, spilled(place, &block)) }
    let recent = recent.span
    for place in places.clamped(to: spilledCount..<count) {
      body(place, recent[place - spilledCount])
    }
  }

  /// Whether the operations are too many for memory.
  package var isSpilled: Bool { file != nil }

  /// The `sequence` of an operation.
  package func sequence(at place: Int) -> Int64 {
    isNumbered ? Int64(place) + 1 : self[place].sequence
  }

  /// The operation with a `sequence`, where they come in the order of these; nil where none has it.
  package func firstOperation(numbered sequence: Int64) -> PendingOperation? {
    place(numbered: sequence).map { self[$0] }
  }

  /// The place of the operation with a `sequence`, as `firstOperation` finds it.
  package func place(numbered sequence: Int64) -> Int? {
    if isNumbered {
      return sequence > 0 && sequence <= Int64(count) ? Int(sequence) - 1 : nil
    }
    let place = firstPlace { $0.sequence >= sequence }
    return place < count && self.sequence(at: place) == sequence ? place : nil
  }

  /// The place of the operation with a `sequence`, in whatever order they come; nil where none has it.
  package func anyPlace(numbered sequence: Int64) -> Int? {
    place(numbered: sequence) ?? (isNumbered ? nil : firstIndex { $0.sequence == sequence })
  }

  /// The first place from which on all operations fulfil a condition.
  package func firstPlace(where isBehind: (PendingOperation) -> Bool) -> Int {
    Records.firstPlace(in: self, where: isBehind)
  }

  /// Changes operations one after the other.
  ///
  /// - Throws: what `change` throws; then the list no longer has those before.
  package mutating func updateEach<Failure: Error>(
    _ change: (_ place: Int, inout PendingOperation) throws(Failure) -> Void
  ) throws(Failure) {
    // What is changed may become too long for memory.
    var list = OperationList(like: self)
    list.reserveCapacity(count)
    isNumbered = false
    var block = BlockAtHand()
    for place in indices {
      var operation = PendingOperation()
      if place < spilledCount {
        operation = spilled(place, &block)
      } else {
        swap(&operation, &recent[place - spilledCount])
      }
      try change(place, &operation)
      list.append(operation)
    }
    self = list
  }

  /// Keeps only some operations; where these are all, nothing is copied.
  package func keeping(_ isWanted: (PendingOperation) -> Bool) -> OperationList {
    var kept: OperationList?
    for (place, operation) in self.enumerated() {
      if isWanted(operation) {
        kept?.append(operation)
      } else if kept == nil {
        kept = start(place)
      }
    }
    return kept ?? self
  }

  private func start(_ count: Int) -> OperationList {
    var list = OperationList(like: self)
    for (_, operation) in zip(0..<count, self) { list.append(operation) }
    return list
  }

  /// The end of some operations that are worked on together: neither many nor many bytes.
  func endOfPiece(from start: Int) -> Int {
    var size = 0
    var end = start
    let most = Swift.min(count, start + Self.pieceCount)
    while end < most, size < Self.pieceLimit {
      guard end < spilledCount else {
        let place = end - spilledCount
        // What neighbours share counts once; a look at the fields of each would take longer.
        size += recent[place].weight(after: place > 0 ? recent[place - 1] : nil)
        end += 1
        continue
      }
      let block = blockNumber(of: end)
      size += Int(blocks[block].bytes)
      end = block + 1 < blocks.count ? Int(blocks[block + 1].first) : spilledCount
    }
    return Swift.min(end, most)
  }

  /// Takes some operations, of which the list keeps no memory.
  mutating func take(_ places: Range<Int>) -> [PendingOperation] {
    guard !isSpilled else { return places.map { self[$0] } }
    isNumbered = false
    return places.map { place in
      // One with fields would share them with all that were taken.
      var taken = PendingOperation(fieldsFrom: 0)
      swap(&taken, &recent[place])
      return taken
    }
  }
}

extension OperationList: Equatable, ExpressibleByArrayLiteral {
  /// A list of these operations.
  package init(arrayLiteral operations: PendingOperation...) { self.init(operations) }

  /// Whether the operations are the same.
  package static func == (left: OperationList, right: OperationList) -> Bool {
    left.elementsEqual(right)
  }
}

extension PendingOperation {
  /// How many bytes of memory the operation takes that the one before it does not have.
  fileprivate func weight(after last: PendingOperation?) -> Int {
    let own = MemoryLayout<PendingOperation>.stride
    return last.map { fields.sharesMemory(with: $0.fields) } == true ? own : own + fields.memory
  }
}

extension OperationFields {
  /// Whether other fields are in the same memory.
  fileprivate func sharesMemory(with other: OperationFields) -> Bool {
    bytes.span.isIdentical(to: other.bytes.span)
  }

  /// How many bytes the memory has that the fields are in.
  fileprivate var memory: Int { bytes.count + 32 }
}
