import Bytes
import Opening
import Records
import SQLite

/// A file that belongs to a store.
struct SideFile {
  let file: ContainedFile
  /// Where it stands beside the store.
  let place: Place

  /// Where the parts of a store stand.
  enum Place {
    /// Behind the store's name stands an ending.
    case ending(String)
    /// In the folder of what Core Data keeps outside of the store.
    case external
    /// Among the attachments of a store of Couchbase Lite.
    case attachment
    /// Under its own name in the same folder.
    case sameFolder
  }

  func name(beside store: String) -> String {
    let own = SideFiles.name(of: file.path)
    return switch place {
    case .ending(let ending): store + ending
    case .external: "\(SideFiles.externalFolder(beside: store))/\(own)"
    case .attachment: "\(SideFiles.attachmentFolder)/\(own)"
    case .sameFolder: String(own)
    }
  }
}

/// A folder of a container that is a store as a whole.
struct FolderStore {
  /// Where it is inside the container.
  let path: String
  /// Which folder of the copy is the store; empty for all of it.
  let name: String
  let parts: [Part]

  struct Part {
    let file: ContainedFile
    let name: String
  }

  /// How many bytes all files have.
  var size: Int { parts.reduce(0) { $0 + $1.file.size } }
}

/// Which files of a container belong to a store, by their names.
struct SideFiles {
  /// What stands behind the name of a database in those of its side files.
  static let endings = ["-wal", "-journal", "-shm"]

  private let files: [ContainedFile]
  // There may be very many side files, so that these are places among the files.
  /// What is called as a log, a journal or the like of a file, by its path.
  private var logs: [ExactText: Int] = [:]
  private var external: [ExactText: [Int]] = [:]
  private var attachments: [ExactText: [Int]] = [:]
  private var superJournals: [ExactText: [Int]] = [:]
  private var byFolder: [ExactText: [Int]] = [:]
  private var commands: [ExactText: [Int]] = [:]
  private var localIDs: [ExactText: [Int]] = [:]
  /// The databases of Couchbase Lite by what their versions called them: files, or folders.
  private var couchbase: Set<ExactText> = []
  /// What is packed by itself, by its path without the ending of that.
  private var packed: [ExactText: Int] = [:]
  /// The paths of databases.
  private var databases: Set<ExactText> = []
  private let bundles: [ExactText: BundleFiles]

  /// Looks through the files of a container, in which bundles stand in some folders.
  init(_ files: [ContainedFile], bundles: [ExactText: BundleFiles] = [:]) {
    self.files = files
    self.bundles = bundles
    for (place, file) in files.enumerated() {
      let folder = ExactText(Self.folder(of: file.path))
      if isInBundle(file) { byFolder[folder, default: []].append(place) }
      if file.kind == .gzip, let plain = GzipContainer.plainPath(of: file.path) {
        packed[ExactText(plain)] = place
      }
      if file.kind == .database { databases.insert(ExactText(file.path)) }
      if file.path.hasSuffix(".cblite") { couchbase.insert(ExactText(file.path)) }
      if file.path.hasSuffix(".cblite2/db.sqlite3") { couchbase.insert(folder) }
      if file.kind.isInteresting { continue }
      if Self.isCommand(file.path) { commands[folder, default: []].append(place) }
      if Self.isLocalID(file.path) { localIDs[folder, default: []].append(place) }
      if Self.mainPath(of: file.path) != nil { logs[ExactText(file.path)] = place }
      if Self.isAttachment(file.path) { attachments[folder, default: []].append(place) }
      if Self.isExternal(file.path) { external[folder, default: []].append(place) }
      if Self.isSuperJournal(file.path) { superJournals[folder, default: []].append(place) }
    }
  }

  func belonging(to file: ContainedFile) -> [SideFile] {
    var sides: [SideFile] = []
    forEachSide(of: file) { place, standing in
      var side = files[place]
      if side.kind == .gzip { side.failure = PackedLog.failure }
      sides.append(SideFile(file: side, place: standing))
    }
    return sides
  }

  /// Lends the place of each file that belongs to a store, and where that stands beside it.
  private func forEachSide(of file: ContainedFile, _ body: (Int, SideFile.Place) -> Void) {
    var hasJournal = false
    for ending in Self.endings {
      guard let place = logs[ExactText(file.path + ending)] ?? packedLog(ending, of: file) else {
        continue
      }
      hasJournal = hasJournal || files[place].path.hasSuffix("-journal")
      body(place, .ending(ending))
    }
    let name = String(Self.name(of: file.path))
    let folder = Self.folder(of: file.path)
    // What tells beside a journal that a change of several databases is not finished, whichever of
    // them it is called after.
    if hasJournal {
      for place in superJournals[ExactText(folder)] ?? [] { body(place, .sameFolder) }
    }
    // Only a folder that is a database as a whole is surely that of its attachments.
    let own = name == "db.sqlite3" ? [Self.attachmentFolder] : []
    for attached in Self.attachmentFolders(beside: name) + own {
      for place in attachments[ExactText(Self.join(folder, attached))] ?? [] {
        body(place, .attachment)
      }
    }
    let data = ExactText(Self.externalFolder(besideFileAt: file.path))
    for place in external[data] ?? [] { body(place, .external) }
  }

  /// A log that is packed by itself beside a database that is not.
  private func packedLog(_ ending: String, of file: ContainedFile) -> Int? {
    guard !packed.isEmpty, file.kind == .database, PackedLog.endings.contains(ending),
      // What is packed beside a packed database is that one's.
      packed[ExactText(file.path)] == nil
    else { return nil }
    return packed[ExactText(file.path + ending)]
  }

  /// What a person should know of what lies around a store, by the layout that it may turn out to
  /// have.
  func findings(around file: ContainedFile) -> [Layout: Finding] {
    let ofContainer = { (path: String) in ExactText(String(path.dropFirst())) }
    return StoreOpening.findings(
      aroundFileAt: "/" + file.path,
      holding: { folder in
        (commands[ofContainer(folder)] ?? []).map { String(Self.name(of: files[$0].path)) }
      }, isThere: { couchbase.contains(ofContainer($0)) })
  }

  /// What is called as a side file of what is in a packed file, packed by itself as that is or not.
  func packed(beside file: ContainedFile) -> [SideFile] {
    packedPlaces(beside: file).map { SideFile(file: files[$0], place: .ending($1)) }
  }

  private func packedPlaces(beside file: ContainedFile) -> [(Int, ending: String)] {
    guard let plain = GzipContainer.plainPath(of: file.path) else { return [] }
    let packing = String(file.path.suffix(GzipContainer.ending.count))
    let isAlone = !databases.contains(ExactText(plain))
    return Self.endings.compactMap { ending in
      let path = ExactText(plain + ending)
      if let place = packed[path] { return (place, ending + packing) }
      return isAlone ? logs[path].map { ($0, ending) } : nil
    }
  }

  /// The folder in which Core Data keeps what is too large for a store of a name.
  static func externalFolder(beside name: String) -> String {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return ".\(stem)_SUPPORT/_EXTERNAL_DATA"
  }

  /// The path of that folder for the store at a path.
  static func externalFolder(besideFileAt path: String) -> String {
    join(folder(of: path), externalFolder(beside: String(name(of: path))))
  }

  /// The folder beside a queue in files that tells what the server has called objects.
  static let localIDFolder = "LocalId"

  /// The folder for attachments of Couchbase Lite in one that is a database as a whole.
  static let attachmentFolder = "attachments"

  /// The folders in which versions of Couchbase Lite keep the attachments of a file of a name.
  static func attachmentFolders(beside name: String) -> [String] {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return ["\(stem) attachments", "\(stem)/\(attachmentFolder)"]
  }

  /// Whether a file holds an attachment of Couchbase Lite, whatever that is.
  static func isAttachment(_ path: String) -> Bool {
    let name = name(of: path)
    return name.utf8.count == 45 && name.lowercased().hasSuffix(".blob")
      && folder(of: path).hasSuffix(attachmentFolder)
  }

  /// What attachments of Couchbase Lite have beside them where they and their database are encrypted.
  private static let encryptionMark = "_encryption"

  /// Where that may be of a file that is called as such a database; it is of no other.
  static func encryptionMarks(beside path: String) -> [String] {
    let name = String(name(of: path))
    let folders =
      name == "db.sqlite3"
      ? [attachmentFolder] : name.hasSuffix(".cblite") ? attachmentFolders(beside: name) : []
    return folders.map { join(join(folder(of: path), $0), encryptionMark) }
  }

  static func isEncryptionMark(_ path: String) -> Bool { name(of: path) == encryptionMark }

  /// Whether a file of which nothing else is known may be an encrypted database, or tell of one.
  static func mayTellOfEncryption(_ path: String) -> Bool {
    let name = name(of: path)
    return isEncryptionMark(path) || name == "db.sqlite3" || name.hasSuffix(".cblite")
  }

  /// Whether a file is there while a change of several databases is not finished, by its name.
  private static func isSuperJournal(_ path: String) -> Bool {
    SuperJournal.isName(name(of: path).utf8)
  }

  private static func isExternal(_ path: String) -> Bool {
    folder(of: path).hasSuffix("_SUPPORT/_EXTERNAL_DATA")
  }

  /// Whether a file is called as a value that Core Data keeps outside of a store, whatever that is.
  static func isExternalValue(_ path: String) -> Bool {
    isExternal(path) && isUUID(Array(name(of: path).utf8).span)
  }

  /// The folder that a file stands for: a bundle its description, a queue in files its first file.
  func whole(of file: ContainedFile) -> FolderStore? {
    let folder = Self.folder(of: file.path)
    if file.isBundleManifest {
      let parts = parts(byFolder[ExactText(folder)] ?? [])
      return FolderStore(path: folder, name: "", parts: parts)
    }
    guard let queue = commands[ExactText(folder)], hasSameBytes(files[queue[0]].path, file.path)
    else {
      return nil
    }
    // What the server has called objects stands beside.
    let beside = Self.join(Self.folder(of: folder), Self.localIDFolder)
    let named = localIDs[ExactText(beside)] ?? []
    return FolderStore(
      path: folder, name: "commands",
      parts: parts(queue, "commands/") + parts(named, Self.localIDFolder + "/"))
  }

  /// The places of the empty files, among all of a container, that stand where an export has its
  /// description.
  static func emptyManifests(among files: [ContainedFile]) -> [Int] {
    let empty = files.indices.filter { place in
      files[place].kind == .counted(.emptyFile)
        && name(of: files[place].path) == BundleFiles.manifest
    }
    guard !empty.isEmpty else { return [] }
    let paths = Set(files.lazy.map { ExactText($0.path) })
    return empty.filter { place in
      let folder = folder(of: files[place].path)
      return BundleFiles.areThere { paths.contains(ExactText(join(folder, $0))) }
    }
  }

  /// Whether a file belongs to the bundle in its folder.
  func isInBundle(_ file: ContainedFile) -> Bool {
    !bundles.isEmpty && bundles[ExactText(Self.folder(of: file.path))]?.contains(file) == true
  }

  private func parts(_ places: [Int], _ folder: String = "") -> [FolderStore.Part] {
    places.map { FolderStore.Part(file: files[$0], name: folder + Self.name(of: files[$0].path)) }
  }

  /// Whether a file is one of those in which an SDK keeps its queue, as far as its name tells.
  static func isCommand(_ path: String) -> Bool {
    StoreOpening.isPartOfFolderStore(String(name(of: path)))
  }

  /// Whether a file tells what the server has called an object.
  static func isLocalID(_ path: String) -> Bool {
    name(of: path).hasPrefix("local_") && name(of: folder(of: path)) == localIDFolder
  }

  static func mayBelongToStore(_ path: String) -> Bool {
    mayLieBeside(path) || isCommand(path) || isLocalID(path)
  }

  /// Whether a file is called as a side file of a database.
  static func isSideFile(_ path: String) -> Bool {
    mainPath(of: path) != nil || isSuperJournal(path)
  }

  /// The path of the database that a file is a side file of, by its name; nil where it is none.
  static func mainPath(of path: String) -> String? {
    endings.first(where: path.hasSuffix).map { String(path.dropLast($0.count)) }
  }

  /// What the side files of what is no store after all are counted as.
  static func kindsCounted(beside path: String) -> [CountedKind] {
    endings.compactMap { ending in
      // What is not there or cannot be opened shows nothing.
      let file = try? PositionedFile(opening: path + ending, followingLinks: false)
      return file.flatMap { try? FileKind(of: $0) }?.counted
    }
  }

  /// Whether a file may belong to one that is a store with others beside it.
  static func mayLieBeside(_ path: String) -> Bool {
    isSideFile(path) || isAttachment(path) || isExternal(path)
  }

  /// What may lie beside a store by its name, but lies beside none of the files.
  var left: [ContainedFile] {
    var isTaken = [Bool](repeating: false, count: files.count)
    for file in files where file.kind.isInteresting {
      if file.kind == .gzip {
        for (place, _) in packedPlaces(beside: file) { isTaken[place] = true }
      } else {
        forEachSide(of: file) { place, _ in isTaken[place] = true }
      }
    }
    return zip(files, isTaken).compactMap { file, isTaken in
      !isTaken && !file.kind.isInteresting && Self.mayLieBeside(file.path) && !isInBundle(file)
        ? file : nil
    }
  }

  /// The last part of a path inside a container.
  static func name(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] }
      ?? path[...]
  }

  /// What stands before the last part, without the slash.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder + "/" + name
  }
}
