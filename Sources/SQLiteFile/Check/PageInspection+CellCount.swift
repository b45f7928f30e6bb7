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
    var mended = bytes
    mended[offset + 3] = UInt8(truncatingIfNeeded: count >> 8)
    mended[offset + 4] = UInt8(truncatingIfNeeded: count)
    let isRight = inspect(mended.span, start: 0, page: page).fault == nil
    guard isRight || count == halfWord(bytes.span, at: offset + 3) else { return nil }
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

  /// How many bytes among the cells a page counts as unused; nil where its list of them is broken.
  private func freeBytes(_ bytes: Span<UInt8>, _ offset: Int, contentStart: Int) -> Int? {
    var free = Int(bytes[offset + 7])
    var block = halfWord(bytes, at: offset + 1)
    while block > 0 {
      guard block >= contentStart, block <= usableSize - 4 else { return nil }
      let next = halfWord(bytes, at: block)
      let size = halfWord(bytes, at: block + 2)
      guard size >= 4, next == 0 || next > block + size + 3 else { return nil }
      free += size
      block = next
    }
    return free
  }
}
