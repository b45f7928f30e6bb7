package import Bytes

/// A database file as a row of pages, counted from 1, that several threads may read at once.
///
/// Side files are not looked at: a store whose `-wal` or `-journal` has content must be brought
/// up to date first, on a private copy.
package final class PageFile: Sendable {
  private let file: PositionedFile

  /// What the first page says about the file.
  package let header: FileHeader
  /// How many pages belong to the database.
  let pageCount: Int
  /// How many pages the file holds, which is less when its end was cut off: whole ones, or begun
  /// ones as well where what is left of them counts.
  let storedPageCount: Int

  /// Opens the file at `path`.
  ///
  /// - Throws: `PageError` when it cannot be read or is no database.
  package convenience init(opening path: String) throws(PageError) {
    let file: PositionedFile
    do {
      file = try PositionedFile(opening: path)
    } catch {
      throw PageError(error)
    }
    try self.init(of: file)
  }

  /// Takes over an open file.
  ///
  /// - Throws: `PageError` when it cannot be read or is no database.
  package convenience init(of file: PositionedFile) throws(PageError) {
    guard let header = try FileHeader(of: file) else {
      throw PageError(.notAStore, path: file.path, "not a SQLite database")
    }
    self.init(file, header)
  }

  /// Takes over an open file with what is known of its first page.
  init(_ file: PositionedFile, _ header: FileHeader, usingAllPages: Bool = false) {
    self.file = file
    self.header = header
    let whole = file.size / header.pageSize
    let begun = (file.size + header.pageSize - 1) / header.pageSize
    // What stands behind the last page of all is none.
    storedPageCount = usingAllPages && (header.pageCount ?? begun) >= begun ? begun : whole
    let pageCount = header.pageCount ?? storedPageCount
    self.pageCount = usingAllPages ? max(pageCount, storedPageCount) : pageCount
  }

  /// The path, for errors.
  package var path: String { file.path }
  /// The size of a page in bytes.
  package var pageSize: Int { header.pageSize }

  /// Whether the file ends before its last page does.
  var isCutOff: Bool { storedPageCount < pageCount }

  /// How many bytes of a stored page are there: all, but where the file ends in its midst.
  func storedBytes(of page: UInt32) -> Int { min(pageSize, file.size - (Int(page) - 1) * pageSize) }

  /// Appends the bytes of `count` pages from `page` on; those that the last one lacks are zeros.
  ///
  /// - Throws: `PageError` when the file does not have them all.
  func read(
    page: UInt32, count: Int = 1, appendingTo bytes: inout [UInt8]
  ) throws(PageError) {
    guard page > 0, count <= storedPageCount, Int(page) <= storedPageCount - count + 1 else {
      throw damaged(Int(page), "there is no such page")
    }
    let start = (Int(page) - 1) * pageSize
    let there = min(count * pageSize, file.size - start)
    do {
      try file.read(at: start, count: there, appendingTo: &bytes)
    } catch {
      throw PageError(error)
    }
    bytes.append(contentsOf: repeatElement(0, count: count * pageSize - there))
  }

  func damaged(_ page: Int, _ message: String) -> PageError {
    PageError(.damaged, path: path, page: page, message)
  }

  /// The page that holds the byte behind the first gigabyte, which locks keep for themselves.
  var lockPage: UInt32 { UInt32(0x4000_0000 / pageSize) + 1 }
}

extension FileHeader {
  /// Reads the header of a file; nil when it does not begin like a database.
  init?(of file: PositionedFile, needingMagic: Bool = true) throws(PageError) {
    var bytes: [UInt8] = []
    do {
      try file.read(at: 0, count: min(file.size, Self.size), appendingTo: &bytes)
    } catch {
      throw PageError(error)
    }
    self.init(parsing: bytes.span, needingMagic: needingMagic)
  }
}

/// Why pages of a database cannot be read, or contradict each other.
package struct PageError: Failure, Sendable, Equatable {
  package let kind: FailureKind
  package let path: String?
  package let message: String
  package let hint: String?
  /// The page concerned, counted from 1; nil when it is the file as a whole.
  let page: Int?

  init(
    _ kind: FailureKind, path: String?, page: Int? = nil, _ message: String, hint: String? = nil
  ) {
    self.hint = hint
    self.kind = kind
    self.path = path
    self.page = page
    self.message = page.map { "page \($0): \(message)" } ?? message
  }

  /// A failure that the file system reported.
  init(_ cause: FileError) {
    self.init(cause.kind, path: cause.path, cause.message)
  }
}
