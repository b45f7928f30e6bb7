package import Bytes

/// What a write-ahead log holds, as far as the engine would read it.
package struct WALSummary: Sendable, Equatable {
  /// How many frames belong to changes that were committed.
  package private(set) var committedFrames = 0
  /// How many frames follow that belong to none.
  package private(set) var uncommittedFrames = 0
  /// How many changes were committed.
  package private(set) var transactions = 0
  /// Why the log cannot be read to its end; nil where it can.
  package private(set) var trouble: Trouble?

  /// What is wrong with a log.
  package enum Trouble: Sendable, Equatable {
    /// It does not begin as one, so that nothing of it is read.
    case notALog
    /// A frame is not whole.
    case cutOff
    /// A frame is not what its checksum says.
    case damagedFrame(Int)
  }

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Reads the log at `path` a frame at a time.
  ///
  /// Frames of an earlier round, which the engine leaves behind the newest, are no part of it.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  package init(ofFileAt path: String) throws(FileError) {
    var file = try InputFile(opening: path)
    let header = try Self.read(Self.headerSize, from: &file)
    guard let log = Log(header) else {
      trouble = .notALog
      return
    }
    var checksum = log.checksum
    while true {
      let frame = try Self.read(Self.frameHeaderSize + log.pageSize, from: &file)
      guard frame.count >= 16, log.owns(frame) else { return }
      guard frame.count == Self.frameHeaderSize + log.pageSize else {
        trouble = .cutOff
        return
      }
      checksum.add(frame.span.extracting(0..<8))
      checksum.add(frame.span.extracting(Self.frameHeaderSize...))
      guard checksum.isStored(in: frame, at: 16), Self.number(frame, 0) != 0 else {
        trouble = .damagedFrame(committedFrames + uncommittedFrames + 1)
        return
      }
      uncommittedFrames += 1
      // The last frame of a change holds the size of the database after it.
      guard Self.number(frame, 4) != 0 else { continue }
      committedFrames += uncommittedFrames
      uncommittedFrames = 0
      transactions += 1
    }
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

  /// What the header says.
  private struct Log {
    let pageSize: Int
    private let salts: [UInt8]
    /// The checksum of the header, with which that of the first frame goes on.
    private(set) var checksum: Checksum

    init?(_ header: [UInt8]) {
      guard header.count == WALSummary.headerSize else { return nil }
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
