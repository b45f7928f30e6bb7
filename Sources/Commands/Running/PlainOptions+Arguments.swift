import Bytes
import CommandLineKit
import Exports
import Formats
import Records

extension PlainOptions {
  /// The options that only CSV has.
  static let namesOfCSV = [
    "separator", "encoding", "null", "decimal-comma", "header", "no-header",
  ]

  init(_ arguments: ParsedArguments) throws(StoreError) {
    self.init()
    if let word = arguments.value("from")?.text {
      format = word == "copy" ? .csv : PlainFormat(rawValue: word)
      if format == .csv { isEscaped = word == "copy" }
    }
    separator = try arguments.value("separator").map { (value) throws(StoreError) in
      try Self.separator(value.text)
    }
    encoding = arguments.value("encoding").flatMap { TextEncoding(rawValue: $0.text) }
    nulls = arguments.values("null").map(\.text)
    hasDecimalComma = arguments.flag("decimal-comma")
    isExact = arguments.flag("exact")
    tableName = arguments.value("table-name")?.text
    let (isNamed, isUnnamed) = (arguments.flag("header"), arguments.flag("no-header"))
    guard !isNamed || !isUnnamed else {
      throw StoreError(.usage, "--header and --no-header contradict each other")
    }
    if isNamed || isUnnamed { hasHeader = isNamed }
    try checkFormat()
  }

  /// A separator by its name, or as it is.
  private static func separator(_ text: String) throws(StoreError) -> UInt8 {
    let names = ["comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "\\t": "\t"]
    let bytes = Array((names[text] ?? text).utf8)
    // Tables of mainframes and of Hive have control characters between their fields.
    guard let byte = bytes.first, bytes.count == 1, (0x01..<0x80).contains(byte),
      !"\"\\\r\n".utf8.contains(byte)
    else {
      throw StoreError(
        .usage,
        "--separator takes comma, semicolon, tab, bar or one character of ASCII that is no quote, "
          + "backslash or line end, not \(text)")
    }
    return byte
  }

  private func checkFormat() throws(StoreError) {
    guard let format, format != .csv, isAboutCSV else { return }
    let names = Self.namesOfCSV.map { "--" + $0 }
    throw StoreError(
      .usage,
      "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "") are for CSV, not for "
        + format.rawValue)
  }
}
