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

/// The forms of plain files.
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
    guard Paths.exists(path), !Paths.isSpecial(path), var prefix = try Self.prefix(of: path) else {
      return nil
    }
    try Self.checkEncoding(prefix, path)
    if Self.hasMarkedJSON(prefix) { prefix.removeFirst(3) }
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
    let text = prefix.starts(with: TextEncoding.utf8.mark) ? prefix.dropFirst(3) : prefix[...]
    let first = text.first { $0 > 0x20 }
    if first == UInt8(ascii: "{"), isDocument(text) { return .document(isXML: false) }
    if let format = options.format { return .plain(format) }
    switch first {
    case UInt8(ascii: "<")?:
      guard !Self.isWebPage(text) else { return nil }
      guard let isExport = Self.isExport(prefix) else { return nil }
      return isExport ? .document(isXML: true) : .plain(.xml)
    case UInt8(ascii: "[")?: return .plain(.json)
    case UInt8(ascii: "{")?: return .plain(.ndjson)
    default:
      var detection = try CSVDetection(path: path, options: options)
      return try detection.form() == nil ? nil : .plain(.csv)
    }
  }

  /// Whether a text is HTML, which is made for eyes and holds no rows.
  private static func isWebPage(_ text: ArraySlice<UInt8>) -> Bool {
    let start = String(decoding: text.prefix(512), as: UTF8.self).lowercased()
    return start.contains("<html") || start.contains("<!doctype html")
  }

  /// Throws where the options name a format for something that is known for what it is.
  private static func check(
    _ options: PlainOptions, _ path: String, _ what: String
  ) throws(StoreError) {
    guard options.format != nil else { return }
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

  /// Whether JSON follows a byte order mark of UTF-8.
  private static func hasMarkedJSON(_ prefix: [UInt8]) -> Bool {
    let first = prefix.dropFirst(3).first { $0 > 0x20 }
    return prefix.starts(with: [0xEF, 0xBB, 0xBF])
      && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
  }

  /// Throws for JSON in UTF-16, which its mark tells.
  private static func checkEncoding(_ prefix: [UInt8], _ path: String) throws(StoreError) {
    guard prefix.starts(with: [0xFF, 0xFE]) || prefix.starts(with: [0xFE, 0xFF]),
      let first = prefix.dropFirst(2).first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return }
    throw StoreError(
      .notAStore, path: path, "the JSON is UTF-16, and JSON that is exchanged must be UTF-8",
      hint: "convert it: iconv -f UTF-16 -t UTF-8")
  }

  /// Whether the outermost element is that of an export, as far as the bytes show; nil where there
  /// is none.
  private static func isExport(_ prefix: [UInt8]) -> Bool? {
    // A document that is cut short, or no XML at all, ends in an error; until then events count.
    guard var reader = try? XMLReader(bytes: prefix, names: ["rehome"]),
      let event = try? reader.next()
    else { return String(decoding: prefix, as: UTF8.self).contains("<rehome") ? true : nil }
    return event == .startElement(0)
  }

  private static func isDocument(_ prefix: ArraySlice<UInt8>) -> Bool {
    let text = prefix.filter { $0 > 0x20 }.prefix(9)
    return text.elementsEqual("{\"rehome\"".utf8)
  }
}
