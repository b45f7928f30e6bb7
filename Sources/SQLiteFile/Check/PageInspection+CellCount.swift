extension PageInspection {
  /// How many cells a page lists, as what they fill of it tells.
  struct CellCount {
    let count: Int
    /// Whether the page, with this number, contradicts itself in nothing.
    let setsRight: Bool
  }

  /// The number of cells of a page that contradicts itself, whatever number it says; nil where the cells
  /// do not fill what the page says of its free space.
  mutating func cellCount(of bytes: [UInt8], page: UInt32) -> CellCount? {
    let offset = page == 1 ? FileHeader.size : 0
    guard let kind = PageKind(rawValue: bytes[offset]),
      let count = countCells(bytes.span.extracting(0..<usableSize), kind, offset)
    else { return nil }
    // Fewer than it lists there are only where what it lists cannot be cells.
    let listed = halfWord(bytes.span, at: offset + 3)
    guard count >= listed || !areCells(listed, bytes.span.extracting(0..<usableSize), kind, offset)
    else { return nil }
    var mended = bytes
    mended[offset + 3] = UInt8(truncatingIfNeeded: count >> 8)
    mended[offset + 4] = UInt8(truncatingIfNeeded: count)
    let isRight = inspect(mended.span, start: 0, page: page).fault == nil
    guard isRight || count == listed else { return nil }
    return CellCount(count: count, setsRight: isRight)
  }

  /// Goes through the list of cells until these fill the page.
  private func countCells(_ bytes: Span<UInt8>, _ kind: PageKind, _ offset: Int) -> Int? {
    let rawStart = halfWord(bytes, at: offset + 5)
    let contentStart = rawStart == 0 ? 65536 : rawStart
    guard contentStart <= usableSize,
      let free = freeBytes(bytes, offset, contentStart: contentStart)
    else { return nil }
    let sizes = PayloadSizes(usableSize: usableSize, isTable: kind.isTable)
    let list = offset + kind.headerSize
    var left = usableSize - contentStart - free
    var count = 0
    while left > 0, list + 2 * count + 2 <= contentStart {
      let place = halfWord(bytes, at: list + 2 * count)
      guard place >= contentStart,
        let cell = BTreeCell(bytes, at: place, kind: kind, sizes: sizes)
      else { return nil }
      left -= cell.end - place
      count += 1
    }
    return left == 0 ? count : nil
  }

  /// Whether the first places of a page's list hold cells that lie apart, and in no free block.
  private func areCells(
    _ count: Int, _ bytes: Span<UInt8>, _ kind: PageKind, _ offset: Int
  ) -> Bool {
    let sizes = PayloadSizes(usableSize: usableSize, isTable: kind.isTable)
    let list = offset + kind.headerSize
    guard list + 2 * count <= usableSize else { return false }
    // Where the page says that cells begin may be what is wrong.
    let end = list + 2 * count
    var parts = freeBlocks(bytes, offset, contentStart: end) ?? []
    for number in 0..<count {
      let place = halfWord(bytes, at: list + 2 * number)
      guard place >= end, let cell = BTreeCell(bytes, at: place, kind: kind, sizes: sizes),
        cell.end <= usableSize
      else { return false }
      parts.append(place..<cell.end)
    }
    parts.sort { $0.lowerBound < $1.lowerBound }
    return zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }

  /// How many bytes among the cells a page counts as unused; nil where its list of them is broken.
  private func freeBytes(_ bytes: Span<UInt8>, _ offset: Int, contentStart: Int) -> Int? {
    freeBlocks(bytes, offset, contentStart: contentStart).map { blocks in
      blocks.reduce(Int(bytes[offset + 7])) { $0 + $1.count }
    }
  }

  /// The blocks of unused bytes among the cells; nil where the list of them is broken.
  private func freeBlocks(
    _ bytes: Span<UInt8>, _ offset: Int, contentStart: Int
  ) -> [Range<Int>]? {
    var blocks: [Range<Int>] = []
    var block = halfWord(bytes, at: offset + 1)
    while block > 0 {
      guard block >= contentStart, block <= usableSize - 4 else { return nil }
      let next = halfWord(bytes, at: block)
      let size = halfWord(bytes, at: block + 2)
      guard size >= 4, next == 0 || next > block + size + 3 else { return nil }
      blocks.append(block..<block + size)
      block = next
    }
    return blocks
  }
}
