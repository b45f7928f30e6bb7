import Bytes

extension PageFile {
  /// How many pages of each size are tried where the file does not say which it has.
  private static let sampleCount = 200

  /// Opens a file whose first page may be damaged; the size of its pages is then found by trial.
  ///
  /// Pages behind the end that the first page tells are taken for the file's as well.
  ///
  /// - Throws: `PageError` when it cannot be read, or holds nothing like pages of a database.
  package convenience init(salvaging path: String) throws(PageError) {
    let file: PositionedFile
    do {
      file = try PositionedFile(opening: path)
    } catch {
      throw PageError(error)
    }
    self.init(file, try Self.header(of: file), usingAllPages: true)
  }

  /// Whether a file that does not begin as a database holds pages of one.
  package static func hasLostBeginning(_ path: String) -> Bool {
    // A file that cannot be read is told by whoever opens it next.
    guard let file = try? PositionedFile(opening: path),
      case .some(.none) = try? FileHeader(of: file)
    else { return false }
    return (try? header(of: file)) != nil
  }

  /// Where a cell starts whose place is listed so: of a broken list, the engine takes what may be a
  /// place on the page.
  func cellPlace(listed: Int) -> Int { listed & (pageSize - 1) }

  /// Appends what the pages of a chain hold, whatever the last of them names as the next.
  func readChain(
    _ pages: [UInt32], count: Int, appendingTo bytes: inout [UInt8]
  ) throws(PageError) {
    var left = count
    var content: [UInt8] = []
    for page in pages {
      content.removeAll(keepingCapacity: true)
      try read(page: page, appendingTo: &content)
      let taken = min(left, header.usableSize - 4)
      bytes.append(contentsOf: content[4..<4 + taken])
      left -= taken
    }
  }

  /// What the first page says, where some page bears it out; else what the pages let us assume.
  private static func header(of file: PositionedFile) throws(PageError) -> FileHeader {
    var best: (header: FileHeader, bytes: Int)?
    for shift in 9...16 {
      let header = FileHeader(assumingPageSize: 1 << shift)
      let bytes = try soundBytes(of: file, with: header)
      if bytes > best?.bytes ?? 0 { best = (header, bytes) }
    }
    if let header = try FileHeader(of: file) {
      guard let best, try soundBytes(of: file, with: header) == 0 else { return header }
      return best.header
    }
    guard let best else {
      throw PageError(.notAStore, path: file.path, "not a SQLite database")
    }
    let rest = try FileHeader(of: file, needingMagic: false)
    return rest?.usableSize == best.header.usableSize ? rest ?? best.header : best.header
  }

  /// How many bytes are in sound leaves, as far as some pages are tried.
  private static func soundBytes(
    of file: PositionedFile, with header: FileHeader
  ) throws(PageError) -> Int {
    let pages = PageFile(file, header, usingAllPages: true)
    var inspection = PageInspection(usableSize: header.usableSize)
    var bytes: [UInt8] = []
    var sound = 0
    for page in 2..<max(3, min(sampleCount, pages.storedPageCount + 1)) {
      guard page <= pages.storedPageCount else { break }
      bytes.removeAll(keepingCapacity: true)
      try pages.read(page: UInt32(page), appendingTo: &bytes)
      let facts = inspection.inspect(bytes.span, start: 0, page: UInt32(page))
      if facts.kind?.isLeaf == true, facts.fault == nil, facts.cellCount > 0 {
        sound += header.pageSize
      }
    }
    return sound
  }
}
