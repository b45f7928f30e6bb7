import Bytes
import Formats

/// The files of a ZIP archive.
final class ZipContainer: Container {
  let word = "zip"
  private(set) var files: [ContainedFile] = []
  private let path: String
  /// The archive, as long as it is open.
  private var members: ZipMembers?

  /// Reads the directory, and the first bytes of every file.
  init(_ path: String, _ tally: PlaceTally, isPlace: Bool) throws(PlaceFailure) {
    self.path = path
    let members = try opened()
    // What an app came with is none of its data.
    guard isPlace || !members.entries.contains(where: { $0.path == "AndroidManifest.xml" }) else {
      tally.count(.appPackage)
      return
    }
    for (place, entry) in members.entries.enumerated() {
      switch entry.kind {
      case .folder: continue
      case .link: tally.count(.link)
      case .file: files.append(file(entry, place, of: members))
      }
    }
    // Of files that are all encrypted nobody can tell what they are.
    guard files.isEmpty || !files.allSatisfy({ $0.failure?.code == .encrypted }) else {
      throw PlaceFailure(
        .encrypted, "the archive is encrypted, with a password",
        hint: "unpack it with its password first")
    }
    tally.keepInteresting(&files)
  }

  private func opened() throws(PlaceFailure) -> ZipMembers {
    if let members { return members }
    do {
      let opened = try ZipMembers(try positionedFile(path))
      members = opened
      return opened
    } catch {
      throw PlaceFailure(error)
    }
  }

  func close() { members = nil }

  private func file(_ entry: ZipEntry, _ place: Int, of members: ZipMembers) -> ContainedFile {
    let path = ArchiveName.parts(of: entry.path)?.joined(separator: "/") ?? entry.path
    var file = ContainedFile(
      path: path, kind: .counted(.otherFile), size: entry.size, place: place)
    do throws(FormatError) {
      let stream = try members.open(place)
      var start: [UInt8] = []
      while start.count < FileKind.prefixSize,
        try stream.read(into: &start, atMost: FileKind.prefixSize - start.count) > 0
      {}
      file.kind = FileKind(startingWith: start)
    } catch {
      // Nobody knows what it is, so that it is reported rather than counted.
      file.kind = .database
      file.failure = PlaceFailure(error)
    }
    return file
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    let members = try opened()
    guard members.entries.indices.contains(file.place) else {
      throw PlaceFailure(.truncated, "the archive has changed", hint: "run again")
    }
    let entry = members.entries[file.place]
    let stream: PackedStream
    do {
      stream = try members.open(file.place)
    } catch {
      throw PlaceFailure(error)
    }
    var crc = CRC32()
    let size = try copyOut(to: path, budget) { (buffer) throws(FormatError) in
      let count = try stream.read(into: &buffer)
      crc.update(buffer.span)
      return count
    }
    guard size == entry.size else {
      throw PlaceFailure(.truncated, "the file has \(size) bytes in place of \(entry.size)")
    }
    guard crc.value == entry.crc else {
      let (found, expected) = (String(crc.value, radix: 16), String(entry.crc, radix: 16))
      throw PlaceFailure(
        .checksum, "the file's checksum is \(found) in place of \(expected)",
        hint: "copy the archive again")
    }
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
