import Bytes
import Formats
package import Records
import SQLite

/// All stores in some places: files, folders, archives and device backups.
///
/// It keeps the archives open, so it has identity.
package final class Shelf {
  /// The stores, place by place, within a place by their paths.
  package private(set) var stores: [ShelvedStore] = []
  /// The places, each with what was seen of it besides its stores.
  package private(set) var places: [(path: String, tally: PlaceTally)] = []
  private let settings: PlaceSettings
  private let budget: CopyBudget
  /// The container of the store that was opened last.
  private var current: (any Container)?
  /// The copies of archives inside of archives.
  private var folders: [PrivateFolder] = []

  /// Goes through the places in their order.
  ///
  /// What is no container is taken for a store, whatever it is: its reader will say.
  package init(
    _ places: [String], _ settings: PlaceSettings
  ) throws(StoreError) {
    self.settings = settings
    budget = CopyBudget(forCopiesIn: settings.temporaryFolder)
    for place in places {
      let tally = PlaceTally()
      self.places.append((place, tally))
      try add(place: place, tally)
    }
    nameDevices()
  }

  /// Makes sure that a store lies on the disk.
  package func open(_ store: ShelvedStore) throws(PlaceFailure) -> StoreOnDisk {
    if let failure = store.failure { throw failure }
    switch store.source {
    case .disk(let path): return StoreOnDisk(path: path)
    case .contained(let container, let file, let sides):
      takeTurn(container)
      if sides.isEmpty, let path = container.diskPath(of: file) { return StoreOnDisk(path: path) }
      let folder = try PrivateFolder(in: settings.temporaryFolder)
      let name = CopyName.make(of: file.path)
      let path = try folder.newFile(name)
      try container.copy(file, to: path, budget)
      for side in sides where side.file.failure == nil {
        try container.copy(side.file, to: try folder.newFile(side.name(beside: name)), budget)
      }
      folder.charge(budget)
      return StoreOnDisk(path: path, folder: folder)
    case .folder(let container, let whole):
      takeTurn(container)
      let folder = try PrivateFolder(in: settings.temporaryFolder)
      for part in whole.parts {
        if let failure = part.file.failure { throw failure }
        try container.copy(part.file, to: try folder.newFile(part.name), budget)
      }
      folder.charge(budget)
      let path = whole.name.isEmpty ? folder.path : Paths.join(folder.path, whole.name)
      return StoreOnDisk(path: path, folder: folder)
    }
  }

  /// Closes the container before, so that of thousands only one is open.
  private func takeTurn(_ container: any Container) {
    if let current, current !== container { current.close() }
    current = container
  }

  /// Throws where no place has a store in it.
  package func expectStores() throws(StoreError) {
    guard stores.isEmpty else { return }
    if let engine = places.lazy.compactMap({ ForeignEngine.first(in: $0.tally) }).first {
      throw StoreError(
        .unsupported, path: places.first?.path, engine.failure.message, hint: engine.failure.hint)
    }
    throw StoreError(
      .notAStore, path: places.first?.path, "no store is in it",
      hint: "see what is there with 'rehome find'")
  }

  // MARK: Places

  private func add(place: String, _ tally: PlaceTally) throws(StoreError) {
    try check()
    let before = stores.count
    do {
      if Paths.isDirectory(place) {
        try addFolder(place, place, depth: 1, tally)
      } else {
        let isContainer = try addContainer(place, named: place, depth: 1, tally, isPlace: true)
        guard !isContainer else { return tellFailure(of: place, tally) }
        let isPart = try addPart(place, tally)
        if !isPart { stores.append(plainStore(place)) }
      }
    } catch {
      // A container that cannot be read at all is a line among the stores.
      if settings.interruption.isRaised { throw StoreError(.interrupted, "stopped by a signal") }
      tally.tell(error)
      if stores.count == before { stores.append(failed(place, error)) }
      return
    }
    tellFailure(of: place, tally)
  }

  /// Makes what is wrong with a place as a whole a line among the stores.
  private func tellFailure(of place: String, _ tally: PlaceTally) {
    if let failure = tally.failures.first { stores.append(failed(place, failure)) }
  }

  /// Adds what a path behind the name of a container means, as the names of stores have it.
  ///
  /// - Returns: false where there is no such container.
  private func addPart(_ place: String, _ tally: PlaceTally) throws(PlaceFailure) -> Bool {
    guard !Paths.exists(place) else { return false }
    for mark in place.indices where place[mark] == "!" {
      let outer = String(place[..<mark])
      guard Paths.exists(outer) else { continue }
      let before = stores.count
      let isThere =
        if Paths.isDirectory(outer) {
          try { () throws(PlaceFailure) in
            try addFolder(outer, outer, depth: 1, tally)
            return true
          }()
        } else { try addContainer(outer, named: outer, depth: 1, tally, isPlace: true) }
      guard isThere else { continue }
      let found = stores[before...].filter { store in
        store.name == place || [place + "/", place + "!"].contains(where: store.name.hasPrefix)
      }
      stores.replaceSubrange(before..., with: found)
      guard found.isEmpty else { return true }
      throw PlaceFailure(
        .fileMissing, "there is no such store in \(outer)",
        hint: "see what is there with 'rehome find \(outer)'")
    }
    return false
  }

  private func check() throws(StoreError) {
    if settings.interruption.isRaised { throw StoreError(.interrupted, "stopped by a signal") }
  }

  private func plainStore(_ path: String) -> ShelvedStore {
    ShelvedStore(
      name: path, container: nil, containerKind: nil, device: nil, bytes: nil, failure: nil,
      findings: [], source: .disk(path))
  }

  private func failed(_ place: String, _ failure: PlaceFailure) -> ShelvedStore {
    ShelvedStore(
      name: place, container: nil, containerKind: nil, device: nil, bytes: nil, failure: failure,
      findings: [], source: .disk(place))
  }

  // MARK: Folders

  private func addFolder(
    _ path: String, _ name: String, depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let folder = try FolderContainer(path, tally) { () throws(PlaceFailure) in
      try checkInterruption()
    }
    if folder.isWhole { return addWhole(folder, path, tally) }
    if folder.backups == [""] {
      return try addBackup(FolderBodies(root: path), name, path, depth: depth, tally)
    }
    var found: [(path: String, add: () throws(PlaceFailure) -> Void)] = []
    for backup in folder.backups {
      found.append(
        (
          backup,
          { [self] () throws(PlaceFailure) in
            let full = folder.full(backup)
            try addBackup(
              FolderBodies(root: full), Paths.join(name, backup), full, depth: depth + 1, tally)
          }
        ))
    }
    for old in folder.oldBackups {
      found.append(
        (
          old,
          { () throws(PlaceFailure) in
            throw PlaceFailure(
              .unsupported, "the backup has the form of iOS 3, which is not read",
              hint: "restore it to a device, and back that up")
          }
        ))
    }
    for place in folder.foreign {
      found.append((place.folder, { () throws(PlaceFailure) in throw place.failure }))
    }
    for whole in folder.wholes {
      found.append(
        (
          whole,
          { [self] () throws(PlaceFailure) in
            stores.append(
              ShelvedStore(
                name: Paths.join(name, whole), container: name, containerKind: "folder",
                device: nil, bytes: nil, failure: nil, findings: [],
                source: .disk(folder.full(whole))))
          }
        ))
    }
    for file in folder.files {
      found.append(
        (
          file.path,
          { [self] () throws(PlaceFailure) in
            try add(file, of: folder, named: name, depth: depth, tally)
          }
        ))
    }
    found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for entry in found {
      try addSafely(Paths.join(name, entry.path), tally, entry.add)
    }
  }

  /// Adds a folder that is a store as a whole, and was named as one; tells of what else lies in it.
  private func addWhole(_ folder: FolderContainer, _ path: String, _ tally: PlaceTally) {
    stores.append(plainStore(path))
    let isAlone = folder.wholes.count == 1 && folder.files.isEmpty && folder.backups.isEmpty
    guard !isAlone else { return }
    tally.note(
      "the folder is taken as one store; other stores or archives lie in it, and to take them, too, "
        + "name the folder around it")
  }

  /// Does a part of the work; what is wrong with it is a line among the stores.
  private func addSafely(
    _ name: String, _ tally: PlaceTally, _ work: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    try checkInterruption()
    do {
      try work()
    } catch {
      try checkInterruption()
      stores.append(failed(name, error))
    }
  }

  private func checkInterruption() throws(PlaceFailure) {
    guard !settings.interruption.isRaised else {
      throw PlaceFailure(.unreadable, "stopped by a signal")
    }
  }

  private func add(
    _ file: ContainedFile, of folder: FolderContainer, named name: String, depth: Int,
    _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let shown = Paths.join(name, file.path)
    if let failure = file.failure { throw failure }
    if file.kind.isContainer {
      let inner = PlaceTally()
      let isOpened = try addContainer(
        folder.full(file.path), named: shown, depth: depth + 1, inner, isPlace: false)
      tally.add(inner)
      if let failure = inner.failures.first { stores.append(failed(shown, failure)) }
      // A packed export is read as it is.
      if isOpened { return }
    }
    stores.append(
      ShelvedStore(
        name: shown, container: name, containerKind: folder.word, device: nil, bytes: file.size,
        failure: nil, findings: [], source: .disk(folder.full(file.path))))
  }

  // MARK: Archives

  /// Opens a file as a container; false where it is none.
  private func addContainer(
    _ path: String, named name: String, depth: Int, _ tally: PlaceTally, isPlace: Bool
  ) throws(PlaceFailure) -> Bool {
    guard Paths.exists(path), !Paths.isSpecial(path),
      let start = try? readPrefix(of: path, count: FileKind.prefixSize)
    else { return false }
    var kind = FileKind(startingWith: start)
    if isPlace, case .counted = kind, Self.endsAsZip(path) { kind = .zip }
    guard kind.isContainer else { return false }
    guard depth <= settings.maxDepth else {
      throw PlaceFailure(
        .limit, "containers are nested more than \(settings.maxDepth) deep",
        hint: "unpack the outer ones, and name the folder")
    }
    guard let container = try container(kind, path, tally, isPlace: isPlace) else { return false }
    defer { container.close() }
    try addContents(of: container, named: name, depth: depth, tally)
    return true
  }

  private static func endsAsZip(_ path: String) -> Bool {
    guard let file = try? positionedFile(path), file.size > 22 else { return false }
    return (try? ZipDirectory(file)) != nil
  }

  private func container(
    _ kind: FileKind, _ path: String, _ tally: PlaceTally, isPlace: Bool
  ) throws(PlaceFailure) -> (any Container)? {
    let folder = settings.temporaryFolder
    switch kind {
    case .zip: return try ZipContainer(path, tally)
    case .tar: return try TarContainer(path, word: "tar", .none, temporaryFolder: folder, tally)
    case .gzip:
      let start = try GzipContainer.start(of: path)
      if TarReader.isArchive(startingWith: start) {
        return try TarContainer(path, word: "tar.gz", .gzip, temporaryFolder: folder, tally)
      }
      // Exports are read packed as they are.
      if isPlace, !FileKind(startingWith: start).isInteresting { return nil }
      if FileKind(startingWith: start) == .document { return nil }
      return GzipContainer(path, named: GzipContainer.memberName(of: path), start)
    case .androidBackup: return try androidBackup(path, tally)
    case .foreign(let what):
      throw PlaceFailure(
        .unsupported, "this is \(what), which is not opened",
        hint: "unpack it, and name the folder")
    case .database, .xmlStore, .document, .counted: return nil
    }
  }

  private func androidBackup(
    _ path: String, _ tally: PlaceTally
  ) throws(PlaceFailure) -> (any Container)? {
    let header: AndroidBackup
    do {
      header = try AndroidBackup(try positionedFile(path))
    } catch {
      throw PlaceFailure(error)
    }
    if header.encryption != nil {
      throw PlaceFailure(
        .encrypted, "the Android backup is encrypted",
        hint: "make it again without a password, or decrypt it, as with 'abe unpack'")
    }
    if header.isEmpty {
      tally.note(
        "the Android backup is empty: nobody agreed on the device, or the app forbids backups")
      return Shelf.EmptyContainer()
    }
    return try TarContainer(
      path, word: "android-backup", header.isPacked ? .zlib : .none, from: header.dataOffset,
      temporaryFolder: settings.temporaryFolder, tally)
  }

  /// Adds the stores of a container, and those of the containers inside.
  private func addContents(
    of container: any Container, named name: String, depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    var rest = container.files
    if !(container is BackupContainer) {
      for prefix in Self.backupFolders(in: container.files) {
        rest.removeAll { $0.path.hasPrefix(prefix) }
        let folder = String(prefix.dropLast())
        let shown = folder.isEmpty ? name : name + "!" + folder
        try addSafely(shown, tally) { () throws(PlaceFailure) in
          let bodies = try ArchivedBodies(
            container, below: prefix, budget, temporaryFolder: settings.temporaryFolder)
          try addBackup(bodies, shown, folder, depth: depth + 1, tally)
        }
      }
    }
    for (number, files) in Self.layers(of: rest).enumerated() {
      let ending = number == 0 ? "" : " (\(number + 1))"
      try add(files, ending, of: container, named: name, depth: depth, tally)
    }
  }

  /// What belongs together where paths come several times: the files whose paths come for the first
  /// time, those whose paths come for the second, and so on.
  private static func layers(of files: [ContainedFile]) -> [[ContainedFile]] {
    var seen: [String: Int] = [:]
    var layers: [[ContainedFile]] = []
    for file in files {
      let number = seen[file.path, default: 0]
      seen[file.path] = number + 1
      if number == layers.count { layers.append([]) }
      layers[number].append(file)
    }
    return layers
  }

  /// Adds the stores among files whose paths differ; the names of the stores take the ending.
  private func add(
    _ files: [ContainedFile], _ ending: String, of container: any Container, named name: String,
    depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let sides = SideFiles(files, bundles: try bundles(among: files, of: container))
    for file in files {
      let whole = sides.whole(of: file)
      guard whole != nil || isOnItsOwn(file, sides, tally) else { continue }
      let path = whole?.path ?? file.path
      let shown = (path.isEmpty ? name : name + "!" + path) + ending
      try addSafely(shown, tally) { () throws(PlaceFailure) in
        if let whole { return try add(whole, file, of: container, container: name, shown) }
        try add(file, of: container, container: name, shown, sides, depth: depth, tally)
      }
    }
  }

  /// Whether a file is a store or a container, and no part of a store; what is neither is counted.
  private func isOnItsOwn(
    _ file: ContainedFile, _ sides: SideFiles, _ tally: PlaceTally
  ) -> Bool {
    if sides.isInBundle(file) { return false }
    guard case .counted(let kind) = file.kind else { return true }
    if !SideFiles.mayBelongToStore(file.path) { tally.count(kind) }
    return false
  }

  /// The bundles in some folders of a container.
  private func bundles(
    among files: [ContainedFile], of container: any Container
  ) throws(PlaceFailure) -> [String: BundleFiles] {
    var bundles: [String: BundleFiles] = [:]
    for file in files where file.isBundleManifest {
      try checkInterruption()
      bundles[SideFiles.folder(of: file.path)] = bundle(of: file, in: container)
    }
    return bundles
  }

  private func bundle(of manifest: ContainedFile, in container: any Container) -> BundleFiles {
    if let path = container.diskPath(of: manifest) { return BundleFiles(manifest: path) }
    do {
      let folder = try PrivateFolder(in: settings.temporaryFolder)
      defer { folder.charge(budget) }
      let path = try folder.newFile("manifest.json")
      try container.copy(manifest, to: path, budget)
      return BundleFiles(manifest: path)
    } catch {
      // What is wrong is told when the bundle is copied.
      return BundleFiles(manifest: nil)
    }
  }

  private func add(
    _ whole: FolderStore, _ first: ContainedFile, of container: any Container,
    container outer: String, _ shown: String
  ) throws(PlaceFailure) {
    if let failure = first.failure { throw failure }
    stores.append(
      ShelvedStore(
        name: shown, container: outer, containerKind: container.word, device: container.device,
        bytes: whole.size, failure: nil, findings: [], source: .folder(container, whole)))
  }

  private func add(
    _ file: ContainedFile, of container: any Container, container outer: String, _ shown: String,
    _ sides: SideFiles, depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    if let failure = file.failure { throw failure }
    if file.kind.isContainer, try addNested(file, of: container, shown, depth: depth, tally) {
      return
    }
    let belonging = sides.belonging(to: file)
    let lost = belonging.filter { $0.file.failure != nil && $0.name(beside: "").hasSuffix("-wal") }
    let findings = lost.map { side in
      Finding(
        "wal-missing", .error,
        message: "the container lists \(side.file.path), but does not have it; what was written "
          + "last is lost")
    }
    stores.append(
      ShelvedStore(
        name: shown, container: outer, containerKind: container.word, device: container.device,
        bytes: file.size, failure: nil, findings: findings,
        source: .contained(container, file, belonging)))
  }

  /// Adds the stores of a container inside of one; false where it is a packed export, which is read
  /// as it is.
  private func addNested(
    _ file: ContainedFile, of container: any Container, _ shown: String, depth: Int,
    _ tally: PlaceTally
  ) throws(PlaceFailure) -> Bool {
    guard depth < settings.maxDepth else {
      throw PlaceFailure(
        .limit, "containers are nested more than \(settings.maxDepth) deep",
        hint: "unpack the outer ones, and name the folder")
    }
    let path: String
    let onDisk = container.diskPath(of: file)
    if let onDisk {
      path = onDisk
    } else {
      let folder = try PrivateFolder(in: settings.temporaryFolder)
      folders.append(folder)
      path = try folder.newFile(String(SideFiles.name(of: file.path)))
      try container.copy(file, to: path, budget)
      folder.charge(budget)
    }
    let inner = PlaceTally()
    let isOpened = try addContainer(path, named: shown, depth: depth + 1, inner, isPlace: false)
    if !isOpened, onDisk == nil { folders.removeLast() }
    tally.add(inner)
    if let failure = inner.failures.first { throw failure }
    return isOpened
  }

  // MARK: Backups

  private func addBackup(
    _ bodies: any BackupBodies, _ name: String, _ folder: String, depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    guard depth <= settings.maxDepth else {
      throw PlaceFailure(.limit, "containers are nested more than \(settings.maxDepth) deep")
    }
    let backup = try BackupContainer(
      bodies, folder: Paths.fileName(of: folder), settings, tally)
    try addContents(of: backup, named: name, depth: depth, tally)
  }

  /// The folders of backups in an archive, each with a slash at its end.
  private static func backupFolders(in files: [ContainedFile]) -> [String] {
    var names: [String: Set<String>] = [:]
    for file in files where BackupFolder.isPart(SideFiles.name(of: file.path)) {
      let name = String(SideFiles.name(of: file.path))
      guard !BackupFolder.isFileID(name[...]) else { continue }
      names[SideFiles.folder(of: file.path), default: []].insert(name)
    }
    // Of the bodies' folders one tells enough.
    for file in files where BackupFolder.isFileID(SideFiles.name(of: file.path)) {
      let folder = SideFiles.folder(of: file.path)
      let parent = SideFiles.folder(of: folder)
      names[parent]?.insert(String(SideFiles.name(of: folder)))
    }
    return names.filter { BackupFolder.isBackup($0.value) { true } }.keys.sorted()
      .map { $0.isEmpty ? "" : $0 + "/" }
  }

  // MARK: Names

  private func nameDevices() {
    if let pattern = settings.devicePattern {
      for place in stores.indices {
        guard let name = pattern.device(in: stores[place].name), !name.isEmpty else { continue }
        stores[place].device = DeviceName(name: name, identifier: stores[place].device?.identifier)
      }
    }
    let nameless = stores.indices.filter {
      stores[$0].device?.shown == nil && stores[$0].failure == nil
    }
    let names = DeviceNames.names(of: nameless.map { stores[$0].name })
    for (place, name) in zip(nameless, names) {
      stores[place].device = name.map { DeviceName(name: $0) }
    }
  }

  fileprivate final class EmptyContainer: Container {
    let word = "android-backup"
    let files: [ContainedFile] = []

    func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {}
  }
}
