import Bytes
import Formats
import Records
import XMLFormat

/// The kinds of exports, told by content.
enum ExportKind {
  case bundle
  case document(isXML: Bool)
  case plain(PlainFormat)
}

/// The forms of plain files.
enum PlainFormat: String {
  case csv, json, ndjson, xml
}

extension ExportKind {
  /// Looks at what stands at `path`; nil when it is no export.
  ///
  /// - Throws: `StoreError` when it cannot be read.
  init?(ofExportAt path: String) throws(StoreError) {
    if Paths.isDirectory(path) {
      guard Paths.exists(Paths.join(path, "manifest.json")) else { return nil }
      self = .bundle
      return
    }
    guard Paths.exists(path), !Paths.isSpecial(path), var prefix = try Self.prefix(of: path) else {
      return nil
    }
    try Self.checkEncoding(prefix, path)
    if Self.hasMarkedJSON(prefix) { prefix.removeFirst(3) }
    guard let first = prefix.first(where: { $0 > 0x20 }) else { return nil }
    switch first {
    case UInt8(ascii: "<"):
      guard let isExport = Self.isExport(prefix) else { return nil }
      self = isExport ? .document(isXML: true) : .plain(.xml)
    case UInt8(ascii: "["): self = .plain(.json)
    case UInt8(ascii: "{"):
      self = Self.isDocument(prefix) ? .document(isXML: false) : .plain(.ndjson)
    default:
      guard Self.isCSV(prefix) else { return nil }
      self = .plain(.csv)
    }
  }

  /// The first bytes, unpacked; nil where they are none of a text.
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
    return bytes.isEmpty || bytes.starts(with: Array("SQLite format 3".utf8)) ? nil : bytes
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

  private static func isDocument(_ prefix: [UInt8]) -> Bool {
    let text = prefix.filter { $0 > 0x20 }.prefix(9)
    return text.elementsEqual("{\"rehome\"".utf8)
  }

  /// Whether the first line names several columns, or the key of an export.
  private static func isCSV(_ prefix: [UInt8]) -> Bool {
    guard let end = prefix.firstIndex(of: 0x0A) else { return false }
    let line = prefix[..<end]
    guard !line.contains(where: { $0 < 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return false }
    return line.contains(UInt8(ascii: ",")) || line.starts(with: "_pk".utf8)
  }
}
