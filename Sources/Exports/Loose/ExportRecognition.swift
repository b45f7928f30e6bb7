import Bytes
import Formats
package import Records
import XMLFormat

/// The kinds of exports, told by content.
package enum ExportKind {
  case bundle
  case document(isXML: Bool)
  case plain(PlainFormat)
}

/// The forms of plain files, and of those of a bundle.
package enum PlainFormat: String, Sendable, CaseIterable {
  case csv, json, ndjson, xml
}

extension ExportKind {
  /// Looks at what stands at `path`; nil when it is no export.
  ///
  /// - Throws: `StoreError` when it cannot be read, or is not what the options say.
  package init?(ofExportAt path: String, _ options: PlainOptions) throws(StoreError) {
    if Paths.isDirectory(path) {
      guard Paths.exists(Paths.join(path, "manifest.json")) else { return nil }
      try Self.check(options, path, "a bundle")
      self = .bundle
      return
    }
    guard Paths.exists(path), !Paths.isSpecial(path), let prefix = try Self.prefix(of: path) else {
      return nil
    }
    try Self.checkEncoding(prefix, path)
    guard !prefix.starts(with: Array("SQLite format 3".utf8)) else {
      try Self.check(options, path, "a SQLite database")
      return nil
    }
    guard let kind = try Self.kind(prefix, path, options) else { return nil }
    if case .document = kind { try Self.check(options, path, "an export in one document") }
    self = kind
  }

  private static func kind(
    _ prefix: [UInt8], _ path: String, _ options: PlainOptions
  ) throws(StoreError) -> ExportKind? {
    let text = withoutMark(prefix)
    let first = text.first { $0 > 0x20 }
    if first == UInt8(ascii: "{"), isDocument(text) { return .document(isXML: false) }
    if let format = options.format {
      guard options.areForSeveral, first == UInt8(ascii: "<"),
        try Self.isExport(prefix, path) == true
      else { return .plain(format) }
      return .document(isXML: true)
    }
    switch first {
    case UInt8(ascii: "<")?:
      guard !Self.isWebPage(text) else { return nil }
      guard let isExport = try Self.isExport(prefix, path) else { return nil }
      return isExport ? .document(isXML: true) : .plain(.xml)
    case UInt8(ascii: "[")?, UInt8(ascii: "{")?:
      // What is said of CSV need not be said of this file.
      if options.isAboutCSV, !mayBeJSON(text), !isCalledJSON(path),
        try isCSV(path, options)
      {
        return .plain(.csv)
      }
      guard isCalledJSON(path) || !isSectionOfSettings(text) else { return nil }
      return .plain(first == UInt8(ascii: "[") ? .json : .ndjson)
    default: return try isCSV(path, options) ? .plain(.csv) : nil
    }
  }

  /// The text behind the byte order mark of UTF-8, or of UTF-16 where the text is XML.
  private static func withoutMark(_ prefix: [UInt8]) -> ArraySlice<UInt8> {
    guard let encoding = TextEncoding(markedIn: prefix) else { return prefix[...] }
    let rest = prefix.dropFirst(encoding.mark.count)
    return encoding == .utf8 || rest.first { $0 > 0x20 } == UInt8(ascii: "<") ? rest : prefix[...]
  }

  private static func isCSV(_ path: String, _ options: PlainOptions) throws(StoreError) -> Bool {
    var detection = try CSVDetection(path: path, options: options)
    return try detection.form() != nil
  }

  private static func isCalledJSON(_ path: String) -> Bool {
    Paths.fileName(of: path).lowercased().contains("json")
  }

  /// Whether a text that begins with a bracket or a brace may be JSON with rows, as what follows it
  /// tells.
  private static func mayBeJSON(_ text: ArraySlice<UInt8>) -> Bool {
    let start = text.drop { $0 <= 0x20 }
    switch start.dropFirst().first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "\"")?, UInt8(ascii: "}")?, UInt8(ascii: "]")?, nil: return true
    case UInt8(ascii: "[")?, UInt8(ascii: "{")?: return start.first == UInt8(ascii: "[")
    default: return false
    }
  }

  /// Whether a text begins with a line of a name between brackets, as files of settings do.
  private static func isSectionOfSettings(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.drop { $0 <= 0x20 }.prefix { $0 != 0x0A }
    let open = UInt8(ascii: "[")
    let close = UInt8(ascii: "]")
    let name = line.drop { $0 == open || $0 == 0x20 }.prefix { $0 != close }
    guard line.first == open, line.contains(close), let first = name.first else { return false }
    let words = ["true", "false", "null"] + JSONReader.foreignWords
    return (first | 0x20) &- UInt8(ascii: "a") < 26
      && !words.contains { name.starts(with: $0.utf8) }
  }

  /// Whether a text is HTML, which is made for eyes and holds no rows.
  private static func isWebPage(_ text: ArraySlice<UInt8>) -> Bool {
    // Zeros are the other half of characters of UTF-16.
    let root = behindAsides(text.filter { $0 != 0 })
    let words = String(decoding: root.prefix(64), as: UTF8.self).lowercased()
      .split { $0.isWhitespace || $0 == ">" || $0 == "/" }
    return words.first == "<html" || words.starts(with: ["<!doctype", "html"])
  }

  /// What follows the declaration and the comments with which a document may begin.
  private static func behindAsides(_ text: [UInt8]) -> ArraySlice<UInt8> {
    var rest = text.drop { $0 <= 0x20 }
    let asides = [("<?", "?>"), ("<!--", "-->")]
    while let (_, end) = asides.first(where: { rest.starts(with: $0.0.utf8) }) {
      guard let range = rest.firstRange(of: Array(end.utf8)) else { return [] }
      rest = rest[range.upperBound...].drop { $0 <= 0x20 }
    }
    return rest
  }

  /// Throws where the options name a format for something that is known for what it is.
  private static func check(
    _ options: PlainOptions, _ path: String, _ what: String
  ) throws(StoreError) {
    guard !options.mayMeanNoPlainFile else { return }
    throw StoreError(
      .usage, path: path, "it is \(what), and no plain file", hint: "leave --from away")
  }

  /// The first bytes, unpacked; nil where there are none.
  private static func prefix(of path: String) throws(StoreError) -> [UInt8]? {
    let stream = try storeErrors(path: path) { () throws(FileError) in
      try ByteStream(opening: path)
    }
    var bytes: [UInt8] = []
    do {
      while bytes.count < 4096, try stream.read(into: &bytes, atMost: 4096) > 0 {}
    } catch {
      if case .unreadable = error.code { throw StoreError(error, in: path) }
      if bytes.isEmpty { throw StoreError(error, in: path) }
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Throws for JSON in UTF-16, which its mark tells.
  private static func checkEncoding(_ prefix: [UInt8], _ path: String) throws(StoreError) {
    guard let encoding = TextEncoding(markedIn: prefix), encoding != .utf8,
      let first = prefix.dropFirst(encoding.mark.count).first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return }
    throw StoreError(
      .notAStore, path: path, "the JSON is UTF-16, and JSON that is exchanged must be UTF-8",
      hint: "convert it: iconv -f UTF-16 -t UTF-8")
  }

  /// Whether the outermost element is that of an export, as far as the bytes show; nil where there
  /// is none.
  ///
  /// - Throws: `StoreError` when it is XML of an encoding that is not read.
  private static func isExport(_ prefix: [UInt8], _ path: String) throws(StoreError) -> Bool? {
    // A document that is cut short, or no XML at all, ends in an error; until then events count.
    do throws(XMLError) {
      var reader = try XMLReader(bytes: prefix, names: ["rehome"])
      if let event = try reader.next() {
        return event == .startElement(0) && reader.attribute("format") != nil
      }
    } catch {
      if error.code == .encoding { throw StoreError(error, path: path) }
    }
    let text = String(decoding: prefix, as: UTF8.self)
    return text.contains("<rehome") && text.contains("format=") ? true : nil
  }

  /// Whether JSON begins with the mark of an export, as far as the bytes show.
  ///
  /// Rows may have a member of this name as well, which does not tell a format.
  private static func isDocument(_ prefix: ArraySlice<UInt8>) -> Bool {
    var rest = prefix
    var isNamed = false
    for token in ["{", "\"rehome\"", ":"] {
      rest = rest.drop { $0 <= 0x20 }
      if rest.isEmpty { return isNamed }
      guard rest.starts(with: token.utf8) else { return false }
      rest = rest.dropFirst(token.utf8.count)
      isNamed = isNamed || token.count > 1
    }
    return isMark(rest)
  }

  /// Whether a value is the mark of an export, as far as the bytes show.
  static func isMark(_ value: ArraySlice<UInt8>) -> Bool {
    let rest = value.drop { $0 <= 0x20 }
    guard let first = rest.first else { return true }
    guard first == UInt8(ascii: "{") else { return false }
    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return true }
    return rest[..<end].firstRange(of: Array("\"format\"".utf8)) != nil
  }
}
