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
    case external(name: Substring)
    /// Among the attachments of a store of Couchbase Lite.
    case attachment(name: Substring)
    /// Under its own name in the same folder.
    case sameFolder(name: Substring)
  }

  func name(beside store: String) -> String {
    switch place {
    case .ending(let ending): store + ending
    case .external(let name): "\(SideFiles.externalFolder(beside: store))/\(name)"
    case .attachment(let name): "attachments/\(name)"
    case .sameFolder(let name): String(name)
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

  private var byPath: [ExactText: ContainedFile] = [:]
  private var external: [ExactText: [ContainedFile]] = [:]
  private var attachments: [ExactText: [ContainedFile]] = [:]
  private var superJournals: [ExactText: [ContainedFile]] = [:]
  private var byFolder: [ExactText: [ContainedFile]] = [:]
  private var commands: [ExactText: [ContainedFile]] = [:]
  private var localIDs: [ExactText: [ContainedFile]] = [:]
  /// The databases of Couchbase Lite by what their versions called them: files, or folders.
  private var couchbase: Set<ExactText> = []
  /// What is packed by itself, by its path without the ending of that.
  private var packed: [ExactText: ContainedFile] = [:]
  /// The paths of databases.
  private var databases: Set<ExactText> = []
  private let bundles: [ExactText: BundleFiles]

  /// Looks through the files of a container, in which bundles stand in some folders.
  init(_ files: [ContainedFile], bundles: [ExactText: BundleFiles] = [:]) {
    self.bundles = bundles
    for file in files {
      let folder = ExactText(Self.folder(of: file.path))
      if isInBundle(file) { byFolder[folder, default: []].append(file) }
      if file.kind == .gzip, let plain = GzipContainer.plainPath(of: file.path) {
        packed[ExactText(plain)] = file
      }
      if file.kind == .database { databases.insert(ExactText(file.path)) }
      if file.path.hasSuffix(".cblite") { couchbase.insert(ExactText(file.path)) }
      if file.path.hasSuffix(".cblite2/db.sqlite3") { couchbase.insert(folder) }
      if file.kind.isInteresting { continue }
      if Self.isCommand(file.path) { commands[folder, default: []].append(file) }
      if Self.isLocalID(file.path) { localIDs[folder, default: []].append(file) }
      byPath[ExactText(file.path)] = file
      if Self.isAttachment(file.path) { attachments[folder, default: []].append(file) }
      if Self.isExternal(file.path) { external[folder, default: []].append(file) }
      if Self.isSuperJournal(file.path) { superJournals[folder, default: []].append(file) }
    }
  }

  func belonging(to file: ContainedFile) -> [SideFile] {
    let beside = Self.endings.compactMap { ending in
      (byPath[ExactText(file.path + ending)] ?? packedLog(ending, of: file)).map {
        SideFile(file: $0, place: .ending(ending))
      }
    }
    let name = String(Self.name(of: file.path))
    let folder = Self.folder(of: file.path)
    let data = Self.join(folder, Self.externalFolder(beside: name))
    // Only a folder that is a database as a whole is surely that of its attachments.
    let own = name == "db.sqlite3" ? [Self.attachmentFolder] : []
    let attached = (Self.attachmentFolders(beside: name) + own).flatMap {
      attachments[ExactText(Self.join(folder, $0))] ?? []
    }
    return beside + superJournals(of: file, beside)
      + attached.map { SideFile(file: $0, place: .attachment(name: Self.name(of: $0.path))) }
      + (external[ExactText(data)] ?? []).map { data in
        SideFile(file: data, place: .external(name: Self.name(of: data.path)))
      }
  }

  /// What tells beside a journal that a change of several databases is not finished, whichever of
  /// them it is called after.
  private func superJournals(of file: ContainedFile, _ beside: [SideFile]) -> [SideFile] {
    guard !superJournals.isEmpty, beside.contains(where: { $0.file.path.hasSuffix("-journal") })
    else { return [] }
    return (superJournals[ExactText(Self.folder(of: file.path))] ?? []).map {
      SideFile(file: $0, place: .sameFolder(name: Self.name(of: $0.path)))
    }
  }

  /// A log that is packed by itself beside a database that is not.
  private func packedLog(_ ending: String, of file: ContainedFile) -> ContainedFile? {
    guard !packed.isEmpty, file.kind == .database, PackedLog.endings.contains(ending),
      // What is packed beside a packed database is that one's.
      packed[ExactText(file.path)] == nil, var log = packed[ExactText(file.path + ending)]
    else { return nil }
    log.failure = PackedLog.failure
    return log
  }

  /// What a person should know of what lies around a store, by the layout that it may turn out to
  /// have.
  func findings(around file: ContainedFile) -> [Layout: Finding] {
    let ofContainer = { (path: String) in ExactText(String(path.dropFirst())) }
    return StoreOpening.findings(
      aroundFileAt: "/" + file.path,
      holding: { folder in
        (commands[ofContainer(folder)] ?? []).map { String(Self.name(of: $0.path)) }
      }, isThere: { couchbase.contains(ofContainer($0)) })
  }

  /// What is called as a side file of what is in a packed file, packed by itself as that is or not.
  func packed(beside file: ContainedFile) -> [SideFile] {
    guard let plain = GzipContainer.plainPath(of: file.path) else { return [] }
    let packing = String(file.path.suffix(GzipContainer.ending.count))
    let isAlone = !databases.contains(ExactText(plain))
    return Self.endings.compactMap { ending in
      let path = ExactText(plain + ending)
      if let file = packed[path] { return SideFile(file: file, place: .ending(ending + packing)) }
      return isAlone ? byPath[path].map { SideFile(file: $0, place: .ending(ending)) } : nil
    }
  }

  /// The folder in which Core Data keeps what is too large for a store of a name.
  static func externalFolder(beside name: String) -> String {
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    return ".\(stem)_SUPPORT/_EXTERNAL_DATA"
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

  /// The folder that a file stands for: a bundle its description, a queue in files its first file.
  func whole(of file: ContainedFile) -> FolderStore? {
    let folder = Self.folder(of: file.path)
    if file.isBundleManifest {
      let parts = Self.parts(byFolder[ExactText(folder)] ?? [])
      return FolderStore(path: folder, name: "", parts: parts)
    }
    guard let queue = commands[ExactText(folder)], hasSameBytes(queue[0].path, file.path) else {
      return nil
    }
    // What the server has called objects stands beside.
    let beside = Self.join(Self.folder(of: folder), Self.localIDFolder)
    let named = localIDs[ExactText(beside)] ?? []
    return FolderStore(
      path: folder, name: "commands",
      parts: Self.parts(queue, "commands/") + Self.parts(named, Self.localIDFolder + "/"))
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

  private static func parts(
    _ files: [ContainedFile], _ folder: String = ""
  ) -> [FolderStore.Part] {
    files.map { FolderStore.Part(file: $0, name: folder + name(of: $0.path)) }
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

  /// What of these files may lie beside a store by its name, but beside none of them.
  func left(of files: [ContainedFile]) -> [ContainedFile] {
    var taken: Set<ExactText> = []
    for file in files where file.kind.isInteresting {
      let sides = file.kind == .gzip ? packed(beside: file) : belonging(to: file)
      for side in sides { taken.insert(ExactText(side.file.path)) }
    }
    return files.filter { file in
      !file.kind.isInteresting && Self.mayLieBeside(file.path)
        && !taken.contains(ExactText(file.path)) && !isInBundle(file)
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

/// Which files of a folder belong to the bundle in it.
package struct BundleFiles {
  /// The name of the file that describes a bundle.
  package static let manifest = "manifest.json"

  /// The names that its manifest lists; nil where nobody can read it.
  private let names: Set<ExactText>?

  /// The files that the manifest at a path lists; nil where it cannot even be copied.
  init(manifest path: String?) {
    names = path.flatMap(StoreOpening.files(ofManifest:)).map { Set($0.map { ExactText($0) }) }
  }

  /// Whether the files are there that every bundle has beside its description and its tables.
  static func areThere(_ isThere: (String) -> Bool) -> Bool {
    ["csv", "json", "ndjson", "xml"].contains { ending in
      ["operations", "errors", "tokens"].allSatisfy { isThere("\($0).\(ending)") }
    }
  }

  /// Whether a file of a name may be the bundle's; without a manifest any may.
  func mayContain(_ name: String) -> Bool { names?.contains(ExactText(name)) ?? true }

  /// Whether a file is the bundle's; without a manifest, whether it may be no store of its own.
  func contains(_ file: ContainedFile) -> Bool {
    if let names { return names.contains(ExactText(String(SideFiles.name(of: file.path)))) }
    switch file.kind {
    case .document, .counted, .unknown: return true
    default: return false
    }
  }
}

extension ContainedFile {
  /// Whether it describes a bundle of ours, whose other files lie beside it.
  var isBundleManifest: Bool {
    kind == .document && SideFiles.name(of: path) == BundleFiles.manifest
  }
}
