import Bytes

/// A scan over some leaf pages of a table, in their order.
package struct TableScan: Sendable {
  private let file: PageFile
  private let shape: TableShape
  private let sizes: PayloadSizes
  private let valueBytes: Int
  private let condition: RowCondition?
  /// The leaves that are left, the first of them perhaps in part.
  private var leaves: ArraySlice<UInt32>
  /// How many cells of the first leaf have been read.
  private var cellsRead = 0
  /// Where the bytes of columns' defaults begin in the batch.
  private var defaultsStart = 0

  /// How many bytes of pages make a batch.
  private static let pageBytes = 128 << 10
  /// How many bytes a batch has at most, but for a single longer row.
  private static let arenaLimit = 1 << 20
  /// How many values a batch has at most, but for a single longer row.
  private static let valueLimit = 1 << 16
  /// What follows the last page or payload, so that eight bytes can be read at once anywhere.
  static let padding = 8

  /// A scan over a chunk of a table's leaves, for all rows or those that meet a condition; a value
  /// of more than `valueBytes` is refused.
  package init(
    of leaves: ArraySlice<UInt32>, in file: PageFile, shape: TableShape,
    where condition: RowCondition? = nil,
    valueBytes: Int = InputLimits.current.valueBytes
  ) {
    self.valueBytes = valueBytes
    self.condition = condition
    self.file = file
    self.shape = shape
    self.leaves = leaves
    sizes = PayloadSizes(usableSize: file.header.usableSize, isTable: true)
  }

  /// Fills the batch with the next rows; false when there are none.
  ///
  /// - Throws: `PageError` when a page cannot be read or contradicts itself. The batch then holds
  ///   the rows before it.
  package mutating func read(into batch: inout StoredBatch) throws(PageError) -> Bool {
    batch.removeAll()
    batch.columnCount = shape.columnCount
    // Leaves without a row are rare, but a batch without a row means the end.
    while !leaves.isEmpty, batch.keys.isEmpty {
      batch.arena.removeAll(keepingCapacity: true)
      let pages = try readPages(into: &batch.arena)
      try scan(pages, &batch.arena, &batch.values, &batch.keys)
    }
    return batch.rowCount > 0
  }

  /// Reads the next leaves, as many as make a batch, and returns how many.
  private mutating func readPages(into arena: inout [UInt8]) throws(PageError) -> Int {
    let count = min(leaves.count, max(1, Self.pageBytes / file.pageSize))
    var next = leaves.startIndex
    let end = next + count
    while next < end {
      // Neighbours in the file are read in one call.
      var runEnd = next + 1
      while runEnd < end, leaves[runEnd] == leaves[runEnd - 1] &+ 1 { runEnd += 1 }
      try file.read(page: leaves[next], count: runEnd - next, appendingTo: &arena)
      next = runEnd
    }
    if let defaults = shape.defaults {
      defaultsStart = arena.count
      arena += defaults.bytes
    }
    arena.append(contentsOf: repeatElement(0, count: Self.padding))
    return count
  }

  private mutating func scan(
    _ pageCount: Int, _ arena: inout [UInt8], _ values: inout [StoredValue],
    _ keys: inout [Int64]
  ) throws(PageError) {
    let decoder = RecordDecoder(shape: shape, defaultsStart: defaultsStart)
    for index in 0..<pageCount {
      guard let page = leaves.first else { return }
      let start = index * file.pageSize
      guard
        let header = PageHeader(
          arena.span, start: start, page: page, usableSize: sizes.usableSize),
        header.kind == .tableLeaf
      else { throw file.damaged(Int(page), "not a leaf of a table") }
      while cellsRead < header.cellCount {
        if isFull(arena, values) { return }
        let offset = header.cell(cellsRead, in: arena.span, start: start)
        guard
          try decodeCell(
            at: offset, start: start, page: page, decoder, &arena, &values, &keys)
        else { throw file.damaged(Int(page), "row \(cellsRead + 1) of it is malformed") }
        cellsRead &+= 1
      }
      leaves.removeFirst()
      cellsRead = 0
    }
  }

  private func isFull(_ arena: [UInt8], _ values: [StoredValue]) -> Bool {
    !values.isEmpty
      && (values.count &+ shape.columnCount > Self.valueLimit || arena.count > Self.arenaLimit)
  }

  /// Appends one row, unless it does not meet the condition; false when the cell or the record in it
  /// is malformed.
  @inline(__always)
  private func decodeCell(
    at offset: Int, start: Int, page: UInt32, _ decoder: RecordDecoder,
    _ arena: inout [UInt8], _ values: inout [StoredValue], _ keys: inout [Int64]
  ) throws(PageError) -> Bool {
    var position = start &+ offset
    guard let rawSize = varint(arena.span, at: &position), rawSize <= Int32.max,
      let rawKey = varint(arena.span, at: &position)
    else { return false }
    let size = Int(truncatingIfNeeded: rawSize)
    let key = Int64(bitPattern: rawKey)
    let local = sizes.local(of: size)
    let end = position &+ local
    guard end <= start &+ sizes.usableSize else { return false }
    var record = position..<end
    if let condition,
      let value = decoder.valueAtHand(ofColumn: condition.column, arena.span, record, key: key),
      !condition.isMet(by: value)
    {
      return true
    }
    let arenaEnd = arena.count
    if local < size {
      record = try assemble(
        record, of: size, page: page, pageEnd: start &+ sizes.usableSize, into: &arena)
    }
    var isSound = false
    values.append(addingCapacity: shape.columnCount) { output in
      isSound = decoder.decode(arena.span, record, key: key, into: &output)
      if !isSound { output.removeAll() }
    }
    guard isSound else { return false }
    if let condition,
      !condition.isMet(by: values[values.count &- shape.columnCount &+ condition.column])
    {
      values.removeLast(shape.columnCount)
      // Of rows that nobody wants the bytes must not pile up until one comes that is wanted.
      arena.removeLast(arena.count &- arenaEnd)
      return true
    }
    // Only a long record can hold a long value.
    if size > valueBytes { try checkValues(values.suffix(shape.columnCount), page) }
    keys.append(key)
    return true
  }

  private func checkValues(
    _ values: ArraySlice<StoredValue>, _ page: UInt32
  ) throws(PageError) {
    guard let long = values.first(where: { $0.length > valueBytes }) else { return }
    throw PageError(
      .limit, path: file.path, page: Int(page), "a value has \(long.length) bytes",
      hint: InputLimit.valueBytes.hint(whenAt: valueBytes))
  }

  /// Puts a payload that is on overflow pages together at the end of the arena.
  private func assemble(
    _ local: Range<Int>, of size: Int, page: UInt32, pageEnd: Int, into arena: inout [UInt8]
  ) throws(PageError) -> Range<Int> {
    guard local.upperBound + 4 <= pageEnd else {
      throw file.damaged(Int(page), "row \(cellsRead + 1) of it is malformed")
    }
    let start = arena.count - Self.padding
    let first = word(arena.span, at: local.upperBound)
    arena.removeLast(Self.padding)
    let head = Array(arena[local])
    arena.append(contentsOf: head)
    try file.readOverflow(from: first, count: size - local.count, appendingTo: &arena)
    arena.append(contentsOf: repeatElement(0, count: Self.padding))
    return start..<start + size
  }
}

/// What the schema says about the records of a table, as far as reading them depends on it.
package struct TableShape: Sendable {
  /// Whether the affinity is REAL, for each stored column in its order.
  ///
  /// Such a column keeps whole numbers as integers, which the engine gives back as floating point
  /// numbers.
  package let isReal: [Bool]
  /// The column that stands for the row id and is stored as NULL; nil when there is none.
  package let rowIDColumn: Int?
  /// What rows have in columns that are younger than they are; nil where that is NULL.
  package var defaults: ColumnDefaults?

  /// A table of as many columns as `isReal` has entries; computed columns that are not stored do
  /// not count.
  package init(isReal: [Bool], rowIDColumn: Int?) {
    self.isReal = isReal
    self.rowIDColumn = rowIDColumn
  }

  /// How many values a row has.
  package var columnCount: Int { isReal.count }

  /// Whether a declared type gives its column REAL affinity.
  package static func isReal(declaredType: String) -> Bool {
    Affinity(declaredType: declaredType) == .real
  }
}

extension PageFile {
  /// How many pages of a chain are read at once, in the hope that they are neighbours.
  private static let readAhead = 16

  /// Appends `count` bytes of the chain of overflow pages that starts at `first`.
  ///
  /// - Throws: `PageError` when the chain is too short or too long, leaves the file, or is longer
  ///   than the file.
  func readOverflow(
    from first: UInt32, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(PageError) {
    let room = header.usableSize - 4
    var left = count
    guard left <= room * storedPageCount else {
      throw damaged(Int(first), "a value is longer than the file")
    }
    var next = first
    var pages: [UInt8] = []
    while left > 0 {
      guard next > 0, Int(next) <= storedPageCount else {
        throw damaged(Int(next), "a chain of overflow pages leads here")
      }
      let wanted = min(Self.readAhead, (left + room - 1) / room, storedPageCount - Int(next) + 1)
      pages.removeAll(keepingCapacity: true)
      try read(page: next, count: wanted, appendingTo: &pages)
      var current = next
      for index in 0..<wanted {
        let start = index * pageSize
        let taken = min(left, room)
        bytes.append(contentsOf: pages[start + 4..<start + 4 + taken])
        left -= taken
        next = word(pages.span, at: start)
        guard next == current &+ 1 else { break }
        current = next
      }
    }
    guard next == 0 else { throw damaged(Int(next), "a chain of overflow pages is too long") }
  }
}
