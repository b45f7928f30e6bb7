import Bytes

/// The files of a tar archive as unpacking it would leave them, but for hard links.
///
/// A hard link to a whole store is that store, and not a second one. One that makes up a store
/// together with files of its own, or that is all that is left of its target, is a file.
struct TarListing {
  private struct Entry {
    let file: ContainedFile
    let isLink: Bool
  }

  private var entries: [Entry] = []
  /// Which entry has a path by now.
  private var latest: [ExactText: Int] = [:]

  var isEmpty: Bool { entries.isEmpty }

  /// Adds a file, which takes the place of what has its path.
  mutating func add(_ file: ContainedFile) { add(Entry(file: file, isLink: false)) }

  /// Adds another name of an earlier file; false where there is none, or where it is the same name:
  /// so a file is stored that an archive was given twice.
  mutating func add(_ path: String, linkedTo target: String) -> Bool {
    guard !hasSameBytes(path, target), let place = latest[ExactText(target)] else { return false }
    var file = entries[place].file
    file.path = path
    add(Entry(file: file, isLink: true))
    return true
  }

  private mutating func add(_ entry: Entry) {
    latest[ExactText(entry.file.path)] = entries.count
    entries.append(entry)
  }

  /// The files; what was replaced, and links to what is there, are only counted.
  func files(_ tally: PlaceTally) -> [ContainedFile] {
    var last: [Entry] = []
    var replaced: [Entry] = []
    for (place, entry) in entries.enumerated() {
      if latest[ExactText(entry.file.path)] == place {
        last.append(entry)
      } else {
        replaced.append(entry)
      }
    }
    tell(replaced, tally)
    guard last.contains(where: \.isLink) else { return last.map(\.file) }
    let links = TarListing.Links(last.map(\.file), isLink: last.map(\.isLink))
    return last.indices.compactMap { place in
      if links.isNeeded(place) { return last[place].file }
      tally.count(.link)
      return nil
    }
  }

  /// Counts what was replaced, and tells where stores are among it.
  private func tell(_ replaced: [Entry], _ tally: PlaceTally) {
    for entry in replaced { tally.count(entry.isLink ? .link : .replacedFile) }
    let stores = replaced.filter { !$0.isLink && $0.file.kind.isInteresting }
    guard let first = stores.first else { return }
    let others = stores.count > 1 ? ", and so are \(stores.count - 1) more" : ""
    tally.note(
      "an earlier \(first.file.path) is replaced by a later one, as in unpacking, and not read"
        + others)
  }

  /// Which hard links are more than another name of a whole store.
  private struct Links {
    private let files: [ContainedFile]
    private var isOwn: [Bool]
    private let sides: SideFiles
    /// The own file at each place of the archive.
    private var owners: [Int: ContainedFile] = [:]
    /// The folders that own files describe: bundles, queues of files, and backups.
    private var described: Set<ExactText> = []
    /// The links that belong to a store with a file of its own.
    private var parts: Set<ExactText> = []

    init(_ files: [ContainedFile], isLink: [Bool]) {
      self.files = files
      isOwn = isLink.map { !$0 }
      sides = SideFiles(files)
      for (file, isOwn) in zip(files, isOwn) where isOwn { owners[file.place] = file }
      for (place, file) in files.enumerated() where owners[file.place] == nil {
        // Its target was replaced.
        isOwn[place] = true
        owners[file.place] = file
      }
      for (file, isOwn) in zip(files, isOwn) where isOwn && Self.describesFolder(file) {
        described.insert(ExactText(SideFiles.folder(of: file.path)))
      }
      for (place, file) in files.enumerated() where file.kind.isInteresting {
        guard isOwn[place] || isStoreOfItsOwn(file) else { continue }
        for side in sides.belonging(to: file) { parts.insert(ExactText(side.file.path)) }
      }
    }

    func isNeeded(_ place: Int) -> Bool {
      let file = files[place]
      let folder = SideFiles.folder(of: file.path)
      return isOwn[place] || isStoreOfItsOwn(file) || parts.contains(ExactText(file.path))
        || described.contains(ExactText(folder))
        || described.contains(ExactText(SideFiles.folder(of: folder)))
    }

    /// Whether a link has other side files than the file that it is a link to.
    private func isStoreOfItsOwn(_ link: ContainedFile) -> Bool {
      guard link.kind.isInteresting, let owner = owners[link.place] else { return false }
      return places(of: link) != places(of: owner)
    }

    private func places(of file: ContainedFile) -> Set<Int> {
      Set(sides.belonging(to: file).map(\.file.place))
    }

    private static func describesFolder(_ file: ContainedFile) -> Bool {
      let name = SideFiles.name(of: file.path)
      return file.isBundleManifest || name == BackupFolder.database
        || name == BackupFolder.records || SideFiles.isCommand(file.path)
    }
  }
}
