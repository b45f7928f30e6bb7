import Bytes
import Opening
import SQLite

/// What a file of no known form may be: a store whose beginning is lost, or an encrypted one.
///
/// So may any bytes be. Its name or what lies beside it makes it worth a look, and its bytes further
/// behind or a side file tell it from the caches and media that every app has.
enum LostStore {
  /// Whether bytes may begin one: they are no text, and enough.
  static func mayBegin(with bytes: [UInt8]) -> Bool {
    bytes.count == FileKind.prefixSize
      && !bytes.allSatisfy { $0 >= 32 && $0 != 127 || 9...13 ~= $0 || $0 == 27 }
  }

  /// Whether a database may have so many bytes, of which the least page has 512.
  static func isOfPages(_ size: Int) -> Bool { size >= 1024 && size % 512 == 0 }

  /// Whether the file at a path is one, as its bytes or a side file show.
  static func isProven(at path: String) -> Bool {
    isFormless(path) || StoreOpening.hasLostBeginning(path)
      || SourceDatabase.sideHasFirstPage(ofFileAt: path)
  }

  /// Whether nothing in a file tells anything: it is encrypted, or the place for it was kept and its
  /// contents never copied.
  ///
  /// What is packed or an image of a disk may begin so, too, but seldom goes on so to its end.
  private static func isFormless(_ path: String) -> Bool {
    guard let file = try? PositionedFile(opening: path), isOfPages(file.size) else { return false }
    let size = FileKind.prefixSize
    let counts = [0, file.size / 2, file.size - size].map { place in
      var bytes: [UInt8] = []
      // What cannot be read shows nothing.
      try? file.read(at: place, count: size, appendingTo: &bytes)
      return bytes.allSatisfy { $0 == 0 } ? 0 : valueCount(in: bytes)
    }
    // Where copying broke off, the rest of what is encrypted may be nothing.
    return counts.allSatisfy { $0 == 0 || $0 >= 200 }
  }

  /// How many values occur: of 512 random bytes 221, give or take 5.
  private static func valueCount(in bytes: [UInt8]) -> Int {
    var isThere = [Bool](repeating: false, count: 256)
    for byte in bytes { isThere[Int(byte)] = true }
    return isThere.count { $0 }
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

  /// Whether a file lies where Android has an app's databases, or its backups have them, wherever that
  /// was copied to.
  private static func isInFolderForDatabases(_ path: String) -> Bool {
    let folder = SideFiles.folder(of: path)
    return switch SideFiles.name(of: folder) {
    case "databases": true
    case "db", "d_db":
      SideFiles.name(of: SideFiles.folder(of: SideFiles.folder(of: folder))) == "apps"
    default: false
    }
  }

  private static let endings: Set = [
    "cblite", "db", "db3", "s3db", "sqlite", "sqlite3", "sqlitedb", "store", "storedata",
  ]
}
