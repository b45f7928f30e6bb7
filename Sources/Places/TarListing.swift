import Bytes

/// The files of a tar archive, of which several may have one path, but for hard links.
///
/// A hard link to a whole store is that store, and not a second one. One that makes up a store
/// together with files of its own is a file.
struct TarListing {
  private struct Entry {
    var file: ContainedFile
    let isLink: Bool
    /// The file that it is a link to, where that is of no interest.
    var other: Int?
  }

  private var entries: [Entry] = []
  /// Which entry has had a path last: a link is another name of that.
  private var latest: [ExactText: Int] = [:]
  private var others = OtherFiles()

  var isEmpty: Bool { entries.isEmpty && others.isEmpty }

  /// Adds a file.
  mutating func add(_ file: ContainedFile) {
    guard let kind = file.kindOfNoInterest else { return add(Entry(file: file, isLink: false)) }
    latest[ExactText(file.path)] = nil
    others.add(file, kind)
  }

  /// Adds another name of an earlier file; false where there is none, or where it is the same name:
  /// so a file is stored that an archive was given twice.
  mutating func add(_ path: String, linkedTo target: String) -> Bool {
    guard !hasSameBytes(path, target) else { return false }
    if let other = others.file(target, linkedFrom: path) {
      add(Entry(file: other, isLink: true, other: other.place))
      return true
    }
    guard let place = latest[ExactText(target)] else { return false }
    var entry = entries[place]
    entry.file.path = path
    add(Entry(file: entry.file, isLink: true, other: entry.other))
    return true
  }

  private mutating func add(_ entry: Entry) {
    others.forget(entry.file.path)
    latest[ExactText(entry.file.path)] = entries.count
    entries.append(entry)
  }

  /// The files; links to what is there are only counted.
  func files(_ tally: PlaceTally) -> [ContainedFile] {
    others.tell(tally)
    let files = entries.map(\.file)
    guard entries.contains(where: \.isLink) else { return files }
    let there = entries.contains { $0.other != nil } ? others.places : []
    let links = TarListing.Links(
      files, isLink: entries.map(\.isLink),
      isLinkToOther: entries.map { $0.other.map(there.contains) ?? false })
    return files.indices.compactMap { place in
      if links.isNeeded(place) { return files[place] }
      tally.count(.link)
      return nil
    }
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

    init(_ files: [ContainedFile], isLink: [Bool], isLinkToOther: [Bool]) {
      self.files = files
      isOwn = isLink.map { !$0 }
      sides = SideFiles(files)
      for (file, isOwn) in zip(files, isOwn) where isOwn { owners[file.place] = file }
      for (place, file) in files.enumerated()
      where owners[file.place] == nil && !isLinkToOther[place] {
        // Another file has the path of its target by now.
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

/// The files of an archive that are only counted, of which there may be a million.
///
/// Of a path its hash is kept: that two have the same one is as good as impossible.
private struct OtherFiles {
  private struct Other {
    let kind: UInt8
    let size: Int
    let place: Int
  }

  private var byPath: [Int: Other] = [:]
  private var kinds: [CountedKind] = []
  /// How many files there are of each kind.
  private var counts: [Int] = []

  var isEmpty: Bool { counts.isEmpty }

  /// Where the archive has them.
  var places: Set<Int> { Set(byPath.values.map(\.place)) }

  mutating func add(_ file: ContainedFile, _ kind: CountedKind) {
    let number = kinds.firstIndex(of: kind) ?? kinds.count
    if number == kinds.count {
      kinds.append(kind)
      counts.append(0)
    }
    counts[number] += 1
    let other = Other(kind: UInt8(clamping: number), size: file.size, place: file.place)
    byPath[Self.key(of: file.path)] = other
  }

  /// Forgets what a path meant, which means another file from now on.
  mutating func forget(_ path: String) {
    if !byPath.isEmpty { byPath[Self.key(of: path)] = nil }
  }

  /// Another name of a file; nil where there is none.
  func file(_ target: String, linkedFrom path: String) -> ContainedFile? {
    byPath[Self.key(of: target)].map { other in
      ContainedFile(
        path: path, kind: .counted(kinds[Int(other.kind)]), size: other.size, place: other.place)
    }
  }

  func tell(_ tally: PlaceTally) {
    for (kind, count) in zip(kinds, counts) {
      for _ in 0..<count { tally.count(kind) }
    }
  }

  private static func key(of path: String) -> Int { ExactText(path).hashValue }
}

extension ContainedFile {
  /// What a file is counted as that is no store, and belongs to none whatever comes behind it; nil
  /// for others.
  fileprivate var kindOfNoInterest: CountedKind? {
    var file = self
    if failure == nil { file.tellByPlace() }
    let name = SideFiles.name(of: path)
    guard case .counted(let kind) = file.kind, !SideFiles.mayBelongToStore(path),
      !BackupFolder.isPart(name),
      // A bundle of ours may be described behind its files.
      !["csv", "ndjson", "json", "xml"].contains(where: name.hasSuffix)
    else { return nil }
    return kind
  }
}
