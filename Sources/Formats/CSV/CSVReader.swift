import Bytes

/// A strict reader of CSV (RFC 4180), one record at a time.
///
/// All records have as many fields as the first and end as the first ends, with CR LF or with LF.
/// Text is UTF-8 without a byte order mark.
package struct CSVReader {
  /// One field of the current record.
  package struct Field: Sendable {
    /// Where its text lies in `bytes`.
    package let range: Range<Int>
    /// Whether it stands in quotes; an empty field without quotes has no value.
    package let isQuoted: Bool
  }

  /// What all records have in common with the first.
  package struct Shape: Sendable {
    fileprivate let width: Int?
    fileprivate let endsWithCR: Bool?
  }

  /// The fields of the current record.
  package private(set) var fields: [Field] = []
  /// The text of the current record's fields, quotes resolved.
  package private(set) var bytes: [UInt8] = []
  /// The line at which the current record starts, from 1.
  package private(set) var recordLine = 1
  private let stream: ByteStream
  private let allowsNUL: Bool
  private var buffer: [UInt8] = []
  private var place = 0
  private var base = 0
  private var line = 1
  private var lineStart = 0
  private var width: Int?
  private var endsWithCR: Bool?

  /// The most bytes of one record, and the most fields.
  private let maxBytes = InputLimits.current.valueBytes
  private let maxFields = InputLimits.current.columns

  /// Reads the records of a stream; an export may have NUL in its texts, a plain file may not.
  package init(_ stream: ByteStream, allowsNUL: Bool = false) {
    self.stream = stream
    self.allowsNUL = allowsNUL
  }

  /// Reads the records from the byte `offset` of a file on, which is where `line` begins.
  ///
  /// They must have the shape of those before, unless they are the first.
  package init(_ stream: ByteStream, shape: Shape?, offset: Int, line: Int) {
    self.init(stream)
    width = shape?.width
    endsWithCR = shape?.endsWithCR
    base = offset
    lineStart = offset
    self.line = line
  }

  /// What records that follow must have in common with those so far.
  package var shape: Shape { Shape(width: width, endsWithCR: endsWithCR) }

  /// Reads the next record; false after the last.
  ///
  /// - Throws: `FormatError`, whose message names line and column.
  package mutating func next() throws(FormatError) -> Bool {
    fields.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    recordLine = line
    guard let first = try peek() else { return false }
    if base + place == 0 { try checkMark(first) }
    if !takePlainRecord() {
      while try readField() {}
    }
    try checkRecord()
    return true
  }

  /// An error at the start of the current record.
  package func recordError(_ message: String) -> FormatError {
    FormatError(.invalid, at: base + place, "\(message) in line \(recordLine)")
  }

  private mutating func checkMark(_ first: UInt8) throws(FormatError) {
    if first == 0xEF || first >= 0xFE {
      throw error(.invalid, "the text must be UTF-8 without a byte order mark")
    }
  }

  /// Takes a record at once that has no quotes and lies in the buffer as a whole, as most do.
  ///
  /// - Returns: false where nothing was taken, because there is more to look at.
  private mutating func takePlainRecord() -> Bool {
    guard let width else { return false }
    // A second reference, because a span of the buffer would keep all of this value occupied.
    let text = buffer
    let start = place
    var end = start
    while fields.count < width {
      let fieldStart = end
      end = endOfPlainCSV(in: text.span, from: end)
      guard end < text.count else { break }
      fields.append(Field(range: fieldStart &- start..<end &- start, isQuoted: false))
      guard text[end] == UInt8(ascii: ","), fields.count < width else { break }
      end &+= 1
    }
    guard fields.count == width, end &- start <= maxBytes, let next = lineEnd(at: end) else {
      fields.removeAll(keepingCapacity: true)
      return false
    }
    bytes.append(text.span.extracting(start..<end))
    place = next
    line += 1
    lineStart = base + place
    return true
  }

  /// The place behind the line end at a place; nil where there is none of the file's kind.
  private func lineEnd(at place: Int) -> Int? {
    let last = endsWithCR == true ? place &+ 1 : place
    guard let endsWithCR, last < buffer.count, buffer[last] == 0x0A else { return nil }
    return !endsWithCR || buffer[place] == 0x0D ? last &+ 1 : nil
  }

  private mutating func checkRecord() throws(FormatError) {
    guard isValidUTF8(bytes.span) else {
      throw FormatError(.invalid, at: base + place, "line \(recordLine): text is not UTF-8")
    }
    guard let width else {
      width = fields.count
      return
    }
    guard fields.count == width else {
      throw FormatError(
        .invalid, at: base + place,
        "line \(recordLine): the record has \(fields.count) fields, and the header \(width)")
    }
  }

  /// Reads one field and what ends it; false when that ends the record.
  private mutating func readField() throws(FormatError) -> Bool {
    guard fields.count < maxFields else {
      throw error(.limit, "a record has too many fields", passing: .columns)
    }
    if !fields.isEmpty { bytes.append(UInt8(ascii: ",")) }
    let start = bytes.count
    let isQuoted = try peek() == UInt8(ascii: "\"")
    if isQuoted { try readQuoted() } else { try readPlain() }
    fields.append(Field(range: start..<bytes.count, isQuoted: isQuoted))
    guard bytes.count <= maxBytes else {
      throw error(.limit, "a record is too long", passing: .valueBytes)
    }
    switch try peek() {
    case UInt8(ascii: ",")?:
      place += 1
      return true
    case nil: return false
    case 0x0A?, 0x0D?:
      try readLineEnd()
      return false
    default: throw error(.invalid, "something follows a closing quote")
    }
  }

  private mutating func readLineEnd() throws(FormatError) {
    let hasCR = try peek() == 0x0D
    if hasCR { place += 1 }
    guard try peek() == 0x0A else { throw error(.invalid, "a CR stands alone") }
    if endsWithCR == nil { endsWithCR = hasCR }
    guard endsWithCR == hasCR else {
      throw error(.invalid, "a line ends otherwise than the first one")
    }
    place += 1
    line += 1
    lineStart = base + place
  }

  /// Takes bytes up to a comma, a line end or the end.
  private mutating func readPlain() throws(FormatError) {
    while try peek() != nil {
      let start = place
      while true {
        place = endOfPlainCSV(in: buffer.span, from: place)
        guard place < buffer.count else { break }
        let byte = buffer[place]
        if byte == UInt8(ascii: "\"") {
          throw error(.invalid, "a quote stands inside a plain field")
        }
        guard byte == 0 else { break }
        guard allowsNUL else { throw error(.invalid, "a NUL stands in the text") }
        place += 1
      }
      bytes += buffer[start..<place]
      if place < buffer.count { return }
      guard bytes.count <= maxBytes else {
        throw error(.limit, "a field is too long", passing: .valueBytes)
      }
    }
  }

  /// Takes bytes up to the closing quote, and moves past it.
  private mutating func readQuoted() throws(FormatError) {
    let opening = (offset: base + place, line: line, lineStart: lineStart)
    place += 1
    while try peek() != nil {
      let start = place
      while true {
        place = endOfQuotedCSV(in: buffer.span, from: place)
        guard place < buffer.count else { break }
        let byte = buffer[place]
        if byte == UInt8(ascii: "\"") { break }
        guard byte != 0 || allowsNUL else { throw error(.invalid, "a NUL stands in the text") }
        place += 1
        guard byte == 0x0A else { continue }
        line += 1
        lineStart = base + place
      }
      bytes += buffer[start..<place]
      guard bytes.count <= maxBytes else {
        throw error(.limit, "a field is too long", passing: .valueBytes)
      }
      guard place < buffer.count else { continue }
      place += 1
      guard try peek() == UInt8(ascii: "\"") else { return }
      bytes.append(UInt8(ascii: "\""))
      place += 1
    }
    throw FormatError(
      .truncated, at: opening.offset,
      "line \(opening.line), column \(opening.offset - opening.lineStart + 1): "
        + "a quoted field has no end")
  }

  /// The next byte; nil at the end.
  @inline(__always)
  private mutating func peek() throws(FormatError) -> UInt8? {
    if place < buffer.count { return buffer[place] }
    base += buffer.count
    buffer.removeAll(keepingCapacity: true)
    place = 0
    guard try stream.read(into: &buffer) > 0 else { return nil }
    return buffer[0]
  }

  private func error(
    _ code: FormatError.Code, _ message: String, passing limit: InputLimit? = nil
  ) -> FormatError {
    let offset = base + place
    return FormatError(
      code, at: offset, "line \(line), column \(offset - lineStart + 1): \(message)",
      passing: limit)
  }
}
