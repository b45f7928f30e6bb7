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
  private let mostLines: Int
  /// What was read; what belongs to the next piece begins at `start`.
  private var buffer: [UInt8] = []
  private var start = 0
  private var offset = 0
  private var line = 1

  /// Pieces are at least this long, but for the last one, unless a caller wants others.
  static let usualSize = 192 << 10
  /// How much is read at a time to find the end of the last record.
  private static let furtherSize = 4096
  /// A record that is longer is for a reader that does not need all of it at once.
  private static let mostSize = 4 << 20

  /// Cuts what a stream has where lines end; pieces of so many lines are long enough.
  init(
    _ stream: ByteStream, at lines: LineEnds, leastSize: Int = Self.usualSize,
    mostLines: Int = .max
  ) {
    self.stream = stream
    self.lines = lines
    self.leastSize = max(1, leastSize)
    self.mostLines = max(1, mostLines)
  }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `FormatError` when the file cannot be read, or has a record that is too long.
  mutating func next() throws(FormatError) -> RecordPiece? {
    var lines = lines
    while !lines.findEnd(
      in: buffer.span.extracting(start...), after: leastSize, orLines: mostLines)
    {
      buffer.removeFirst(start)
      start = 0
      guard buffer.count <= Self.mostSize else {
        throw FormatError(.limit, at: offset, "a record is too long for a piece")
      }
      let missing = leastSize - buffer.count
      let size = missing > 0 ? min(1 << 16, missing) : Self.furtherSize
      guard try stream.read(into: &buffer, atMost: size) > 0 else {
        return buffer.isEmpty ? nil : takePiece(buffer.count, lines)
      }
    }
    return takePiece(lines.place, lines)
  }

  private mutating func takePiece(_ size: Int, _ lines: LineEnds) -> RecordPiece {
    let piece = RecordPiece(bytes: takeBytes(size), offset: offset, line: line)
    offset += size
    line += lines.count
    return piece
  }

  /// Takes the next bytes; where they are most of what was read, the rest is copied in their place.
  private mutating func takeBytes(_ size: Int) -> [UInt8] {
    let rest = buffer.count - start - size
    guard start == 0, rest < size else {
      defer { start += size }
      return Array(buffer[start..<(start + size)])
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(leastSize + Self.furtherSize)
    bytes += buffer[size...]
    swap(&bytes, &buffer)
    bytes.removeLast(rest)
    return bytes
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

  /// Looks at what was added to the text, up to the first such end after `size` bytes or so many
  /// lines.
  mutating func findEnd(in bytes: Span<UInt8>, after size: Int, orLines most: Int) -> Bool {
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
        if !isQuoted, place >= size || count >= most, !isEscaped(in: bytes) { return true }
      }
    }
  }

  /// Whether the line end before `place` may belong to a field.
  private func isEscaped(in bytes: Span<UInt8>) -> Bool {
    hasEscapes && place > 1 && bytes[place - 2] == UInt8(ascii: "\\")
  }
}
