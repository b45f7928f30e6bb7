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
      ([0x50, 0x4B, 0x03, 0x04], "this is a ZIP archive", "unpack it, and name the store in it"),
      (
        [0x1F, 0x8B], "this is packed with gzip",
        "unpack it with gunzip, or take the store in it out with 'rehome find --copy-to'"
      ),
      (Array("BZh".utf8), "this is packed with bzip2", "unpack it first"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "this is packed with xz", "unpack it first"),
      ([0x28, 0xB5, 0x2F, 0xFD], "this is packed with Zstandard", "unpack it first"),
      (Array("bplist".utf8), "this is a property list, which holds no rows", otherFile),
      (Array("%PDF".utf8), "this is a PDF", otherFile),
      ([0x89, 0x50, 0x4E, 0x47], "this is an image", otherFile),
      ([0xFF, 0xD8, 0xFF], "this is an image", otherFile),
      (Array("GIF8".utf8), "this is an image", otherFile),
    ]
    if let kind = kinds.first(where: { prefix.starts(with: $0.start) }) {
      self.init(.notADatabase, .notAStore, kind.what, path: path, hint: kind.hint)
    } else if prefix.starts(with: "SQLite format 3\0".utf8) {
      let isShort = prefix.count < DatabaseHeader.size
      self.init(
        .notADatabase, .damaged,
        isShort ? "the file is cut off inside of its first page" : "the first page is damaged",
        path: path, hint: "copy it again")
    } else if let engine = Self.otherEngine(prefix) {
      self.init(
        .notADatabase, .unsupported, "this is part of a store of \(engine), which is not read",
        path: path, hint: "export its data with the app, or with the engine's own tools, as JSON")
    } else if prefix.allSatisfy({ $0 == 0 }) {
      self.init(
        .notADatabase, .notAStore, "not a SQLite database: it begins with nothing but zeros",
        path: path, hint: "copy it again: the place for it was kept, but its contents are missing")
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
        hint:
          "a text file holds rows as CSV, JSON, NDJSON or XML; --from csv takes any text for CSV")
    } else {
      self.init(
        .notADatabase, .notAStore, "not a SQLite database", path: path, hint: otherFile)
    }
  }

  /// What kind of text a file begins with; nil where it is none.
  private static func text(_ prefix: [UInt8]) -> String? {
    let isText = prefix.allSatisfy { $0 >= 32 && $0 != 127 || [9, 10, 12, 13].contains($0) }
    guard isText, !prefix.isEmpty else { return nil }
    let start = String(decoding: prefix, as: UTF8.self).lowercased()
    if start.contains("<!doctype html") || start.contains("<html") { return "a page of the web" }
    if start.contains("<plist") || start.contains("//apple//dtd plist") { return "a property list" }
    if start.allSatisfy(\.isWhitespace) { return "a text file without a word" }
    return "a text file in which no rows are recognised"
  }

  /// The storage engine other than SQLite to which a file belongs, as far as its beginning tells.
  private static func otherEngine(_ prefix: [UInt8]) -> String? {
    let text = prefix.map { $0 >= 32 && $0 < 127 ? Character(Unicode.Scalar($0)) : " " }
    let words = String(text)
    // Each of these small files names the one that holds the data.
    if prefix.starts(with: [0, 0, 0, 1]), words.contains("db.forest.") { return "ForestDB" }
    let isManifest = words.hasPrefix("MANIFEST-") && prefix.last == UInt8(ascii: "\n")
    return isManifest || words.contains("leveldb.Bytewise") ? "LevelDB or RocksDB" : nil
  }

  private static func looksEncrypted(_ size: Int, _ prefix: [UInt8]) -> Bool {
    let isText = prefix.allSatisfy { $0 >= 32 || $0 == 9 || $0 == 10 || $0 == 13 }
    return size >= 1024 && size % 512 == 0 && !isText && Set(prefix).count > 60
  }
}
