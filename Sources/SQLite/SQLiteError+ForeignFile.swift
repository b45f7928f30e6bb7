import Bytes

extension SQLiteError {
  /// Says what a file that does not begin as a database may be, as far as its first bytes tell.
  init(foreignFileAt path: String, size: Int, prefix: [UInt8]) {
    let kinds: [(start: [UInt8], what: String, hint: String)] = [
      ([0x37, 0x7F, 0x06], "this is the log of a store", "name the store itself, without -wal"),
      (
        [0xD9, 0xD5, 0x05, 0xF9], "this is the journal of a store",
        "name the store itself, without -journal"
      ),
      ([0x50, 0x4B, 0x03, 0x04], "this is a ZIP archive", "unpack it, and name the store in it"),
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
    } else {
      self.init(
        .notADatabase, .notAStore, "not a SQLite database", path: path,
        hint: "name a SQLite file, an export, or rows as CSV, JSON or NDJSON; --from csv takes any "
          + "text for CSV")
    }
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
