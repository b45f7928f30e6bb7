import Bytes

extension PageFile {
  /// How many pages of each size are tried where the file does not say which it has.
  private static let sampleCount = 200

  /// Opens a file whose first page may be damaged; the size of its pages is then found by trial.
  ///
  /// - Throws: `PageError` when it cannot be read, or holds nothing like pages of a database.
  package convenience init(salvaging path: String) throws(PageError) {
    let file: PositionedFile
    do {
      file = try PositionedFile(opening: path)
    } catch {
      throw PageError(error)
    }
    if let header = try FileHeader(of: file) {
      self.init(file, header)
    } else if let size = try Self.pageSize(of: file) {
      self.init(file, FileHeader(assumingPageSize: size))
    } else {
      throw PageError(.notAStore, path: path, "not a SQLite database")
    }
  }

  /// The size with which most bytes are in sound leaves of tables; nil when there are none.
  private static func pageSize(of file: PositionedFile) throws(PageError) -> Int? {
    var best: (size: Int, bytes: Int)?
    for shift in 9...16 {
      let size = 1 << shift
      let bytes = try soundBytes(of: file, pageSize: size)
      if bytes > best?.bytes ?? 0 { best = (size, bytes) }
    }
    return best?.size
  }

  private static func soundBytes(
    of file: PositionedFile, pageSize: Int
  ) throws(PageError) -> Int {
    let pages = PageFile(file, FileHeader(assumingPageSize: pageSize))
    var inspection = PageInspection(usableSize: pageSize)
    var bytes: [UInt8] = []
    var sound = 0
    for page in 2..<max(3, min(sampleCount, pages.storedPageCount + 1)) {
      guard page <= pages.storedPageCount else { break }
      bytes.removeAll(keepingCapacity: true)
      try pages.read(page: UInt32(page), appendingTo: &bytes)
      let facts = inspection.inspect(bytes.span, start: 0, page: UInt32(page))
      if facts.kind == .tableLeaf, facts.fault == nil, facts.cellCount > 0 { sound += pageSize }
    }
    return sound
  }
}
