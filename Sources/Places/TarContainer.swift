import Bytes
import Formats
import Records
import SQLite

/// The files of a tar archive, be it packed or inside of an Android backup.
final class TarContainer: Container {
  let word: String
  private(set) var finding: Finding?
  private(set) var files: [ContainedFile] = []
  private let archive: ArchiveFile
  private let start: Int
  private let packing: Packing
  private let temporaryFolder: String
  /// Copies of all files that may matter, where the archive can only be read from its beginning.
  private var copies: PrivateFolder?
  private var copied: [Int: (path: String?, failure: PlaceFailure?)] = [:]
  /// The places of bodies of backups whose lists of files say that they may matter.
  private var neededBodies: Set<Int> = []

  /// Reads all headers, and the first bytes of every file.
  ///
  /// What breaks off is reported, and what was before it is kept.
  init(
    _ path: String, word: String, _ packing: Packing, from start: Int = 0,
    temporaryFolder: String, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    (self.word, self.packing, self.start) = (word, packing, start)
    self.temporaryFolder = temporaryFolder
    archive = ArchiveFile(path)
    var listing = TarListing()
    do throws(FormatError) {
      try list(into: &listing, tally)
    } catch {
      var failure = PlaceFailure(error)
      if failure.kind == .damaged, hasChangedLineEnds {
        failure = failure.hinting(AndroidBackup.pullAgain)
      }
      guard !listing.isEmpty else { throw failure }
      tally.tell(failure)
    }
    files = listing.files(tally)
    tally.keepInteresting(&files)
  }

  /// Whether every line feed has a carriage return before it, as in what came through a terminal.
  private var hasChangedLineEnds: Bool {
    guard case .none = packing, let file = try? archive.open() else { return false }
    var bytes: [UInt8] = []
    // What cannot be read has failed already.
    try? file.read(at: start, count: min(file.size - start, 1 << 20), appendingTo: &bytes)
    let feeds = bytes.indices.filter { bytes[$0] == 0x0A }
    return !feeds.isEmpty && feeds.allSatisfy { $0 > 0 && bytes[$0 - 1] == 0x0D }
  }

  private func reader(at offset: Int = 0) throws(FormatError) -> TarReader {
    let begin = start + offset
    let file = try archive.open()
    // Each member has its limits, and not all of them together.
    let stream = try PackedStream(
      file, from: begin, count: file.size - begin, packing, limits: .none)
    // A device writes nothing behind the end, but may write less of a member than its header says.
    return TarReader(stream, at: offset, endsForGood: word == "android-backup")
  }

  func close() {
    archive.close()
    copies = nil
    copied = [:]
  }

  private func list(
    into listing: inout TarListing, _ tally: PlaceTally
  ) throws(FormatError) {
    var reader = try reader()
    defer {
      if reader.isInMember { listing.brokenPlace = reader.memberOffset }
      if reader.failsChecksum { finding = Self.findingOfChecksum }
    }
    var told = false
    while let member = try reader.next() {
      // What is known of a folder or a link may be wrong, and once is enough to say so.
      if !told, member.kind != .file, let failure = member.failure, failure.code == .invalid {
        tally.tell(PlaceFailure(failure))
        told = true
      }
      switch member.kind {
      case .folder: continue
      case .link: tally.count(.link)
      case .hardLink(let target):
        let isThere =
          member.failure == nil
          && listing.add(Self.path(member.path), linkedTo: Self.path(target), time: member.time)
        if !isThere { tally.count(.link) }
      case .special: tally.count(.specialFile)
      case .unknown: tally.count(.unknownMember)
      case .file where isBookkeeping(member.path): continue
      case .file where isKeyValueRecord(Self.path(member.path)): tally.count(.keyValueRecord)
      case .file: listing.add(try file(member, &reader), time: member.time)
      }
    }
    if let remark = reader.remark { tally.note(remark) }
  }

  private static let findingOfChecksum = Finding(
    "store-damaged", .error,
    message: "the checksum of the archive is that of other bytes: those of the store may be wrong")

  /// Whether a file describes a package, and is none of its own.
  private func isBookkeeping(_ path: String) -> Bool {
    word == "android-backup" && ["_manifest", "_meta"].contains(SideFiles.name(of: path))
  }

  /// Whether a file holds key-value records of a package, in which whatever begins as a store is the
  /// app's own copy of something, and no file of it.
  private func isKeyValueRecord(_ path: String) -> Bool {
    let parts = Paths.parts(of: path)
    return word == "android-backup" && parts.count > 3 && parts[0] == "apps" && parts[2] == "k"
  }

  private static func path(_ name: String) -> String {
    ArchiveName.parts(of: name)?.joined(separator: "/") ?? name
  }

  private func file(
    _ member: TarReader.Member, _ reader: inout TarReader
  ) throws(FormatError) -> ContainedFile {
    // Nobody knows what a file is that cannot be read, so that it is reported rather than counted.
    var file = ContainedFile(
      path: Self.path(member.path), kind: .database, size: member.size, place: reader.memberOffset)
    file.failure = member.failure.map { PlaceFailure($0) }
    guard file.failure == nil || file.failure?.code == .limit else {
      if SideFiles.isSideFile(file.path) { file.kind = .counted(.sideFile) }
      return file
    }
    var start: [UInt8] = []
    while start.count < FileKind.prefixSize,
      try reader.read(into: &start, atMost: FileKind.prefixSize - start.count) > 0
    {}
    file.kind = FileKind(startingWith: start)
    return file
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    guard case .none = packing else { return try move(file, to: path, budget) }
    var reader: TarReader
    do throws(FormatError) {
      reader = try self.reader(at: file.place)
      guard try reader.next() != nil else {
        throw FormatError(.invalid, at: file.place, "the archive has changed")
      }
    } catch {
      throw PlaceFailure(error)
    }
    try write(&reader, file, to: path, budget)
  }

  private func write(
    _ reader: inout TarReader, _ file: ContainedFile, to path: String, _ budget: CopyBudget
  ) throws(PlaceFailure) {
    let size = try copyOut(to: path, budget) { (buffer) throws(FormatError) in
      try reader.read(into: &buffer)
    }
    guard size == file.size else { throw PlaceFailure(size: size, insteadOf: file.size) }
  }

  func willCopy(_ bodies: [ContainedFile]) {
    for body in bodies { neededBodies.insert(body.place) }
  }

  /// A packed archive is read a second time once, and everything is taken on the way; a backup's list of
  /// files, which is in it itself, may tell of more.
  private func move(
    _ file: ContainedFile, to path: String, _ budget: CopyBudget
  ) throws(PlaceFailure) {
    if copied[file.place] == nil {
      neededBodies.insert(file.place)
      try takeAll(budget)
    }
    let taken =
      copied[file.place]
      ?? (nil, PlaceFailure(.truncated, "the archive ends before this file"))
    copied[file.place] = taken
    do throws(FileError) {
      if let copy = taken.path { try copyFile(from: copy, to: path) }
    } catch {
      throw PlaceFailure(ofPrivateFile: error)
    }
    if let failure = taken.failure { throw failure }
  }

  /// Whether a file is to be copied now: of a backup's bodies most are media, which its list alone tells
  /// from what belongs to stores, but for databases that are damaged or encrypted.
  private func isWanted(_ file: ContainedFile) -> Bool {
    guard file.failure == nil, copied[file.place] == nil else { return false }
    return file.kind.isInteresting || file.kind == .counted(.sideFile)
      || file.kind == .unknown && LostStore.isOfPages(file.size)
      || !BackupFolder.isBody(SideFiles.name(of: file.path)) || neededBodies.contains(file.place)
  }

  private func takeAll(_ budget: CopyBudget) throws(PlaceFailure) {
    let folder: PrivateFolder
    if let copies { folder = copies } else { folder = try PrivateFolder(in: temporaryFolder) }
    copies = folder
    defer { folder.charge(budget) }
    let wanted = Dictionary(
      keepingFirst: files.lazy.filter { [self] in isWanted($0) }.map { ($0.place, $0) })
    do throws(FormatError) {
      var reader = try reader()
      while try reader.next() != nil {
        let place = reader.memberOffset
        guard let file = wanted[place] else { continue }
        guard let path = try? folder.newFile("\(place)") else { continue }
        do throws(PlaceFailure) {
          try write(&reader, file, to: path, budget)
          copied[place] = (path, nil)
        } catch {
          copied[place] = (path, error)
        }
      }
    } catch {
      // What breaks off was reported when the archive was listed.
    }
  }
}
