import Opening
import SQLite

/// What a file of no known form may be: a store whose beginning is lost, or an encrypted one.
///
/// So may any bytes be. By what it is called, by what lies beside it or by its pages it is told from the
/// caches and media that every app has.
enum LostStore {
  /// No byte tells anything, as in what is encrypted.
  case encrypted
  /// The place for it was kept, but its contents were never copied.
  case zeros
  /// The pages behind the first may be those of a store.
  case headless

  /// Tells by the first bytes; nil where these are a text, or too few.
  init?(startingWith bytes: [UInt8]) {
    guard bytes.count == FileKind.prefixSize, !Self.isText(bytes) else { return nil }
    switch Self.valueCount(in: bytes) {
    case 1 where bytes[0] == 0: self = .zeros
    case 200...: self = .encrypted
    default: self = .headless
    }
  }

  /// Whether of so many bytes those behind the first must tell that they are a store.
  func needsProof(size: Int) -> Bool { self == .headless || !Self.isOfPages(size) }

  /// Whether a database may have so many bytes, of which the least page has 512.
  static func isOfPages(_ size: Int) -> Bool { size >= 1024 && size % 512 == 0 }

  private static func isText(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 >= 32 && $0 != 127 || 9...13 ~= $0 || $0 == 27 }
  }

  /// How many values occur: of 512 random bytes 221, give or take 5.
  private static func valueCount(in bytes: [UInt8]) -> Int {
    var isThere = [Bool](repeating: false, count: 256)
    for byte in bytes { isThere[Int(byte)] = true }
    return isThere.count { $0 }
  }

  /// Whether what its first bytes do not tell the file at a path shows further behind, or a side file.
  static func isProven(at path: String) -> Bool {
    StoreOpening.hasLostBeginning(path) || SourceDatabase.sideHasFirstPage(ofFileAt: path)
  }

  /// Whether a file is called as databases are, or lies where Android has them.
  static func isCalledDatabase(_ path: String) -> Bool {
    guard !SideFiles.isSideFile(path) else { return false }
    let name = SideFiles.name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return name.lowercased() == "parseofflinestore" || isInFolderForDatabases(path)
    }
    return endings.contains(name[name.utf8.index(after: dot)...].lowercased())
  }

  /// Whether a file lies where Android has an app's databases, or its backups have them.
  private static func isInFolderForDatabases(_ path: String) -> Bool {
    let folder = SideFiles.folder(of: path)
    return switch SideFiles.name(of: folder) {
    case "databases": true
    case "db", "d_db": folder.hasPrefix("apps/")
    default: false
    }
  }

  private static let endings: Set = [
    "cblite", "db", "db3", "s3db", "sqlite", "sqlite3", "sqlitedb", "store", "storedata",
  ]
}
