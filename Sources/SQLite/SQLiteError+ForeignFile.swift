import Bytes

extension SQLiteError {
  /// Says what a file that does not begin as a database may be, as far as its first bytes tell.
  init(foreignFileAt path: String, size: Int, prefix: [UInt8]) {
    let otherFile = "name a SQLite file, an export, or a text file of CSV, JSON, NDJSON or XML"
    let kinds: [(start: [UInt8], what: String, hint: String)] = [
      ([0x37, 0x7F, 0x06], "this is the log of a store", "name the store itself, without -wal"),
      (
        [0xD9, 0xD5, 0x05, 0xF9], "this is the journal of a store",
        "name the store itself, without -journal"
      ),
      ([0x50, 0x4B, 0x03, 0x04], "this is a ZIP archive", Self.unpack),
      (
        [0x1F, 0x8B], "this is packed with gzip",
        "unpack it with gunzip, and name what is in it"
      ),
      (Array("ANDROID BACKUP".utf8), "this is an Android backup", Self.takeOut),
      ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "this is a 7z archive", Self.unpack),
      (Array("Rar!".utf8), "this is a RAR archive", Self.unpack),
      (Array("BZh".utf8), "this is packed with bzip2", "unpack it first"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "this is packed with xz", "unpack it first"),
      ([0x28, 0xB5, 0x2F, 0xFD], "this is packed with Zstandard", "unpack it first"),
      (Array("bplist".utf8), "this is a property list, which holds no rows", otherFile),
      (Array("%PDF".utf8), "this is a PDF", otherFile),
      ([0x89, 0x50, 0x4E, 0x47], "this is an image", otherFile),
      ([0xFF, 0xD8, 0xFF], "this is an image", otherFile),
      (Array("GIF8".utf8), "this is an image", otherFile),
    ]
    if Self.isOfficeDocument(path, size, prefix) {
      self.init(
        .notADatabase, .notAStore, "this is a document of an office program", path: path,
        hint: OfficeDocument.hint)
    } else if let kind = kinds.first(where: { prefix.starts(with: $0.start) }) {
      self.init(.notADatabase, .notAStore, kind.what, path: path, hint: kind.hint)
    } else if prefix.starts(with: "SQLite format 3\0".utf8) {
      let isShort = prefix.count < DatabaseHeader.size
      self.init(
        .notADatabase, .damaged,
        isShort ? "the file is cut off inside of its first page" : "the first page is damaged",
        path: path, hint: "copy it again")
    } else if Self.isTar(path) {
      self.init(
        .notADatabase, .notAStore, "this is a tar archive", path: path, hint: Self.takeOut)
    } else if let engine = Self.otherEngine(path, size, prefix) {
      self.init(
        .notADatabase, .unsupported, "this is part of a store of \(engine), which is not read",
        path: path, hint: "export its data with the app, or with the engine's own tools, as JSON")
    } else if prefix.allSatisfy({ $0 == 0 }) {
      self.init(
        .notADatabase, .notAStore, "not a SQLite database: it begins with nothing but zeros",
        path: path, hint: "copy it again: the place for it was kept, but its contents are missing")
    } else if Self.isOfCouchbase(path) {
      self.init(
        .notADatabase, .unsupported, "the database of Couchbase Lite is encrypted, with SQLCipher",
        path: path,
        hint: "export its data with the app, or decrypt it with the app's key: sqlcipher_export() "
          + "writes a plain database; its attachments are encrypted, too")
    } else if Self.looksEncrypted(size, prefix) {
      self.init(
        .notADatabase, .unsupported, "not a database that can be read: its bytes look encrypted",
        path: path,
        hint:
          "decrypt it with the app's key first; for SQLCipher, sqlcipher_export() writes a plain one"
      )
    } else if let what = Self.text(prefix) {
      self.init(
        .notADatabase, .notAStore, "not a SQLite database but \(what)", path: path,
        hint: Self.isMarkup(prefix)
          ? "--from xml tells why no rows of XML can be read here"
          : "a text file holds rows as CSV, JSON, NDJSON or XML; --from csv takes any text for CSV")
    } else {
      self.init(
        .notADatabase, .notAStore, "not a SQLite database", path: path, hint: otherFile)
    }
  }

  private static let unpack = "unpack it, and name the store in it"
  private static let takeOut = "take the store in it out with 'rehome find --copy-to'"

  /// Whether a file is a ZIP archive with the files by which documents of office programs are known,
  /// whose names stand at its end.
  private static func isOfficeDocument(_ path: String, _ size: Int, _ prefix: [UInt8]) -> Bool {
    guard prefix.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return false }
    var end: [UInt8] = []
    let most = 1 << 16
    // A file that cannot be read to its end shows no names.
    try? PositionedFile(opening: path).read(
      at: max(0, size - most), count: min(size, most), appendingTo: &end)
    let names = String(decoding: end, as: UTF8.self)
    return OfficeDocument.isKnown(by: names.contains)
  }

  /// Whether a file has the mark of a tar archive, which stands behind the name of its first member.
  private static func isTar(_ path: String) -> Bool {
    (try? readPrefix(of: path, count: 262))?.dropFirst(257).elementsEqual("ustar".utf8) ?? false
  }

  /// What kind of text a file begins with; nil where it is none.
  private static func text(_ prefix: [UInt8]) -> String? {
    let isText = prefix.allSatisfy { $0 >= 32 && $0 != 127 || [9, 10, 12, 13].contains($0) }
    guard isText, !prefix.isEmpty else { return nil }
    let start = String(decoding: prefix, as: UTF8.self).lowercased()
    if start.allSatisfy(\.isWhitespace) { return "a text file without a word" }
    // Prose may speak of markup.
    guard start.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "<" else {
      return "a text file in which no rows are recognised"
    }
    if start.contains("<!doctype html") || start.contains("<html") { return "a page of the web" }
    if start.contains("<plist") || start.contains("//apple//dtd plist") { return "a property list" }
    return start.contains("<!doctype")
      ? "XML with a document type declaration, which is never followed"
      : "a text file in which no rows are recognised"
  }

  /// Whether a text says that it is XML.
  private static func isMarkup(_ prefix: [UInt8]) -> Bool {
    let start = String(decoding: prefix, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return start.hasPrefix("<?xml")
  }

  /// The storage engine other than SQLite to which a file belongs, as far as its beginning, its end
  /// or its name tells.
  private static func otherEngine(_ path: String, _ size: Int, _ prefix: [UInt8]) -> String? {
    let text = prefix.map { $0 >= 32 && $0 < 127 ? Character(Unicode.Scalar($0)) : " " }
    let words = String(text)
    // Each of these small files names the one that holds the data.
    let isForest = prefix.starts(with: [0, 0, 0, 1]) && words.contains("db.forest.")
    if isForest || Paths.fileName(of: path).hasPrefix("db.forest.") { return "ForestDB" }
    let isManifest = words.hasPrefix("MANIFEST-") && prefix.last == UInt8(ascii: "\n")
    if isManifest || words.contains("leveldb.Bytewise") || endsAsTable(path, size) {
      return "LevelDB or RocksDB"
    }
    let mark = prefix.dropFirst(16).prefix(4)
    if mark.elementsEqual("T-DB".utf8) { return "Realm" }
    return mark.elementsEqual([0xDE, 0xC0, 0xEF, 0xBE]) ? "LMDB" : nil
  }

  /// Whether a file ends as a table of LevelDB or RocksDB.
  private static func endsAsTable(_ path: String, _ size: Int) -> Bool {
    var end: [UInt8] = []
    // A file that cannot be read to its end shows no mark.
    try? PositionedFile(opening: path).read(at: max(0, size - 8), count: 8, appendingTo: &end)
    return end == [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]
      || end == [0xF7, 0xCF, 0xF4, 0x85, 0xB7, 0x41, 0xE2, 0x88]
  }

  /// Whether a file stands where Couchbase Lite keeps a database, or beside encrypted attachments.
  private static func isOfCouchbase(_ path: String) -> Bool {
    let folder = Paths.folder(of: path)
    let stem = Paths.fileName(of: path).split(separator: ".").dropLast().joined(separator: ".")
    let attachments = ["attachments", "\(stem) attachments", "\(stem)/attachments"]
    return folder.hasSuffix(".cblite2")
      || attachments.contains { Paths.exists(Paths.join(folder, "\($0)/_encryption")) }
  }

  private static func looksEncrypted(_ size: Int, _ prefix: [UInt8]) -> Bool {
    let isText = prefix.allSatisfy { $0 >= 32 || $0 == 9 || $0 == 10 || $0 == 13 }
    return size >= 1024 && size % 512 == 0 && !isText && Set(prefix).count > 60
  }
}
