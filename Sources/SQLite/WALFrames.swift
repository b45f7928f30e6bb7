import Bytes

/// The frames of a write-ahead log in their order, each checked as the engine checks it.
///
/// Frames of an earlier round, which the engine leaves behind the newest, are no part of it.
struct WALFrames: ~Copyable {
  /// A page as a change wrote it.
  struct Frame {
    /// The page's number, counted from 1.
    let page: UInt32
    /// The size of the database in pages after the change that this frame ends; 0 within one.
    let pageCount: UInt32
    /// The contents of the page.
    let bytes: ArraySlice<UInt8>

    /// Whether a change ends here.
    var isCommit: Bool { pageCount != 0 }
  }

  /// Why there are no more frames; nil at an honest end.
  private(set) var trouble: WALSummary.Trouble?
  /// How many frames follow of a change that was not finished and wrote frames of its own anew.
  private(set) var unreadFrames = 0
  private var file: InputFile
  private let log: Log?
  private var checksum = Checksum(isBigEndian: false)
  private var frameCount = 0

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Opens the log at `path`.
  init(ofFileAt path: String) throws(FileError) {
    var file = try InputFile(opening: path)
    log = Log(try Self.read(Self.headerSize, from: &file))
    self.file = file
    if let log { checksum = log.checksum } else { trouble = .notALog }
  }

  /// The size of a page; 0 of a log that is none.
  var pageSize: Int { log?.pageSize ?? 0 }

  /// The next frame; nil when no more can be read, for which `trouble` may give a reason.
  mutating func next() throws(FileError) -> Frame? {
    guard let log, trouble == nil else { return nil }
    let frame = try Self.read(Self.frameHeaderSize + log.pageSize, from: &file)
    guard frame.count >= 16 else { return nil }
    let isOwned = log.owns(frame)
    guard frame.count == Self.frameHeaderSize + log.pageSize else {
      if isOwned { trouble = .cutOff }
      return nil
    }
    frameCount += 1
    checksum.add(frame.span.extracting(0..<8))
    checksum.add(frame.span.extracting(Self.frameHeaderSize...))
    let isIntact = checksum.isStored(in: frame, at: 16)
    if isOwned, isIntact, Self.number(frame, 0) != 0 {
      return Frame(
        page: Self.number(frame, 0), pageCount: Self.number(frame, 4),
        bytes: frame[Self.frameHeaderSize...])
    }
    let number = frameCount
    // A sum that goes on from those before is of this round, whatever else the frame says.
    if try showsDamage(from: frame) || isIntact && !isOwned { trouble = .damagedFrame(number) }
    return nil
  }

  /// Looks at a frame that the engine does not read and at all behind it, and counts those of this
  /// round.
  ///
  /// A change that was not finished may have written its own frames anew, whose checksums the engine
  /// sets right when it ends; but frames of an earlier round stand before none of this one.
  ///
  /// - Returns: whether a change ends with one of them, or may have ended where the log is cut off
  ///   or a frame is of no round.
  private mutating func showsDamage(from frame: [UInt8]) throws(FileError) -> Bool {
    guard let log else { return false }
    var frame = frame
    var isDamage = false
    var isBehindOthers = false
    unreadFrames = 0
    while frame.count >= 16 {
      if log.owns(frame) {
        let isCut = frame.count < Self.frameHeaderSize + log.pageSize
        unreadFrames += isCut ? 0 : 1
        isDamage = isDamage || isCut || isBehindOthers || Self.number(frame, 4) != 0
      } else {
        isBehindOthers = true
      }
      frame = try Self.read(Self.frameHeaderSize + log.pageSize, from: &file)
    }
    return isDamage
  }

  private static func read(
    _ count: Int, from file: inout InputFile
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count, try file.read(into: &bytes, atMost: count - bytes.count) > 0 {}
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
  }

  private struct Log {
    let pageSize: Int
    private let salts: [UInt8]
    /// The checksum of the header, with which that of the first frame goes on.
    private(set) var checksum: Checksum

    init?(_ header: [UInt8]) {
      guard header.count == WALFrames.headerSize else { return nil }
      let magic = number(header, 0)
      guard magic & ~1 == 0x377F_0682, number(header, 4) == 3_007_000 else { return nil }
      pageSize = Int(number(header, 8))
      guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
      salts = Array(header[16..<24])
      checksum = Checksum(isBigEndian: magic & 1 == 1)
      checksum.add(header.span.extracting(0..<24))
      guard checksum.isStored(in: header, at: 24) else { return nil }
    }

    /// Whether a frame was written in this round.
    func owns(_ frame: [UInt8]) -> Bool { frame[8..<16].elementsEqual(salts) }
  }

  /// The running checksum of the format: two sums over pairs of words.
  private struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes, a multiple of eight; the sums overflow on purpose.
    mutating func add(_ bytes: Span<UInt8>) {
      var place = 0
      while place + 8 <= bytes.count {
        first = first &+ word(bytes, place) &+ second
        second = second &+ word(bytes, place + 4) &+ first
        place += 8
      }
    }

    func isStored(in bytes: [UInt8], at offset: Int) -> Bool {
      number(bytes, offset) == first && number(bytes, offset + 4) == second
    }

    private func word(_ bytes: Span<UInt8>, _ place: Int) -> UInt32 {
      let (a, b) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      let (c, d) = (UInt32(bytes[place + 2]), UInt32(bytes[place + 3]))
      return isBigEndian ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a
    }
  }
}

/// What a write-ahead log holds, as far as the engine would read it.
package struct WALSummary: Sendable {
  /// How many frames belong to changes that were committed.
  private(set) var committedFrames = 0
  /// How many pages these changes have written, each counted once.
  package private(set) var committedPages = 0
  /// How many frames follow that belong to none.
  package private(set) var uncommittedFrames = 0
  /// How many changes were committed.
  package private(set) var transactions = 0
  /// Why the log cannot be read to its end; nil where it can.
  package private(set) var trouble: Trouble?
  /// What the first page begins with after the last change; nil where no change wrote that page.
  private(set) var header: DatabaseHeader?
  /// The pages that the database has after the last change, and neither its file nor the log.
  private(set) var missingPages = MissingPages.none

  /// What is wrong with a log.
  package enum Trouble: Sendable, Equatable {
    /// It does not begin as one, so that nothing of it is read.
    case notALog
    /// A frame is not whole.
    case cutOff
    /// A frame is not what its checksum says, or not of the round to which those behind it belong.
    case damagedFrame(Int)
  }

  /// Reads the log at `path` a frame at a time, beside a database of so many bytes.
  init(ofFileAt path: String, besideFileOf size: Int) throws(FileError) {
    var frames = try WALFrames(ofFileAt: path)
    var firstPage: ArraySlice<UInt8>?
    var pages: [UInt32] = []
    var pageCount = 0
    while let frame = try frames.next() {
      uncommittedFrames += 1
      pages.append(frame.page)
      if frame.page == 1 { firstPage = frame.bytes.prefix(DatabaseHeader.size) }
      guard frame.isCommit else { continue }
      if let firstPage { header = DatabaseHeader(parsing: firstPage.span) }
      pageCount = Int(frame.pageCount)
      committedFrames += uncommittedFrames
      uncommittedFrames = 0
      transactions += 1
    }
    let committed = Set(pages[..<committedFrames])
    committedPages = committed.count
    missingPages = MissingPages(
      behindFileOf: size, pageSize: frames.pageSize, count: pageCount, besides: committed)
    trouble = frames.trouble
    if trouble == nil { uncommittedFrames += frames.unreadFrames }
  }
}
