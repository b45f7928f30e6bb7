import Bytes
import Formats
import Opening
import SQLite

/// What the first bytes of a file say that it is.
enum FileKind: Equatable {
  /// A database, as far as its first bytes tell.
  case database
  case xmlStore
  /// A document of ours, or the description of a bundle.
  case document
  case zip
  case tar
  case gzip
  case androidBackup
  /// A container that is not read, by name.
  case foreign(String)
  /// A container that is encrypted as a whole, by name.
  case encrypted(String)
  /// Something that is only counted.
  case counted(CountedKind)
  /// Bytes of no known form, which are only counted unless something else tells that they are a store.
  case unknown

  /// How many bytes tell the kind.
  static let prefixSize = 512

  /// Whether a store may be in it, or it is one.
  var isInteresting: Bool { counted == nil }

  /// As what it is counted; nil for what matters.
  var counted: CountedKind? {
    switch self {
    case .counted(let kind): kind
    case .unknown: .otherFile
    default: nil
    }
  }

  /// Whether a database may be taken for it that has lost its first page: a side file may have that.
  var mayBeDatabaseWithSideFile: Bool { isOther || counted == .emptyFile }

  /// Whether it has no form that a program alone would read: bytes of any kind, or text.
  private var isOther: Bool { [.otherFile, .jsonFile, .xmlFile, .csvFile].contains(counted) }

  var isContainer: Bool {
    switch self {
    case .zip, .tar, .gzip, .androidBackup, .foreign, .encrypted: true
    case .database, .xmlStore, .document, .counted, .unknown: false
    }
  }

  /// Whether a file that somebody names may be a store: it can be opened, and is nothing that is known
  /// for something else.
  ///
  /// What is known for nothing may hold rows of a plain file, or be a store that is damaged; so may
  /// what is empty be all that is left of one.
  static func mayBeStore(_ path: String) -> Bool {
    // Of what cannot be opened or is not there its reader tells why.
    guard let file = try? PositionedFile(opening: path), let kind = try? FileKind(of: file) else {
      return false
    }
    return kind.isInteresting || kind.mayBeDatabaseWithSideFile
  }

  /// Tells a file by its first bytes, and by its last where those do not tell.
  init(of file: PositionedFile) throws(FileError) {
    var start: [UInt8] = []
    try file.read(at: 0, count: min(file.size, Self.prefixSize), appendingTo: &start)
    self.init(startingWith: start)
    guard isOther && file.size > Self.prefixSize || self == Self.partOfZip else { return }
    var end: [UInt8] = []
    let endSize = min(file.size, Self.prefixSize)
    try file.read(at: file.size - endSize, count: endSize, appendingTo: &end)
    if end.starts(with: "koly".utf8), self != Self.partOfZip {
      self = .foreign("a disk image of macOS")
    } else if Self.isProgram(start)
      || end.indices.contains(where: { end[$0...].starts(with: [0x50, 0x4B, 5, 6]) }),
      ZipDirectory.ends(file)
    {
      // Something stands before it, as in a file that unpacks itself.
      self = .zip
    }
  }

  /// Tells a file by its first bytes.
  init(startingWith bytes: [UInt8]) {
    if bytes.isEmpty {
      self = .counted(.emptyFile)
    } else if let kind = Self.signatures.first(where: { bytes.starts(with: $0.start) }) {
      self = kind.kind
    } else if let packing = Self.packing(bytes) {
      self = .foreign(packing)
    } else if Self.isForestDB(bytes) {
      // Its reader says what it is.
      self = .database
    } else if let engine = Self.engine(bytes) {
      self = .counted(.database(of: engine))
    } else if TarReader.isArchive(startingWith: bytes) {
      self = .tar
    } else if DatabaseHeader.isDamaged(bytes) {
      self = .database
    } else {
      let text = Self.text(bytes)
      self = text == Self.other && LostStore.mayBegin(with: bytes) ? .unknown : text
    }
  }

  /// Whether a file is a program or a script, behind which an archive may stand with a comment of
  /// any length.
  private static func isProgram(_ bytes: [UInt8]) -> Bool {
    let marks = [Array("MZ".utf8), Array("#!".utf8), [0x7F] + Array("ELF".utf8)]
    return marks.contains { bytes.starts(with: $0) }
  }

  /// What packed a file whose beginning is not always the same.
  private static func packing(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 13 else { return nil }
    switch bytes[0] {
    // Behind the mark stands how many bits a code has at most.
    case 0x1F where bytes[1] == 0x9D && bytes[2] & 0x60 == 0 && 9...16 ~= bytes[2] & 0x1F:
      return "a file of compress"
    // A frame that is passed over may come first.
    case 0x50...0x5F where bytes[1...3] == [0x2A, 0x4D, 0x18]: return "a Zstandard file"
    case 0x5D where isLZMA(bytes): return "an lzma file"
    default: return nil
    }
  }

  /// Whether a size of the dictionary and of the data stand behind the first byte as in an lzma file, which
  /// has no mark.
  private static func isLZMA(_ bytes: [UInt8]) -> Bool {
    let number = { (places: Range<Int>) in
      bytes[places].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let (dictionary, size) = (number(1..<5), number(5..<13))
    return dictionary >= 1 << 12 && dictionary.nonzeroBitCount == 1
      && (size == .max || size < 1 << 38) && bytes.count == prefixSize
  }

  /// Whether a file names the one that holds the data of a store of ForestDB.
  private static func isForestDB(_ bytes: [UInt8]) -> Bool {
    let mark = Array("db.forest.".utf8)
    return bytes.starts(with: [0, 0, 0, 1])
      && bytes.indices.contains { bytes[$0...].starts(with: mark) }
  }

  /// The engine whose mark stands behind the beginning of a file.
  private static func engine(_ bytes: [UInt8]) -> String? {
    let mark = bytes.dropFirst(16).prefix(4)
    if mark.elementsEqual("T-DB".utf8) { return "Realm" }
    return mark.elementsEqual([0xDE, 0xC0, 0xEF, 0xBE]) ? "LMDB" : nil
  }

  private static func text(_ bytes: [UInt8]) -> FileKind {
    guard let first = bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) else { return other }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      let start = bytes.drop { $0 != first }.filter { $0 > 0x20 }.prefix(9)
      if start.elementsEqual("{\"rehome\"".utf8) { return .document }
      let isAtStart = bytes.prefix { $0 != first }.allSatisfy(blanks.contains)
      return isAtStart && isJSON(start) ? .counted(.jsonFile) : other
    }
    guard first == UInt8(ascii: "<") else { return other }
    if StoreOpening.isXMLStore(startingWith: bytes) { return .xmlStore }
    let start = String(decoding: bytes, as: UTF8.self)
    if start.contains("<rehome") { return .document }
    if start.contains("<plist") { return .counted(.propertyList) }
    return start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<?xml")
      ? .counted(.xmlFile) : other
  }

  /// What may stand in front of a text: white space, and the mark of UTF-8.
  private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]

  /// Whether an object or array of JSON goes on behind its bracket as one does.
  private static func isJSON(_ start: some Sequence<UInt8>) -> Bool {
    let first = Array(start.prefix(2))
    guard first.count == 2 else { return false }
    let follows = first[0] == UInt8(ascii: "{") ? "\"}" : "{[]\"-0123456789tfn"
    return follows.utf8.contains(first[1])
  }

  static let other = FileKind.counted(.otherFile)

  /// What a file begins with that a ZIP was cut into; put together again, they are a ZIP.
  private static let partOfZip = FileKind.foreign("a part of a ZIP archive")

  private static let signatures: [(start: [UInt8], kind: FileKind)] = [
    (Array("SQLite format 3\0".utf8), .database),
    (AndroidBackup.mark, .androidBackup), (AndroidBackup.changedMark, .androidBackup),
    (Array("TWRP\0\0\0\0twstreamheader".utf8), .foreign("a stream of TWRP")),
    ([0x50, 0x4B, 3, 4], .zip), ([0x50, 0x4B, 5, 6], .zip),
    ([0x50, 0x4B, 7, 8], partOfZip),
    ([0x1F, 0x8B, 8], .gzip),
    (Array("BZh".utf8), .foreign("a bzip2 file")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .foreign("an xz file")),
    ([0x28, 0xB5, 0x2F, 0xFD], .foreign("a Zstandard file")),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .foreign("a 7z archive")),
    (Array("Rar!\u{1A}\u{7}".utf8), .foreign("a RAR archive")),
    ([0x04, 0x22, 0x4D, 0x18], .foreign("an lz4 file")),
    ([0x02, 0x21, 0x4C, 0x18], .foreign("an lz4 file of the old form")),
    (Array("AA01".utf8), .foreign("an Apple Archive")),
    (Array("YAA1".utf8), .foreign("an Apple Archive")),
    (Array("hsqs".utf8), .foreign("a squashfs image")),
    ([0x89, 0x4C, 0x5A, 0x4F, 0, 0x0D, 0x0A, 0x1A, 0x0A], .foreign("an lzop file")),
    (Array("LZIP\u{1}".utf8), .foreign("an lzip file")),
    (Array("MSCF\0\0\0\0".utf8), .foreign("a cabinet file")),
    (Array("OAES".utf8), .encrypted("a file that TWRP has encrypted")),
    (Array("bplist".utf8), .counted(.propertyList)),
    (BackupFolder.recordsMark, .counted(.backupRecords)),
    ([0x37, 0x7F, 0x06], .counted(.sideFile)),
    ([0xD9, 0xD5, 0x05, 0xF9], .counted(.sideFile)),
    ([0x89, 0x50, 0x4E, 0x47], .counted(.image)), ([0xFF, 0xD8, 0xFF], .counted(.image)),
    (Array("GIF8".utf8), .counted(.image)),
    ([0, 5, 0x16, 7], .counted(.macOSFile)),
    ([0, 0, 0, 1, 0x42, 0x75, 0x64, 0x31], .counted(.macOSFile)),
  ]
}

/// A storage engine that keeps a database as a folder of files.
enum ForeignEngine: CaseIterable {
  case forestDB
  case levelDB

  /// Tells an engine by the names in its folder.
  init?(_ names: Set<String>) {
    if names.contains(where: Self.isForest), !names.contains("db.sqlite3") {
      // What describes the folder is read, and refused with its name.
      guard !names.contains("db.forest.meta") else { return nil }
      self = .forestDB
    } else if names.contains("CURRENT"), names.contains(where: { $0.hasPrefix("MANIFEST-") }) {
      self = .levelDB
    } else {
      return nil
    }
  }

  private static func isForest(_ name: String) -> Bool {
    let mark = "db.forest."
    return name.hasPrefix(mark)
      && name.utf8.dropFirst(mark.utf8.count).allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  private var name: String { self == .forestDB ? "ForestDB" : "LevelDB or RocksDB" }

  /// What such databases are called where they are only counted.
  var databases: CountedKind { .database(of: name) }

  /// Whether a person should know of each; browsers leave those of LevelDB behind in every app.
  var isRare: Bool { self == .forestDB }

  /// Why it is not read.
  var failure: PlaceFailure {
    PlaceFailure(
      .unsupported, "this is a store of \(name), which is not read",
      hint: "export its data with the app, or with the engine's own tools, as JSON")
  }

  /// The first engine of which a place has databases.
  static func first(in tally: PlaceTally) -> ForeignEngine? {
    allCases.first { tally.counts[$0.databases] != nil }
  }
}
