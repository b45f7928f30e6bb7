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
    guard Paths.exists(path), !Paths.isSpecial(path),
      let prefix = try Self.prefix(of: path), let first = prefix.first(where: { $0 > 0x20 })
    else { return nil }
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
