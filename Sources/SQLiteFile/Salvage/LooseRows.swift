/// The rows of one page, as far as each can be read on its own.
struct LooseRows {
  private(set) var kind = PageKind.tableLeaf
  /// The rows with their keys; the values of each as stored.
  ///
  /// In a tree without row ids the key is the row's place on the page.
  private(set) var rows: [(key: Int64, values: Range<Int>)] = []
  private(set) var values: [StoredValue] = []
  private(set) var arena: [UInt8] = []
  /// How many cells cannot be read.
  private(set) var unreadable = 0

  /// The engine's own limit; a record with more values is none.
  private static let mostColumns = 32_767

  func values(ofRow row: Int) -> ArraySlice<StoredValue> { values[rows[row].values] }

  /// Reads the cells of a page that has rows: any but those above a table's leaves; so many, where the
  /// page itself lists a wrong number of them.
  ///
  /// `claim` is given the first page of each chain of overflow pages and how many bytes it must
  /// have, and gives its pages; nil where it is not whole or somebody else's.
  mutating func read(
    _ page: UInt32, _ kind: PageKind, of file: PageFile, cellCount: Int?,
    claim: (UInt32, Int) -> [UInt32]?
  ) throws(PageError) {
    self.kind = kind
    rows.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    arena.removeAll(keepingCapacity: true)
    unreadable = 0
    try file.read(page: page, appendingTo: &arena)
    arena.append(contentsOf: repeatElement(0, count: TableScan.padding))
    let usableSize = file.header.usableSize
    let stored = min(usableSize, file.storedBytes(of: page))
    let offset = page == 1 ? FileHeader.size : 0
    let list = offset + kind.headerSize
    let listed = cellCount ?? halfWord(arena.span, at: offset + 3)
    let count = min(listed, (usableSize - list) / 2)
    unreadable = listed - count
    let sizes = PayloadSizes(usableSize: usableSize, isTable: kind.isTable)
    // Of a broken page, several entries of the list may lead to one cell.
    var keys: Set<Int64> = []
    for index in 0..<count {
      let place = file.cellPlace(listed: halfWord(arena.span, at: list + 2 * index))
      guard place >= list + 2 * count, place < stored,
        let cell = BTreeCell(
          arena.span.extracting(0..<stored), at: place, kind: kind, sizes: sizes)
      else {
        unreadable += 1
        continue
      }
      let key = cell.key ?? Int64(place)
      guard !keys.contains(key), readRow(cell, key, of: file, claim) else {
        unreadable += 1
        continue
      }
      keys.insert(key)
    }
  }

  private mutating func readRow(
    _ cell: BTreeCell, _ key: Int64, of file: PageFile, _ claim: (UInt32, Int) -> [UInt32]?
  ) -> Bool {
    guard RecordDecoder.isSound(arena.span, cell.local, size: cell.payloadSize) else {
      return false
    }
    var record = cell.local
    if cell.local.count < cell.payloadSize {
      guard let whole = assemble(cell, of: file, claim) else { return false }
      record = whole
    }
    guard let count = RecordDecoder.valueCount(arena.span, record), count <= Self.mostColumns else {
      return false
    }
    let shape = TableShape(isReal: [Bool](repeating: false, count: count), rowIDColumn: nil)
    let start = values.count
    var isSound = false
    let bytes = arena
    values.append(addingCapacity: count) { output in
      isSound = RecordDecoder(shape: shape).decode(bytes.span, record, key: key, into: &output)
      if !isSound { output.removeAll() }
    }
    if isSound { rows.append((key, start..<values.count)) }
    return isSound
  }

  /// Puts a payload together at the end of the arena; nil when a part of it is lost.
  private mutating func assemble(
    _ cell: BTreeCell, of file: PageFile, _ claim: (UInt32, Int) -> [UInt32]?
  ) -> Range<Int>? {
    let rest = cell.payloadSize - cell.local.count
    let first = word(arena.span, at: cell.local.upperBound)
    guard let pages = claim(first, rest) else { return nil }
    let start = arena.count - TableScan.padding
    var payload = Array(arena[cell.local])
    // A chain that cannot be read is told as a row that cannot.
    guard (try? file.readChain(pages, count: rest, appendingTo: &payload)) != nil else {
      return nil
    }
    arena.removeLast(TableScan.padding)
    arena.append(contentsOf: payload)
    arena.append(contentsOf: repeatElement(0, count: TableScan.padding))
    return start..<start + payload.count
  }
}
