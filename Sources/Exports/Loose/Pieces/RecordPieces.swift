import Bytes
import Formats

/// A part of a text file that begins where a record begins and ends where one ends.
struct RecordPiece: Sendable {
  let bytes: [UInt8]
  /// The place of its first byte in the file.
  let offset: Int
  /// The line at which it begins, from 1.
  let line: Int
}

/// Cuts a text file where lines end, so that several threads can read its records at once.
///
/// Where a quote opens in the wrong place, pieces end inside of records; then their reader fails.
struct RecordPieces {
  private let stream: ByteStream
  private let lines: LineEnds
  private let leastSize: Int
  /// What was read and belongs to the next piece.
  private var rest: [UInt8] = []
  private var offset = 0
  private var line = 1

  /// Pieces are at least this long, but for the last one, unless a caller wants others.
  static let usualSize = 192 << 10
  /// How much is read at a time to find the end of the last record.
  private static let furtherSize = 4096
  /// A record that is longer is for a reader that does not need all of it at once.
  private static let mostSize = 4 << 20

  /// Cuts what a stream has where lines end.
  init(_ stream: ByteStream, at lines: LineEnds, leastSize: Int = Self.usualSize) {
    self.stream = stream
    self.lines = lines
    self.leastSize = max(1, leastSize)
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `FormatError` when the file cannot be read, or has a record that is too long.
  mutating func next() throws(FormatError) -> RecordPiece? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(leastSize + Self.furtherSize)
    bytes += rest
    rest.removeAll(keepingCapacity: true)
    var lines = lines
    while !lines.findEnd(in: bytes.span, after: leastSize) {
      guard bytes.count <= Self.mostSize else {
        throw FormatError(.limit, at: offset, "a record is too long for a piece")
      }
      let missing = leastSize - bytes.count
      let size = missing > 0 ? min(1 << 16, missing) : Self.furtherSize
      guard try stream.read(into: &bytes, atMost: size) > 0 else {
        return bytes.isEmpty ? nil : makePiece(bytes, lines)
      }
    }
    rest += bytes[lines.place...]
    bytes.removeLast(bytes.count - lines.place)
    return makePiece(bytes, lines)
  }

  private mutating func makePiece(_ bytes: [UInt8], _ lines: LineEnds) -> RecordPiece {
    let piece = RecordPiece(bytes: bytes, offset: offset, line: line)
    offset += bytes.count
    line += lines.count
    return piece
  }
}

/// Where a line ends that ends a record, as far as a text was looked at.
struct LineEnds {
  private let hasQuotes: Bool
  private let hasEscapes: Bool
  private let end: UInt8
  private var isQuoted = false
  private(set) var place = 0
  private(set) var count = 0

  init() {
    hasQuotes = false
    hasEscapes = false
    end = 0x0A
  }

  /// Lines of CSV, which may end inside of quotes or behind a backslash.
  init(of dialect: CSVDialect, _ end: CSVLineEnd?) {
    hasQuotes = !dialect.isEscaped
    hasEscapes = dialect.isEscaped
    self.end = end == .carriageReturn ? 0x0D : 0x0A
  }

  /// Looks at what was added to the text, up to the first such end after `size` bytes.
  mutating func findEnd(in bytes: Span<UInt8>, after size: Int) -> Bool {
    guard bytes.count >= size else { return false }
    while true {
      place =
        hasQuotes
        ? endOfQuotedCSV(in: bytes, from: place, lineEnd: end)
        : endOfLine(in: bytes, from: place)
      guard place < bytes.count else { return false }
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == end {
        count += 1
        if !isQuoted, place >= size, !isEscaped(in: bytes) { return true }
      }
    }
  }

  /// Whether the line end before `place` may belong to a field.
  private func isEscaped(in bytes: Span<UInt8>) -> Bool {
    hasEscapes && place > 1 && bytes[place - 2] == UInt8(ascii: "\\")
  }
}
