import Bytes
import Formats
import Records
import SQLite

/// The files of a ZIP archive.
final class ZipContainer: Container {
  let word = "zip"
  private(set) var files: [ContainedFile] = []
  private(set) var finding: Finding?
  private let path: String
  /// The archive, as long as it is open.
  private var members: ZipMembers?
  /// The places of the files behind whose data others stand.
  private var followed: Set<Int> = []

  /// Reads the directory, and the first bytes of every file.
  init(_ path: String, _ tally: PlaceTally, isPlace: Bool) throws(PlaceFailure) {
    self.path = path
    var isApp = false
    var officeMarks: Set<String> = []
    var possibleBundles: Set<ExactText> = []
    var withSideFiles = PathHashes()
    let members = try opened { entry in
      isApp = isApp || entry.path == "AndroidManifest.xml"
      if OfficeDocument.isMark(entry.path) { officeMarks.insert(entry.path) }
      let path = Self.path(of: entry)
      if let main = SideFiles.mainPath(of: path) { withSideFiles.insert(main) }
      guard SideFiles.name(of: path) == BundleFiles.manifest else { return }
      possibleBundles.insert(ExactText(SideFiles.folder(of: path)))
    }
    if members.hasRest { tally.note("something else follows the archive") }
    // What an app came with is none of its data.
    guard isPlace || !isApp else {
      tally.count(.appPackage)
      return
    }
    if let count = members.unlistedBytes { tell(ofArchiveBefore: count, tally) }
    // The parts of an office program's document are nothing to be told of.
    let parts = PlaceTally(of: "")
    var isReadable = false
    do throws(FormatError) {
      let mains = try Self.mains(withSideFiles, in: members)
      try members.forEachEntry { entry in
        switch entry.kind {
        case .folder: return
        case .link: parts.count(.link)
        case .file:
          let file = file(entry, of: members)
          isReadable = isReadable || file.failure?.code != .encrypted
          if let mains, let kind = file.kind.counted, let main = SideFiles.mainPath(of: file.path),
            !mains.contains(main)
          {
            return parts.count(kind)
          }
          // What else is in the archive tells more of a database that looks like none.
          if file.mayTurnOutToBeDatabase(withSideFiles)
            || parts.keeps(file, besideBundlesIn: possibleBundles)
          {
            files.append(file)
          }
        }
      }
    } catch {
      throw PlaceFailure(error)
    }
    // Of files that are all encrypted nobody can tell what they are.
    guard files.isEmpty || isReadable else {
      throw PlaceFailure(
        .encrypted, "the archive is encrypted, with a password",
        hint: "unpack it with its password first")
    }
    parts.keepInteresting(&files)
    if files.isEmpty, OfficeDocument.isKnown(by: officeMarks.contains) {
      tally.count(.officeDocument)
    } else {
      tally.add(parts)
    }
  }

  /// Tells that the first bytes are an archive of their own.
  private func tell(ofArchiveBefore count: Int, _ tally: PlaceTally) {
    let words =
      "the first \(count) bytes of the archive are another one, whose files its directory does not "
      + "list; they are not read"
    tally.note(words)
    finding = Finding("bytes-left-over", .warning, message: words)
  }

  /// Which paths beside which side files lie are those of files; nil where there are so few that
  /// those without one may be kept.
  private static func mains(
    _ withSideFiles: PathHashes, in members: ZipMembers
  ) throws(FormatError) -> PathHashes? {
    guard withSideFiles.count > 1000 else { return nil }
    var mains = PathHashes()
    try members.forEachEntry { entry in
      let path = path(of: entry)
      for path in [path, GzipContainer.plainPath(of: path)].compactMap(\.self)
      where withSideFiles.contains(path) {
        mains.insert(path)
      }
    }
    return mains
  }

  private func opened(
    seeing: (ZipEntry) -> Void = { _ in }
  ) throws(PlaceFailure) -> ZipMembers {
    if let members { return members }
    do {
      let opened = try ZipMembers(try positionedFile(path), seeing: seeing)
      members = opened
      return opened
    } catch {
      throw PlaceFailure(error)
    }
  }

  func close() { members = nil }

  private static func path(of entry: ZipEntry) -> String {
    ArchiveName.parts(of: entry.path)?.joined(separator: "/") ?? entry.path
  }

  private func file(_ entry: ZipEntry, of members: ZipMembers) -> ContainedFile {
    var file = ContainedFile(
      path: Self.path(of: entry), kind: .counted(.otherFile), size: entry.size, place: entry.place)
    do throws(FormatError) {
      let stream = try members.open(entry)
      var start: [UInt8] = []
      while start.count < FileKind.prefixSize,
        try stream.read(into: &start, atMost: FileKind.prefixSize - start.count) > 0
      {}
      file.kind = FileKind(startingWith: start)
      file.tellByPlace { _ in false }
    } catch {
      // Nobody knows what it is, so that it is reported rather than counted.
      file.kind = SideFiles.isSideFile(file.path) ? .counted(.sideFile) : .database
      file.failure = PlaceFailure(error)
    }
    return file
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    let members = try opened()
    let (entry, stream) = try open(file, of: members)
    var crc = CRC32()
    let size = try copyOut(to: path, budget) { (buffer) throws(FormatError) in
      let count = try stream.read(into: &buffer)
      crc.update(buffer.span)
      return count
    }
    guard size == entry.size else { throw PlaceFailure(size: size, insteadOf: entry.size) }
    guard crc.value == entry.crc else {
      let (found, expected) = (String(crc.value, radix: 16), String(entry.crc, radix: 16))
      throw PlaceFailure(
        .checksum, "the file's checksum is \(found) in place of \(expected)",
        hint: "copy the archive again")
    }
    if stream.hasTrailingBytes { followed.insert(file.place) }
  }

  func isFollowed(_ file: ContainedFile) -> Bool { followed.contains(file.place) }

  private func open(
    _ file: ContainedFile, of members: ZipMembers
  ) throws(PlaceFailure) -> (ZipEntry, PackedStream) {
    do throws(FormatError) {
      if let entry = try members.entry(at: file.place) {
        return (entry, try members.open(entry))
      }
    } catch {
      throw PlaceFailure(error)
    }
    throw PlaceFailure(.truncated, "the archive has changed", hint: "run again")
  }
}

/// Opens a file that is read from any place.
func positionedFile(_ path: String) throws(FormatError) -> PositionedFile {
  do {
    return try PositionedFile(opening: path)
  } catch {
    throw FormatError(.unreadable(error.kind), at: 0, error.message)
  }
}
