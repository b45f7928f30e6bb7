import Bytes
import Formats
import Records

/// The beginning of a text file, up to the end of a line.
struct CSVSample {
  private let path: String
  private let stream: ByteStream
  private var bytes: [UInt8] = []
  private var size = 1 << 16
  /// Whether the file ends here.
  private(set) var isWhole = false
  let encoding: TextEncoding
  /// Whether a mark at the start of the file tells the encoding.
  let isMarked: Bool
  /// The text as UTF-8, without the mark; what is not UTF-8 is taken for Latin 1.
  private(set) var text: [UInt8] = []
  /// Whether a person says the encoding.
  private let isGiven: Bool

  /// The first records of an honest table are found in less.
  private static let mostSize = 16 << 20

  /// Reads the beginning.
  init(path: String, encoding given: TextEncoding?) throws(StoreError) {
    self.path = path
    stream = try ExportFile.open(path)
    var bytes: [UInt8] = []
    isWhole = try Self.read(stream, upTo: size, &bytes, path)
    self.bytes = bytes
    let marked = TextEncoding(markedIn: bytes)
    // Of several files what a person says may be meant for those without a mark.
    encoding = marked ?? given ?? .utf8
    isMarked = marked != nil
    isGiven = given != nil
    decode()
  }

  /// Why the encoding cannot be told, and what to do; nil where it can.
  func encodingTrouble(isCertain: Bool) -> (message: String, hint: String)? {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      return ("the text is UTF-32, which is not read", "save it as UTF-8")
    }
    guard !isGiven, !isMarked, let encoding = Self.encoding(of: bytes.prefix(64), isCertain)
    else { return nil }
    return (
      "the text looks like \(encoding.rawValue.uppercased()) without a mark",
      "say --encoding \(encoding.rawValue)"
    )
  }

  /// The encoding where each second byte is zero, as in English text of UTF-16; of what is surely a
  /// table, some are enough.
  private static func encoding(
    of bytes: ArraySlice<UInt8>, _ isCertain: Bool
  ) -> TextEncoding? {
    guard bytes.count > 3 else { return nil }
    let pairs = stride(from: 0, to: bytes.count - 1, by: 2).map { (bytes[$0], bytes[$0 + 1]) }
    func isText(low: (UInt8, UInt8) -> UInt8, high: (UInt8, UInt8) -> UInt8) -> Bool {
      let plain = pairs.filter { high($0.0, $0.1) == 0 }.map { low($0.0, $0.1) }
      let least = isCertain ? max(2, pairs.count / 8) : pairs.count
      // Separators and line ends are there whatever the language.
      return plain.count >= least && !pairs.contains { low($0.0, $0.1) == 0 }
        && plain.allSatisfy { isCertain ? $0 >= 0x20 || (0x09...0x0D).contains($0) : $0 < 0x7F }
    }
    if isText(low: { low, _ in low }, high: { _, high in high }) { return .utf16LittleEndian }
    return isText(low: { _, low in low }, high: { high, _ in high }) ? .utf16BigEndian : nil
  }

  /// Reads more; false where there is none, or it would be too much.
  mutating func grow() throws(StoreError) -> Bool {
    guard !isWhole, size < Self.mostSize else { return false }
    size *= 4
    isWhole = try Self.read(stream, upTo: size, &bytes, path)
    decode()
    return true
  }

  /// Reads up to so many bytes.
  ///
  /// - Returns: whether the file has no more.
  private static func read(
    _ stream: ByteStream, upTo size: Int, _ bytes: inout [UInt8], _ path: String
  ) throws(StoreError) -> Bool {
    do {
      while bytes.count < size {
        if try stream.read(into: &bytes) == 0 { return true }
      }
    } catch {
      // What is damaged further on is told by whoever reads it.
      if case .unreadable = error.code { throw StoreError(error, in: path) }
      if bytes.isEmpty { throw StoreError(error, in: path) }
    }
    return false
  }

  private mutating func decode() {
    text = Self.text(of: bytes, encoding, isWhole: isWhole)
    if !isValidUTF8(text.span) { text = Self.text(of: bytes, .latin1, isWhole: isWhole) }
  }

  private static func text(
    of bytes: [UInt8], _ encoding: TextEncoding, isWhole: Bool
  ) -> [UInt8] {
    var text: [UInt8] = []
    let stream = ByteStream(bytes, as: encoding)
    do {
      while try stream.read(into: &text) > 0 {}
    } catch {
      // A character is cut in two, or is none; what comes before it is enough.
    }
    guard !isWhole, let end = text.lastIndex(of: 0x0A) ?? text.dropLast().lastIndex(of: 0x0D)
    else { return text }
    return Array(text[...end])
  }

  /// Whether there is nothing but blanks and line ends.
  var isBlank: Bool { text.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) } }

  var hasLineEnd: Bool { text.contains { $0 == 0x0A || $0 == 0x0D } }

  /// Whether the first line has bytes that no text has.
  var looksBinary: Bool {
    let line = text.prefix { $0 != 0x0A && $0 != 0x0D }.prefix(4096)
    return line.contains { $0 < 0x20 && $0 != 0x09 }
  }

  /// The separator that the first line names, as in `sep=;`; nil where it names none.
  var separatorLine: UInt8? {
    let line = text.prefix(9).prefix { $0 != 0x0A && $0 != 0x0D }
    let isQuoted = line.first == UInt8(ascii: "\"") && line.last == UInt8(ascii: "\"")
    let words = isQuoted ? line.dropFirst().dropLast() : line
    guard words.count == 5, let last = words.last, last < 0x7F,
      words.dropLast().map({ $0 | 0x20 }).elementsEqual("sep=".utf8.map { $0 | 0x20 })
    else { return nil }
    return last
  }

  /// Whether the first line is the one in which PowerShell says of what type the rows were.
  var hasTypeLine: Bool {
    let mark = Array("#TYPE ".utf8)
    let line = text.prefix(4096).prefix { $0 != 0x0A && $0 != 0x0D }
    guard line.starts(with: mark) else { return false }
    // The parameters of a type stand in brackets, with commas and blanks between them.
    let type = line.dropFirst(mark.count)
    let name = type.prefix { $0 != UInt8(ascii: "[") }
    let rest = type.dropFirst(name.count)
    return !name.isEmpty && (rest.isEmpty || rest.last == UInt8(ascii: "]"))
      && name.allSatisfy { byte in
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "_.+`".utf8.contains(byte)
      }
  }
}

/// What the records of a sample look like when they are read in one way.
struct CSVProbe {
  let separator: UInt8
  /// How many columns there are; 0 where not even the first record can be read.
  private(set) var width = 0
  /// How many records were read, the first included.
  private(set) var records = 0
  /// Whether all of them could be read and are alike.
  private(set) var isWhole = true
  /// Whether a later record has more fields than the first.
  private(set) var hasWiderRecord = false
  /// How many fields of the first record have a name, with those before them.
  private var named = 0
  /// Whether a record lacks fields that have no name.
  private var hasShortRecord = false
  /// Whether a blank follows what may be a separator, outside quotes.
  private var hasBlanks = false
  /// Whether a field of the first record stands in quotes.
  private var startsQuoted = false
  /// Whether a record passes a limit, which whoever reads it tells.
  private(set) var passesLimit = false
  /// What backslashes and quotes mean.
  private(set) var backslashes = BackslashLook()
  /// The fields of the first records; nil for those without a value.
  private(set) var texts: [[String?]] = []

  /// Reads the records of a sample, and keeps the texts of some.
  init(_ sample: CSVSample, _ dialect: CSVDialect, keeping count: Int = 0) {
    separator = dialect.separator
    var reader = CSVReader(ByteStream(sample.text), dialect)
    do throws(FormatError) {
      while try reader.next() {
        if records == 0 {
          (width, named) = (reader.fields.count, reader.shape.leastWidth)
          startsQuoted = reader.fields.contains(where: \.isQuoted)
        }
        records += 1
        look(at: reader)
        if texts.count < count { texts.append(Self.texts(of: reader)) }
      }
    } catch {
      // The last record may be cut off.
      isWhole = error.code == .truncated && !sample.isWhole && records > 0
      passesLimit = error.code == .limit
      hasWiderRecord = records > 0 && reader.fields.count > width
    }
    hasShortRecord = reader.hasShortRecord
  }

  /// Whether it is like a letter: its first line ends with its only comma, as a salutation does, and
  /// other lines are not written like records of two fields.
  var looksLikeLetter: Bool {
    separator == UInt8(ascii: ",") && width == 2 && named == 1 && !startsQuoted
      && (records == 1 || !isWhole || hasShortRecord || hasBlanks)
  }

  private mutating func look(at reader: CSVReader) {
    let bytes = reader.bytes
    hasBlanks =
      hasBlanks
      || reader.fields.dropFirst().contains { !$0.isQuoted && bytes[$0.range].first == 0x20 }
    backslashes.take(reader)
  }

  private static func texts(of reader: CSVReader) -> [String?] {
    reader.fields.map { field in
      field.isNull ? nil : String(decoding: reader.bytes[field.range], as: UTF8.self)
    }
  }

  /// What people call the separator.
  var name: String { CSVForm.name(of: separator) }

  /// What people call several of it.
  var plural: String { "\(name)s" }
}
