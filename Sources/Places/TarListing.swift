import Bytes

/// The files of a tar archive as unpacking it would leave them, but for hard links.
///
/// A hard link to a whole store is that store, and not a second one. One that makes up a store
/// together with files of its own, or that is all that is left of its target, is a file.
struct TarListing {
  private struct Entry {
    var file: ContainedFile
    let isLink: Bool
    /// When it was changed.
    let time: Double
    /// The place of the file that it is a link to, where that is of no interest.
    var other: Int?
    /// The entry whose path it takes.
    var before: Int?
  }

  private var entries: [Entry] = []
  /// Which entry has a path by now.
  private var latest: [ExactText: Int] = [:]
  private var others = OtherFiles()
  /// Where the archive has the file in whose data it ends.
  var brokenPlace: Int?

  var isEmpty: Bool { entries.isEmpty && others.isEmpty }

  /// Adds a file, which takes the place of what has its path.
  mutating func add(_ file: ContainedFile, time: Double) {
    var other = file
    if file.failure == nil { other.tellByPlace { _ in false } }
    guard other.isOfNoInterest else { return add(Entry(file: file, isLink: false, time: time)) }
    latest[ExactText(file.path)] = nil
    others.add(other)
  }

  /// Adds another name of an earlier file; false where there is none, or where it is the same name:
  /// so a file is stored that an archive was given twice.
  mutating func add(_ path: String, linkedTo target: String, time: Double) -> Bool {
    guard !hasSameBytes(path, target) else { return false }
    if let other = others.file(target, linkedFrom: path) {
      add(Entry(file: other, isLink: true, time: time, other: other.place))
      return true
    }
    guard let place = latest[ExactText(target)] else { return false }
    var entry = entries[place]
    entry.file.path = path
    add(Entry(file: entry.file, isLink: true, time: time, other: entry.other))
    return true
  }

  private mutating func add(_ entry: Entry) {
    others.replace(entry.file.path)
    var entry = entry
    let path = ExactText(entry.file.path)
    entry.before = latest.updateValue(entries.count, forKey: path)
    entries.append(entry)
  }

  /// The files; what was replaced, and links to what is there, are only counted.
  mutating func files(_ tally: PlaceTally) -> [ContainedFile] {
    takeOthersWithSideFiles()
    let replaced = takeReplaced()
    tell(replaced, tally)
    others.tell(tally)
    let last = entries
    guard last.contains(where: \.isLink) else { return last.map(\.file) }
    let there = last.contains { $0.other != nil } ? others.places : []
    let links = TarListing.Links(
      last.map(\.file), isLink: last.map(\.isLink),
      isLinkToOther: last.map { $0.other.map(there.contains) ?? false })
    return last.indices.compactMap { place in
      if links.isNeeded(place) { return last[place].file }
      tally.count(.link)
      return nil
    }
  }

  /// Takes out the entries that others replace.
  private mutating func takeReplaced() -> [Entry] {
    // There may be a million, of which most archives have each once.
    guard latest.count < entries.count else { return [] }
    let isLeft = whatIsLeft()
    let replaced = entries.indices.filter { !isLeft[$0] }.map { entries[$0] }
    entries = entries.indices.filter { isLeft[$0] }.map { entries[$0] }
    return replaced
  }

  /// Which entries nothing replaces.
  ///
  /// A log goes with the file that it came with, though nothing has its name: laid over a later copy
  /// of that it would take back what was written since. Where a copy is cut, the one before it stays.
  private func whatIsLeft() -> [Bool] {
    let inFront = logsInFrontOfTheirFiles()
    let layers = MemberLayers.numbers(of: entries.map(\.file), without: inFront)
    var isLeft = entries.map { _ in false }
    // The layers of what is left beside the last copy.
    var earlier: [ExactText: Set<Int>] = [:]
    for (path, last) in latest {
      isLeft[last] = true
      var place = last
      while isBroken(entries[place]), let before = entries[place].before {
        isLeft[before] = true
        earlier[path, default: []].insert(layers[before])
        place = before
      }
    }
    for (place, entry) in entries.enumerated() {
      guard let main = SideFiles.mainPath(of: entry.file.path).map({ ExactText($0) }),
        let last = latest[main]
      else { continue }
      isLeft[place] =
        inFront.contains(place)
        ? !isBroken(entries[last])
        : layers[place] == layers[last] || earlier[main]?.contains(layers[place]) == true
    }
    return isLeft
  }

  /// The logs that stand in front of the last copy of their file, and belong to it.
  private func logsInFrontOfTheirFiles() -> Set<Int> {
    Set(
      latest.keys.compactMap { path in
        SideFiles.mainPath(of: path.wrappedValue).flatMap { logInFront(called: path, of: $0) }
      })
  }

  /// The last log of a name, where it stands in front of the last copy of its file and belongs to it.
  ///
  /// The log of a database that is open is written after it, and a database that is closed after its old
  /// log. Where the times are one, the log is that of the copy before unless that has another one.
  private func logInFront(called path: ExactText, of main: String) -> Int? {
    guard let log = latest[path], let file = latest[ExactText(main)], log < file,
      let copyBefore = entries[file].before
    else { return nil }
    let isSecond = entries[log].before.map { $0 > copyBefore } ?? false
    // Of the copy before there is nothing left otherwise, where this one is cut.
    guard isSecond || !isBroken(entries[file]) else { return nil }
    let (written, closed) = (entries[log].time, entries[file].time)
    return written > closed || isSecond && written == closed ? log : nil
  }

  private func isBroken(_ entry: Entry) -> Bool {
    if let failure = entry.file.failure { return failure.code != .limit }
    return !entry.isLink && entry.file.place == brokenPlace
  }

  /// Takes the files of no interest beside which others are called as their side files: those may be
  /// damaged or encrypted databases.
  private mutating func takeOthersWithSideFiles() {
    for side in latest.keys {
      guard let main = SideFiles.mainPath(of: side.wrappedValue), let file = others.take(main)
      else { continue }
      latest[ExactText(main)] = entries.count
      entries.append(Entry(file: file, isLink: false, time: 0))
    }
  }

  /// Counts what was replaced, and tells where stores are among it.
  private func tell(_ replaced: [Entry], _ tally: PlaceTally) {
    for entry in replaced { tally.count(entry.isLink ? .link : .replacedFile) }
    let stores = replaced.filter { !$0.isLink && $0.file.kind.isInteresting }
    guard let first = stores.first else { return }
    let path = ExactText(first.file.path)
    let isLogged = replaced.contains {
      SideFiles.mainPath(of: $0.file.path).map { ExactText($0) } == path
    }
    let others =
      stores.count > 1
      ? ", and \(stores.count - 1) more \(stores.count == 2 ? "is" : "are") so" : ""
    tally.note(
      "an earlier \(first.file.path) is replaced by a later one, as in unpacking, and not read"
        + (isLogged ? ", nor is what came beside it" : "") + others)
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

    init(_ listed: [ContainedFile], isLink: [Bool], isLinkToOther: [Bool]) {
      var files = listed
      files.tellValuesOutside()
      self.files = files
      isOwn = isLink.map { !$0 }
      sides = SideFiles(files)
      for (file, isOwn) in zip(files, isOwn) where isOwn { owners[file.place] = file }
      for (place, file) in files.enumerated()
      where owners[file.place] == nil && !isLinkToOther[place] {
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

    /// Whether a link has side files of its own, which the file that it names has not.
    ///
    /// With fewer it is the same store once more, and not all of it.
    private func isStoreOfItsOwn(_ link: ContainedFile) -> Bool {
      guard link.kind.isInteresting, let owner = owners[link.place] else { return false }
      return !places(of: link).isSubset(of: places(of: owner))
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
/// Of a path its hash is kept, as in `PathHashes`.
private struct OtherFiles {
  private struct Other {
    let kind: UInt8
    let size: Int
    let place: Int
  }

  private var byPath: [Int: Other] = [:]
  private var kinds: [FileKind] = []
  private var replaced = 0

  var isEmpty: Bool { byPath.isEmpty }

  /// Where the archive has them.
  var places: Set<Int> { Set(byPath.values.map(\.place)) }

  mutating func add(_ file: ContainedFile) {
    let number = kinds.firstIndex(of: file.kind) ?? kinds.count
    if number == kinds.count { kinds.append(file.kind) }
    let other = Other(kind: UInt8(clamping: number), size: file.size, place: file.place)
    if byPath.updateValue(other, forKey: Self.key(of: file.path)) != nil { replaced += 1 }
  }

  /// Forgets the file with a path, whose place another one takes.
  mutating func replace(_ path: String) {
    if !byPath.isEmpty, byPath.removeValue(forKey: Self.key(of: path)) != nil { replaced += 1 }
  }

  /// Takes out the file with a path; nil where there is none.
  mutating func take(_ path: String) -> ContainedFile? {
    defer { byPath[Self.key(of: path)] = nil }
    return file(path, linkedFrom: path)
  }

  /// Another name of a file; nil where there is none.
  func file(_ target: String, linkedFrom path: String) -> ContainedFile? {
    byPath[Self.key(of: target)].map { other in
      ContainedFile(
        path: path, kind: kinds[Int(other.kind)], size: other.size, place: other.place)
    }
  }

  func tell(_ tally: PlaceTally) {
    for other in byPath.values { tally.count(kinds[Int(other.kind)].counted ?? .otherFile) }
    for _ in 0..<replaced { tally.count(.replacedFile) }
  }

  private static func key(of path: String) -> Int { PathHashes.hash(of: path) }
}

extension ContainedFile {
  /// Whether a file is no store, and by itself belongs to none whatever comes behind it.
  fileprivate var isOfNoInterest: Bool {
    let name = SideFiles.name(of: path)
    return !kind.isInteresting && !SideFiles.mayBelongToStore(path)
      && !SideFiles.mayTellOfEncryption(path) && !isCalledDatabase && !BackupFolder.isPart(name)
      // A bundle of ours may be described behind its files.
      && !["csv", "ndjson", "json", "xml"].contains(where: name.hasSuffix)
  }
}
