import Bytes
import Formats
import Records

/// How a CSV file is written.
struct CSVForm: Sendable {
  var dialect: CSVDialect
  var encoding: TextEncoding
  /// Whether a mark at the start of the file tells the encoding.
  var isMarked: Bool
  /// Whether the text could have been written with backslashes or with quotes, as far as was seen.
  var mayBeEscaped = false
  /// Whether nothing but the ending of the file's name told one column of words from prose.
  var isOneColumnByName = false

  /// Opens the file, as UTF-8 without a mark.
  func open(_ path: String) throws(StoreError) -> ByteStream {
    try ExportFile.open(path, as: encoding)
  }

  /// Opens the file to read its records.
  func openReader(_ path: String) throws(StoreError) -> CSVReader {
    CSVReader(try open(path), dialect)
  }

  /// What was taken for what, to be told.
  func facts(_ lineEnd: CSVLineEnd?, blankLines: Int) -> [SourceDescription.Fact] {
    var facts = [
      SourceDescription.Fact(
        "encoding", encoding.title + (isMarked ? " with a byte order mark" : "")),
      .init("separator", Self.name(of: dialect.separator) + (dialect.isEscaped ? ", escaped" : "")),
    ]
    if let lineEnd { facts.append(.init("line ends", lineEnd.rawValue)) }
    facts.append(
      .init("header", !dialect.hasHeader ? "none" : dialect.hasSeparatorLine ? "line 2" : "line 1"))
    if !dialect.nulls.isEmpty {
      let texts = dialect.nulls.map { "\"" + String(decoding: $0, as: UTF8.self) + "\"" }
      facts.append(.init("no value", texts.joined(separator: ", ")))
    }
    if isOneColumnByName { facts.append(.init("columns", "one, as the ending of the name says")) }
    if blankLines > 0 { facts.append(.init("blank lines", "\(blankLines)")) }
    return facts
  }

  /// What people call a separator.
  static func name(of separator: UInt8) -> String {
    switch separator {
    case UInt8(ascii: ","): "comma"
    case UInt8(ascii: ";"): "semicolon"
    case UInt8(ascii: "\t"): "tab"
    case UInt8(ascii: "|"): "bar"
    default: String(decoding: [separator], as: UTF8.self)
    }
  }
}
