/// Looks at pages one by one: everything that can be told without any other page.
struct PageInspection {
  let usableSize: Int
  private let tableSizes: PayloadSizes
  private let indexSizes: PayloadSizes
  /// What is used of the page at hand, where its cells lie in no simple order.
  private var map: ByteMap
  /// The payloads that go on elsewhere, of all pages so far.
  private(set) var overflows: [OverflowStart] = []

  init(usableSize: Int) {
    self.usableSize = usableSize
    tableSizes = PayloadSizes(usableSize: usableSize, isTable: true)
    indexSizes = PayloadSizes(usableSize: usableSize, isTable: false)
    map = ByteMap(size: usableSize)
  }

  /// Inspects the page that starts at `start`.
  mutating func inspect(_ bytes: Span<UInt8>, start: Int, page: UInt32) -> PageFacts {
    var facts = PageFacts()
    let offset = page == 1 ? FileHeader.size : 0
    facts.kind = PageKind(rawValue: bytes[start + offset])
    guard facts.kind != nil else { return facts }
    guard let header = PageHeader(bytes, start: start, page: page, usableSize: usableSize) else {
      facts.fault = .tooManyCells
      return facts
    }
    facts.cellCount = UInt16(truncatingIfNeeded: header.cellCount)
    let overflowCount = overflows.count
    facts.fault = check(bytes.extracting(start..<start + usableSize), header, page, &facts)
    // What a page that contradicts itself says about others is not worth keeping.
    if facts.fault != nil { overflows.removeLast(overflows.count - overflowCount) }
    return facts
  }

  private mutating func check(
    _ bytes: Span<UInt8>, _ header: PageHeader, _ page: UInt32, _ facts: inout PageFacts
  ) -> PageFault? {
    // Only a page of 65,536 bytes can start its contents there, which is written as zero.
    let rawStart = halfWord(bytes, at: header.offset + 5)
    let contentStart = rawStart == 0 ? 65536 : rawStart
    let listEnd = header.cellList + 2 * header.cellCount
    guard contentStart >= listEnd, contentStart <= usableSize else { return .freeBlocks }
    var area = CellArea(contentStart: contentStart)
    let sizes = header.kind.isTable ? tableSizes : indexSizes
    for index in 0..<header.cellCount {
      let offset = header.cell(index, in: bytes, start: 0)
      guard offset >= contentStart, offset <= usableSize - 4,
        let cell = BTreeCell(bytes, at: offset, kind: header.kind, sizes: sizes)
      else { return .cellOutside }
      if let key = cell.key {
        if index == 0 {
          facts.firstKey = key
        } else if key <= facts.lastKey {
          return .keyOrder
        }
        facts.lastKey = key
      }
      // Where cells take more than there is, two overlap: one long record may be listed ten thousand
      // times, and is not looked at as often.
      if cell.hasPayload, area.used <= usableSize {
        guard RecordDecoder.isSound(bytes, cell.local, size: cell.payloadSize) else {
          return .record
        }
        if cell.local.count < cell.payloadSize { noteOverflow(of: cell, bytes, page) }
      }
      area.add(offset..<cell.end)
    }
    return coverageFault(bytes, header, area, sizes)
  }

  private mutating func noteOverflow(of cell: BTreeCell, _ bytes: Span<UInt8>, _ page: UInt32) {
    let count = (cell.payloadSize - cell.local.count + usableSize - 5) / (usableSize - 4)
    overflows.append(
      OverflowStart(
        page: page, first: word(bytes, at: cell.local.upperBound),
        count: UInt32(truncatingIfNeeded: count)))
  }

  /// Checks that every byte behind the list of cells is used once or counted as unused.
  private mutating func coverageFault(
    _ bytes: Span<UInt8>, _ header: PageHeader, _ area: CellArea, _ sizes: PayloadSizes
  ) -> PageFault? {
    var used = area.used
    var block = halfWord(bytes, at: header.offset + 1)
    // Cells of which each lies behind or before the last, with nothing between them, need no map.
    var isUsedTwice =
      (block > 0 || !area.isInOrder) && !mapCells(of: bytes, header, sizes)
    while block > 0 {
      guard block >= area.contentStart, block <= usableSize - 4 else { return .freeBlocks }
      let next = halfWord(bytes, at: block)
      let size = halfWord(bytes, at: block + 2)
      guard block + size <= usableSize, size >= 4, next == 0 || next > block + size + 3 else {
        return .freeBlocks
      }
      if !map.mark(block..<block + size) { isUsedTwice = true }
      used += size
      block = next
    }
    if isUsedTwice { return .overlap }
    let unused = usableSize - area.contentStart - used
    return unused == Int(bytes[header.offset + 7]) ? nil : .fragments
  }

  /// Maps the bytes that the cells use, all of which were found sound; false when two share one.
  private mutating func mapCells(
    of bytes: Span<UInt8>, _ header: PageHeader, _ sizes: PayloadSizes
  ) -> Bool {
    map.removeAll()
    for index in 0..<header.cellCount {
      let offset = header.cell(index, in: bytes, start: 0)
      let cell = BTreeCell(bytes, at: offset, kind: header.kind, sizes: sizes)
      if let cell, !map.mark(offset..<cell.end) { return false }
    }
    return true
  }

  /// How the cells of a page fill its content area.
  fileprivate struct CellArea {
    let contentStart: Int
    /// How many bytes the cells take.
    var used = 0
    /// Whether each cell lies before the one listed before it, as in a page that only grew, or each
    /// behind it, as in a page that was written at once.
    var isInOrder: Bool { isDescending || isAscending }
    private var isDescending = true
    private var isAscending = true
    private var lowest = Int.max
    private var highest = 0

    init(contentStart: Int) { self.contentStart = contentStart }

    @inline(__always)
    mutating func add(_ cell: Range<Int>) {
      used &+= cell.count
      isDescending = isDescending && cell.upperBound <= lowest
      isAscending = isAscending && cell.lowerBound >= highest
      (lowest, highest) = (cell.lowerBound, cell.upperBound)
    }
  }
}

/// What can be wrong with a page by itself.
enum PageFault: UInt8, Sendable {
  case unreadable
  case cutShort
  case tooManyCells
  case cellOutside
  case keyOrder
  case overlap
  case freeBlocks
  case fragments
  case record

  var message: String {
    switch self {
    case .unreadable: "it cannot be read"
    case .cutShort: "the file ends in its midst"
    case .tooManyCells: "it lists more cells than fit"
    case .cellOutside: "a cell is outside of its place"
    case .keyOrder: "row ids are out of order"
    case .overlap: "two things use the same bytes"
    case .freeBlocks: "its free space contradicts itself"
    case .fragments: "its unused bytes are counted wrongly"
    case .record: "a record is malformed"
    }
  }
}

/// What one look at a page tells, whether or not it turns out to belong to a tree.
struct PageFacts: Sendable {
  /// What the page would be for in a tree; nil when it can be in none.
  var kind: PageKind?
  var fault: PageFault?
  var cellCount: UInt16 = 0
  /// The smallest row id of a table's leaf that has rows.
  var firstKey: Int64 = 0
  /// The largest row id of a table's leaf that has rows.
  var lastKey: Int64 = 0
}

/// A payload that goes on elsewhere.
struct OverflowStart: Sendable {
  let page: UInt32
  /// The first page of the chain.
  let first: UInt32
  /// How many pages the chain must have.
  let count: UInt32
}
