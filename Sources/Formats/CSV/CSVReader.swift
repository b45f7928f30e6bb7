import Bytes

/// A reader of CSV (RFC 4180) and its kin, one record at a time.
///
/// All records have as many fields as the first and end as the first ends. The text is UTF-8
/// without a byte order mark; a stream that decodes hands on other text as that.
package struct CSVReader {
  /// One field of the current record.
  package struct Field: Sendable {
    /// Where its text lies in `bytes`.
    package let range: Range<Int>
    /// Whether the text is one even if it is empty: it stands in quotes, or there are none.
    package let isQuoted: Bool
    /// Whether it has no value.
    package let isNull: Bool
  }

  /// What all records have in common with the first.
  package struct Shape: Sendable {
    var width: Int?
    /// How many fields have a name in the first record, behind which none follows with one.
    package fileprivate(set) var leastWidth = 0
    /// Whether there are columns at the end without a name, whose fields records may lack.
    package var hasLooseEnd: Bool { width.map { leastWidth < $0 } ?? false }
    /// How the lines end, as far as one was seen.
    package fileprivate(set) var lineEnd: CSVLineEnd?
  }

  /// The fields of the current record.
  package internal(set) var fields: [Field] = []
  /// The text of the current record's fields, quotes resolved.
  package internal(set) var bytes: [UInt8] = []
  /// The line at which the current record starts, from 1.
  package private(set) var recordLine = 1
  /// The byte at which the current record starts.
  private var recordStart = 0
  /// What records that follow must have in common with those so far.
  package private(set) var shape = Shape()
  /// Whether some record lacks fields that the header has no name for.
  package private(set) var hasShortRecord = false
  /// The record read last, where it is the first that is short.
  private var loneShort: (fields: Int, start: Int, line: Int)?
  /// How many fields have a value in some record, with those before them.
  private var valuedWidth = 0
  /// How many blank lines were passed over.
  package private(set) var blankLines = 0
  /// How many fields were formulas of a text.
  package internal(set) var formulas = 0
  let dialect: CSVDialect
  private let stream: ByteStream
  /// The byte of the file at which the text starts; nil where the file has other bytes than the text.
  private let textStart: Int?
  /// Whether what is read is only a part of a file.
  private let isPiece: Bool
  var buffer: [UInt8] = []
  var place = 0
  private(set) var base = 0
  private(set) var line = 1
  private(set) var lineStart = 0
  /// Whether the mark stood in this record with which text of `COPY` ends.
  var hasEndMark = false

  /// The most bytes of one record, and the most fields.
  let maxBytes = InputLimits.current.valueBytes
  private let maxFields = InputLimits.current.columns

  /// Reads the records of a stream, whose text starts at a byte of the file; nil where the file has
  /// other bytes, of which errors then tell no place.
  package init(_ stream: ByteStream, _ dialect: CSVDialect = .strict, textStart: Int? = 0) {
    self.stream = stream
    self.dialect = dialect
    self.textStart = textStart
    isPiece = false
  }

  /// Reads the records from the byte `offset` of a text on, which is where `line` begins.
  ///
  /// They must have the shape of those before, unless they are the first.
  package init(
    _ stream: ByteStream, _ dialect: CSVDialect, textStart: Int?, shape: Shape?, offset: Int,
    line: Int
  ) {
    self.stream = stream
    self.dialect = dialect
    self.textStart = textStart
    self.shape = shape ?? Shape()
    isPiece = true
    base = offset
    lineStart = offset
    self.line = line
  }

  /// Reads the next record; false after the last.
  ///
  /// - Throws: `FormatError`, whose message names line and column.
  package mutating func next() throws(FormatError) -> Bool {
    if base + place == 0 { try readStart() }
    repeat {
      fields.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      (recordLine, recordStart) = (line, base + place)
      guard try peek() != nil else {
        try checkEnd()
        return false
      }
      if !takePlainRecord() {
        while try readField() {}
      }
      if hasEndMark { return try readEnd() }
    } while skipsBlankLine()
    try checkRecord()
    return true
  }

  /// Whether the first record names the columns.
  package var hasHeader: Bool { dialect.hasHeader }

  /// Whether odd bytes are escaped with a backslash.
  package var isEscaped: Bool { dialect.isEscaped }

  /// Whether the beginning of the file alone tells whether bytes are escaped.
  package var isEscapingFound: Bool { dialect.isEscapingFound }

  /// Whether a field of the current record is `\N` without quotes, where that may be no value.
  package func isEscapedNull(_ field: Field) -> Bool {
    guard dialect.mayHaveEscapedNull, !field.isQuoted else { return false }
    return bytes.span.extracting(field.range).isEqual(to: #"\N"#)
  }

  /// An error at the start of the current record.
  package func recordError(_ message: String, advice: String? = nil) -> FormatError {
    FormatError(
      .invalid, at: byte(recordStart), "\(message) in line \(recordLine)", advice: advice)
  }

  private mutating func readStart() throws(FormatError) {
    guard let first = try peek() else { return }
    // A decoding stream has taken a mark away.
    let isMarked =
      dialect.isLenient
      ? buffer.starts(with: TextEncoding.utf8.mark) : first == 0xEF || first >= 0xFE
    if isMarked {
      throw error(.invalid, "the text must be UTF-8 without a byte order mark")
    }
    guard dialect.hasLeadingLine else { return }
    while let byte = try peek(), byte != 0x0A, byte != 0x0D { place += 1 }
    if try peek() != nil { try readLineEnd() }
  }

  /// Makes sure that nothing follows the mark with which text of `COPY` ends.
  private mutating func readEnd() throws(FormatError) -> Bool {
    guard fields.count == 1, fields[0].range.isEmpty, !isPiece, try peek() == nil else {
      throw error(.invalid, #"something follows the end mark, \."#)
    }
    return false
  }

  /// Whether the record is a blank line that says nothing, because records have several fields.
  private mutating func skipsBlankLine() -> Bool {
    guard fields.count == 1, dialect.isLenient, shape.width != 1, !dialect.hasBlankRows,
      let field = fields.first,
      field.range.isEmpty, field.isQuoted == dialect.isEscaped
    else { return false }
    blankLines += 1
    return true
  }

  /// Takes a record at once that lies in the buffer as a whole and on one line, as most do.
  ///
  /// - Returns: false where nothing was taken, because there is more to look at.
  private mutating func takePlainRecord() -> Bool {
    guard let width = shape.width, !dialect.isEscaped else { return false }
    // A second reference, because a span of the buffer would keep all of this value occupied.
    let text = buffer
    let separator = dialect.separator
    let start = place
    var end = start
    // What of the buffer is not yet in `bytes`, which lack the quotes.
    var rest = start
    let knownFormulas = formulas
    while fields.count < width {
      if end < text.count, text[end] == UInt8(ascii: "\"") {
        guard let next = takeQuoted(from: end, after: rest, in: text.span) else { break }
        end = next
        rest = next
      } else {
        end = takePlain(from: end, after: rest, in: text.span)
      }
      guard end < text.count, text[end] == separator, fields.count < width else { break }
      end &+= 1
    }
    guard fields.count == width, end < text.count, end &- start <= maxBytes,
      let next = lineEnd(at: end)
    else {
      fields.removeAll(keepingCapacity: true)
      bytes.removeAll(keepingCapacity: true)
      formulas = knownFormulas
      return false
    }
    bytes.append(text.span.extracting(rest..<end))
    place = next
    line += 1
    lineStart = base + place
    return true
  }

  /// Takes a field without quotes, whose text goes to `bytes` with what follows it.
  ///
  /// - Returns: where it ends, or cannot go on.
  @inline(__always)
  private mutating func takePlain(from start: Int, after rest: Int, in text: Span<UInt8>) -> Int {
    let end = endOfPlain(in: text, from: start)
    let isNull =
      dialect.nulls.isEmpty ? start == end : end < text.count && self.isNull(buffer[start..<end])
    let place = bytes.count &- rest
    fields.append(
      Field(range: place &+ start..<place &+ end, isQuoted: false, isNull: isNull))
    return end
  }

  /// Takes a field whose opening quote is at `start`, with the text before it from `rest` on.
  ///
  /// - Returns: the place behind its closing quote; nil where that takes a closer look.
  private mutating func takeQuoted(
    from start: Int, after rest: Int, in text: Span<UInt8>
  ) -> Int? {
    let quote = UInt8(ascii: "\"")
    let lineEnd: UInt8 = shape.lineEnd == .carriageReturn ? 0x0D : 0x0A
    bytes.append(text.extracting(rest..<start))
    let first = bytes.count
    var place = start &+ 1
    while true {
      let end = endOfQuotedCSV(in: text, from: place, lineEnd: lineEnd)
      guard end &+ 1 < text.count, text[end] == quote else { return nil }
      bytes.append(text.extracting(place..<end))
      guard text[end &+ 1] == quote else {
        addQuoted(from: first)
        return end &+ 1
      }
      bytes.append(quote)
      place = end &+ 2
    }
  }

  /// Where a field without quotes ends, or cannot go on.
  @inline(__always)
  func endOfPlain(in text: Span<UInt8>, from start: Int) -> Int {
    dialect.separator == UInt8(ascii: ",")
      ? endOfPlainCSV(in: text, from: start)
      : endOfPlainField(in: text, from: start, separator: dialect.separator)
  }

  /// Whether text without quotes means no value.
  func isNull(_ text: ArraySlice<UInt8>) -> Bool {
    dialect.nulls.isEmpty ? text.isEmpty : dialect.nulls.contains { $0.elementsEqual(text) }
  }

  /// The place behind the line end at a place; nil where there is none of the file's kind.
  private func lineEnd(at place: Int) -> Int? {
    switch shape.lineEnd {
    case .lineFeed: buffer[place] == 0x0A ? place &+ 1 : nil
    case .both:
      place &+ 1 < buffer.count && buffer[place] == 0x0D && buffer[place &+ 1] == 0x0A
        ? place &+ 2 : nil
    case .carriageReturn:
      place &+ 1 < buffer.count && buffer[place] == 0x0D && buffer[place &+ 1] != 0x0A
        ? place &+ 1 : nil
    case nil: nil
    }
  }

  private mutating func checkRecord() throws(FormatError) {
    guard isValidUTF8(bytes.span) else {
      throw FormatError(
        .invalid, at: byte(recordStart), "line \(recordLine): text is not UTF-8",
        advice: advice("say how it is written, as in --encoding windows-1252"))
    }
    guard let width = shape.width else {
      shape.width = fields.count
      shape.leastWidth =
        dialect.hasHeader ? (fields.lastIndex { !$0.range.isEmpty } ?? 0) + 1 : fields.count
      return
    }
    loneShort = nil
    if fields.count != width, dialect.isLenient { fitRecord(to: width) }
    guard fields.count == width else {
      throw widthError(
        .invalid, fields.count, start: recordStart, line: recordLine,
        advice: "put fields with line breaks or separators in quotes, or say --separator"
          + (width == 1 ? ", or take away a title that stands before the header" : ""))
    }
    guard shape.hasLooseEnd, dialect.isLenient else { return }
    // Without quotes nothing tells an empty text from a separator too many.
    let last = fields.lastIndex {
      !$0.isNull && (!$0.range.isEmpty || $0.isQuoted && !dialect.isEscaped)
    }
    valuedWidth = max(valuedWidth, (last ?? 0) + 1)
  }

  /// Makes sure that the last record is not cut off.
  ///
  /// Spreadsheets leave out the empty fields at the end of many records; where all others have theirs
  /// and values in them, the last one lacks some because the file is not whole. Then no line end is
  /// behind it either.
  private func checkEnd() throws(FormatError) {
    guard let loneShort, loneShort.fields < valuedWidth, loneShort.line == line, !isPiece
    else { return }
    throw widthError(
      .truncated, loneShort.fields, start: loneShort.start, line: loneShort.line,
      advice: "if the file is whole, write the separators of its last record out")
  }

  private func widthError(
    _ code: FormatError.Code, _ count: Int, start: Int, line: Int, advice text: String
  ) -> FormatError {
    FormatError(
      code, at: byte(start),
      "line \(line): the record has \(count.counting("field", "fields")), and the header "
        + "\(shape.width ?? 0)",
      advice: advice(text))
  }

  /// Takes empty fields away that the header does not have, and adds those that it has no name for.
  private mutating func fitRecord(to width: Int) {
    while fields.count > width, let last = fields.last, last.range.isEmpty, !last.isQuoted {
      fields.removeLast()
    }
    guard fields.count < width, fields.count >= shape.leastWidth else { return }
    if !hasShortRecord { loneShort = (fields.count, recordStart, recordLine) }
    hasShortRecord = true
    while fields.count < width {
      fields.append(Field(range: bytes.count..<bytes.count, isQuoted: false, isNull: true))
    }
  }

  /// Reads one field and what ends it; false when that ends the record.
  private mutating func readField() throws(FormatError) -> Bool {
    guard fields.count < maxFields else {
      throw error(.limit, "a record has too many fields", passing: .columns)
    }
    if !fields.isEmpty { bytes.append(dialect.separator) }
    try readText()
    guard bytes.count <= maxBytes else {
      throw error(.limit, "a record is too long", passing: .valueBytes)
    }
    switch try peek() {
    case dialect.separator?:
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
    let hasLF = try peek() == 0x0A
    let end: CSVLineEnd = !hasLF ? .carriageReturn : hasCR ? .both : .lineFeed
    if end == .carriageReturn, !dialect.isLenient || shape.lineEnd ?? end != end {
      throw error(.invalid, "a CR stands alone", advice: Self.lineEndAdvice)
    }
    if shape.lineEnd == nil { shape.lineEnd = end }
    guard shape.lineEnd == end else {
      throw error(
        .invalid, "a line ends otherwise than the first one", advice: Self.lineEndAdvice)
    }
    if hasLF { place += 1 }
    countLine()
  }

  mutating func countLine() {
    line += 1
    lineStart = base + place
  }

  /// The next byte; nil at the end.
  @inline(__always)
  mutating func peek() throws(FormatError) -> UInt8? {
    if place < buffer.count { return buffer[place] }
    base += buffer.count
    buffer.removeAll(keepingCapacity: true)
    place = 0
    guard try stream.read(into: &buffer) > 0 else { return nil }
    return buffer[0]
  }

  /// A place in the text.
  struct Spot {
    let offset: Int
    let line: Int
    let lineStart: Int
  }

  /// Where the reader is.
  var spot: Spot { Spot(offset: base + place, line: line, lineStart: lineStart) }

  /// An error where the reader is, or where it was.
  func error(
    _ code: FormatError.Code, _ message: String, at spot: Spot? = nil,
    passing limit: InputLimit? = nil, advice: String? = nil
  ) -> FormatError {
    let spot = spot ?? self.spot
    let byte = byte(spot.offset)
    // Columns are counted in bytes, too.
    let column = byte == nil ? "" : ", column \(spot.offset - spot.lineStart + 1)"
    return FormatError(
      code, at: byte, "line \(spot.line)\(column): \(message)", passing: limit,
      advice: advice.flatMap(self.advice))
  }

  /// The byte of the file at which a byte of the text stands, where it is the same.
  private func byte(_ offset: Int) -> Int? { textStart.map { $0 + offset } }

  /// What to try with a file of another program; an export of this tool is not to be changed.
  private func advice(_ text: String) -> String? { dialect.isLenient ? text : nil }

  private static let lineEndAdvice =
    "let all lines end alike, and put fields with line breaks in quotes"
}
