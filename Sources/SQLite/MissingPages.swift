import Bytes

/// Pages of a database that neither its file nor a file beside it has, since the file was cut off.
///
/// The engine would take them for zeros, which may look like the end of a long value.
struct MissingPages {
  private let pageSize: Int
  private let numbers: [UInt32]

  /// More are not marked; so many of a tree's are missed in any case.
  private static let mostBytes = 64 << 20

  /// None.
  static let none = MissingPages(pageSize: 0, numbers: [])

  private init(pageSize: Int, numbers: [UInt32]) {
    (self.pageSize, self.numbers) = (pageSize, numbers)
  }

  /// Those behind the end of a file that make up so many pages, unless they are among some others.
  init(behindFileOf size: Int, pageSize: Int, count: Int, besides others: Set<UInt32> = []) {
    let most = Self.mostBytes / max(pageSize, 1)
    let there = pageSize > 0 ? size / pageSize : count
    guard there < count, count - there <= most + others.count, count <= Int(UInt32.max) else {
      self = .none
      return
    }
    let missing = (UInt32(there + 1)...UInt32(count)).filter { !others.contains($0) }
    self.init(pageSize: pageSize, numbers: missing.count <= most ? missing : [])
  }

  /// Puts bytes in their places in a private copy that no page in use begins with; what of them is
  /// there stays.
  func mark(inFileAt path: String) throws(FileError) {
    guard !numbers.isEmpty else { return }
    let size = try PositionedFile(opening: path).size
    let file = try GrowingFile(opening: path)
    let mark = [UInt8](repeating: 0xFF, count: pageSize)
    for number in numbers {
      let end = Int(number) * pageSize
      let start = max(end - pageSize, size)
      try file.replace(at: start, with: mark.span.extracting(0..<(end - start)))
    }
  }
}
