import Bytes
import CoreData
import Opening
import XMLFormat

/// The files below a folder; links are never followed.
final class FolderContainer: Container {
  let word = "folder"
  private(set) var files: [ContainedFile] = []
  /// The backups below the folder, none of whose files are listed.
  private(set) var backups: [String] = []
  /// The folders that are stores as a whole, of whose files only the others are listed.
  private(set) var wholes: [String] = []
  /// The folders that hold backups of a form that is too old.
  private(set) var oldBackups: [String] = []
  /// The folders that cannot be read, or hold databases of other engines of which a person should
  /// know.
  private(set) var failures: [(folder: String, failure: PlaceFailure)] = []
  /// The names that are not UTF-8, with the folders that have them.
  private(set) var unspelled: [(folder: String, names: [[UInt8]])] = []
  /// The folders of devices of the simulator, with what these are called.
  private var devices: [ExactText: DeviceName] = [:]
  private let root: String

  /// Whether the folder itself is a store as a whole.
  var isWhole: Bool { wholes.first == "" }

  /// Walks through a folder, in the order of names.
  init(
    _ root: String, _ tally: PlaceTally, check: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    self.root = root
    try walk("", depth: 0, tally, check)
    countSideFiles(tally)
  }

  static let deepest = 512
  static let tooDeep = PlaceFailure(.limit, "folders are nested more than \(deepest) deep")

  private func walk(
    _ folder: String, depth: Int, _ tally: PlaceTally, _ check: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    try check()
    let names: [String]
    var others: [[UInt8]] = []
    do {
      names = try fileNames(
        inFolder: full(folder), limit: 10_000_000, tellingOfOthers: { others.append($0) })
    } catch {
      // One folder that may not be entered keeps nobody from the others.
      return tell(PlaceFailure(error), of: folder)
    }
    let all = Set(names)
    guard !takeBackup(folder, all) else { return tally.count(.unnamedFile, times: others.count) }
    if !others.isEmpty { unspelled.append((folder, others)) }
    if names.contains(Self.deviceList), names.contains("data") { takeDevice(folder) }
    let isUnfinished = takeUnfinishedBackup(folder, all, tally)
    if !isUnfinished { tellOfMissingList(folder, all) }
    let isPart = takeWhole(folder, all)
    if let engine = ForeignEngine(all) {
      tally.count(engine.databases)
      if engine.isRare { failures.append((folder, engine.failure)) }
    }
    for name in names where !isUnfinished || name != BackupFolder.snapshot {
      let path = folder.isEmpty ? name : folder + "/" + name
      let kind: Paths.Kind?
      do {
        kind = try Paths.entry(at: full(path))
      } catch {
        // Whoever is not allowed to look at one is not at any.
        guard error.code != .notPermitted else { return tell(PlaceFailure(error), of: folder) }
        tell(PlaceFailure(error), of: path)
        continue
      }
      switch kind {
      case .folder:
        guard depth < Self.deepest else {
          tell(Self.tooDeep, of: path)
          continue
        }
        try walk(path, depth: depth + 1, tally, check)
      case .file: take(path, beside: all, unless: isPart, tally)
      case .link: tally.count(.link)
      case .special: tally.count(.specialFile)
      case nil: break
      }
    }
  }

  /// Tells what is wrong with a folder, unless it is one inside of the store that was named.
  private func tell(_ failure: PlaceFailure, of folder: String) {
    if !isWhole { failures.append((folder, failure)) }
  }

  /// Leaves out the side files, which their stores take with them, and counts those without a store;
  /// of one that cannot be read nobody knows whether it is a store.
  private func countSideFiles(_ tally: PlaceTally) {
    files.tellValuesOutside()
    var strangers: [ContainedFile] = []
    for file in SideFiles(files).left {
      if file.failure != nil, !file.path.hasSuffix("-shm") {
        strangers.append(file)
      } else if let kind = file.kind.counted {
        tally.count(kind)
      }
    }
    files.removeAll { !$0.kind.isInteresting }
    files += strangers
  }

  private func takeBackup(_ folder: String, _ names: Set<String>) -> Bool {
    let isBackup = BackupFolder.isBackup(names) {
      let path = Paths.join(full(folder), BackupFolder.records)
      return (try? readPrefix(of: path, count: 6)) == BackupFolder.recordsMark
    } holdsBodies: { name in
      holdsBodies(name, in: folder)
    }
    if isBackup {
      backups.append(folder)
    } else if BackupFolder.isTooOld(names) {
      oldBackups.append(folder)
    } else {
      return false
    }
    return true
  }

  private func holdsBodies(_ name: String, in folder: String) -> Bool {
    // A folder that may not be entered is reported when it is walked through.
    let bodies = try? fileNames(inFolder: Paths.join(full(folder), name), limit: 10_000_000)
    return bodies?.contains { BackupFolder.isBody($0[...], inFolder: name) } ?? false
  }

  /// Tells of a transfer that broke off, of which nothing in `Snapshot` counts; false where none is.
  private func takeUnfinishedBackup(
    _ folder: String, _ names: Set<String>, _ tally: PlaceTally
  ) -> Bool {
    let isUnfinished = BackupFolder.isUnfinished(names) {
      // What may not be entered is reported when it is walked through.
      let snapshot = Paths.join(full(folder), BackupFolder.snapshot)
      return Set((try? fileNames(inFolder: snapshot, limit: 10_000_000)) ?? [])
    }
    guard isUnfinished else { return false }
    let inner = PlaceTally(of: full(folder))
    inner.note(BackupFolder.remarkOfIncomplete(nil))
    tally.add(inner)
    return true
  }

  /// Tells of a backup whose list of files is missing, so that its bodies are files like others.
  private func tellOfMissingList(_ folder: String, _ names: Set<String>) {
    guard BackupFolder.lacksList(names, holdsBodies: { holdsBodies($0, in: folder) }) else {
      return
    }
    tell(BackupFolder.failureOfMissingList(FolderBodies(root: full(folder)).count), of: folder)
  }

  /// What describes a device of the simulator in its folder.
  private static let deviceList = "device.plist"

  private func takeDevice(_ folder: String) {
    let path = Paths.join(full(folder), Self.deviceList)
    guard let bytes = try? readFile(path, limit: 1 << 20, followingLinks: false),
      let list = XMLPropertyList.small(bytes), let name = list["name"]?.string, !name.isEmpty
    else { return }
    devices[ExactText(folder)] = DeviceName(name: name, identifier: list["UDID"]?.string)
  }

  /// The device of the simulator in whose folder a path lies.
  func device(of path: String) -> DeviceName? {
    guard !devices.isEmpty else { return nil }
    var folder = path
    while !folder.isEmpty {
      folder = SideFiles.folder(of: folder)
      if let device = devices[ExactText(folder)] { return device }
    }
    return nil
  }

  /// Takes a folder that is a store as a whole, beside whose files others may lie.
  ///
  /// - Returns: which files are the store's.
  private func takeWhole(
    _ folder: String, _ names: Set<String>
  ) -> (ContainedFile) -> Bool {
    if StoreOpening.isStore(inFolder: full(folder), holding: names) {
      wholes.append(folder)
      return { StoreOpening.isPartOfFolderStore(String(SideFiles.name(of: $0.path))) }
    }
    guard isBundle(folder, names) else { return { _ in false } }
    wholes.append(folder)
    return BundleFiles(manifest: Paths.join(full(folder), BundleFiles.manifest)).contains
  }

  /// Whether a folder is an export; one that is named is, too, if its description is no plain file.
  private func isBundle(_ folder: String, _ names: Set<String>) -> Bool {
    let name = BundleFiles.manifest
    if folder.isEmpty, let kind = Paths.kind(of: Paths.join(root, name)), kind != .file {
      return true
    }
    guard names.contains(name) else { return false }
    return switch kind(of: name, in: folder) {
    case .document: true
    case .counted(.emptyFile): BundleFiles.areThere(names.contains)
    default: false
    }
  }

  private func kind(of name: String, in folder: String) -> FileKind? {
    (try? readPrefix(of: Paths.join(full(folder), name), count: FileKind.prefixSize)).map {
      FileKind(startingWith: $0)
    }
  }

  private func take(
    _ path: String, beside names: Set<String>, unless isPart: (ContainedFile) -> Bool,
    _ tally: PlaceTally
  ) {
    var file = ContainedFile(path: path, kind: .database, size: 0, place: 0)
    do {
      let content = try PositionedFile(opening: full(path))
      file.size = content.size
      file.kind = try FileKind(of: content)
      file.path = full(path)
      file.tellByPlace(Paths.exists)
      file.takeIfLost(isCalledDatabase: tally.isCalledDatabase(path)) {
        names.contains("\(SideFiles.name(of: path))\($0)")
      }
      file.path = path
    } catch {
      file.failure = PlaceFailure(error)
      // By its name it is a store's, whose reader says whether it needs it.
      if SideFiles.isSideFile(path) { file.kind = .other }
    }
    if isPart(file) { return }
    // Of attachments and the like there may be very many.
    if let kind = file.kind.counted, !SideFiles.isSideFile(path) {
      return tally.count(kind, path)
    }
    files.append(file)
  }

  func full(_ path: String) -> String { path.isEmpty ? root : Paths.join(root, path) }

  func diskPath(of file: ContainedFile) -> String? { full(file.path) }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    throw PlaceFailure(.unreadable, "a file in a folder needs no copy")
  }
}
