import Bytes
import Formats
import Opening
import Records

/// The stores in archives and device backups, and in those inside of them.
extension Shelf {
  /// Opens a file as a container; false where it is none.
  func addContainer(
    _ path: String, named name: String, in outer: ShelvedStore.Holder?, _ tally: PlaceTally
  ) throws(PlaceFailure) -> Bool {
    let isPlace = outer == nil
    guard Paths.exists(path), !Paths.isSpecial(path),
      let file = try? PositionedFile(opening: path), var kind = try? FileKind(of: file)
    else { return false }
    if isPlace, kind.counted != nil, Self.endsAsZip(file) { kind = .zip }
    guard kind.isContainer else { return false }
    guard mayNest(in: outer) else { throw nestingExcess }
    let own = outer.map { Self.innerPath(name, in: $0.name) } ?? path
    guard let container = try container(kind, path, named: own, tally, isPlace: isPlace) else {
      return false
    }
    defer { container.close() }
    guard isPlace, container is GzipContainer else {
      try addContents(of: container, named: name, in: outer, tally)
      return true
    }
    let (count, inner) = (stores.count, PlaceTally(of: name))
    try addContents(of: container, named: name, in: outer, inner)
    // What is no store after all is read packed as it is.
    guard stores.count > count else { return false }
    tally.add(inner)
    return true
  }

  /// Whether a container may be in this one, or be the place itself.
  private func mayNest(in outer: ShelvedStore.Holder?) -> Bool {
    (outer?.containers.count ?? 0) < settings.maxDepth
  }

  private var nestingExcess: PlaceFailure {
    PlaceFailure(
      .limit, "containers are nested more than \(settings.maxDepth) deep",
      hint: settings.maxDepth < InputLimits.greatestNesting
        ? InputLimit.nesting.hint : "unpack the outer ones, and name the folder")
  }

  /// What a place inside of another one is called there.
  private static func innerPath(_ name: String, in outer: String) -> String {
    let separator = outer.utf8.last == UInt8(ascii: "/") ? 0 : 1
    return String(Substring(name.utf8.dropFirst(outer.utf8.count + separator)))
  }

  /// Whether a file is a ZIP with anything before it, and a comment of any length behind.
  private static func endsAsZip(_ file: PositionedFile) -> Bool {
    file.size > 22 && ZipDirectory.ends(file)
  }

  private func container(
    _ kind: FileKind, _ path: String, named name: String, _ tally: PlaceTally, isPlace: Bool
  ) throws(PlaceFailure) -> (any Container)? {
    let folder = settings.temporaryFolder
    switch kind {
    case .zip: return try ZipContainer(path, tally, isPlace: isPlace)
    case .tar: return try TarContainer(path, word: "tar", .none, temporaryFolder: folder, tally)
    case .gzip:
      let start = try GzipContainer.start(of: path)
      if TarReader.isArchive(startingWith: start) {
        return try TarContainer(path, word: "tar.gz", .gzip, temporaryFolder: folder, tally)
      }
      guard !isPlace || !start.isEmpty else {
        throw PlaceFailure(
          .damaged, "what is packed in it is empty", hint: "copy it again, and see what packed it")
      }
      let inner = FileKind(startingWith: start)
      guard !isReadPacked(path, inner, isPlace: isPlace) else { return nil }
      // The body of a backup is not called as its file.
      let isCalledSo = GzipContainer.plainPath(of: path) != nil
      let member = GzipContainer.memberName(of: path, called: isCalledSo ? path : name)
      return GzipContainer(path, named: member, inner, isPlace: isPlace)
    case .androidBackup: return try androidBackup(path, tally)
    case .foreign(let what):
      throw PlaceFailure(
        .unsupported, "this is \(what), which is not opened",
        hint: "unpack it, and name the folder")
    case .encrypted(let what):
      throw PlaceFailure(
        .encrypted, "this is \(what), with a password",
        hint: "restore it to a device, and back that up without a password")
    case .database, .xmlStore, .document, .counted, .unknown: return nil
    }
  }

  /// Whether what is packed by itself is read as it is: an export, or anything but a store that
  /// somebody names.
  private func isReadPacked(_ path: String, _ inner: FileKind, isPlace: Bool) -> Bool {
    guard isPlace, inner.counted != nil else { return inner == .document }
    return inner != .unknown || StoreOpening.isExport(path)
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
    if let method = header.encryption {
      throw PlaceFailure(
        .encrypted, "the Android backup is encrypted with \(method)",
        hint: "make it again without a password, or decrypt it, as with 'abe unpack'")
    }
    if header.isEmpty {
      tally.note(
        "the Android backup is empty: nobody agreed on the device, or the app forbids backups")
      return Shelf.EmptyContainer()
    }
    if header.hasChunkSizes {
      throw PlaceFailure(
        .damaged, "the size of each piece stands among the data of the Android backup",
        hint: "some devices do so where shared storage is backed up; make it again without that, "
          + "or repair it, as with 'tarfix.pl'")
    }
    return try TarContainer(
      path, word: "android-backup", header.isPacked ? .zlib : .none, from: header.dataOffset,
      temporaryFolder: settings.temporaryFolder, tally)
  }

  /// Adds the stores of a container, and those of the containers inside.
  func addContents(
    of container: any Container, named name: String, in outer: ShelvedStore.Holder?,
    _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let holder = ShelvedStore.Holder(name, container, in: outer)
    for part in try contents(of: container, in: holder, tally).inOrder() {
      try add(part, named: holder.name(of: part.path), in: holder)
    }
  }

  /// The stores of a container, and the containers inside.
  func contents(
    of container: any Container, in holder: ShelvedStore.Holder, _ tally: PlaceTally
  ) throws(PlaceFailure) -> [ContainedPart] {
    var parts: [ContainedPart] = []
    var ofBackups: [String] = []
    if !(container is BackupContainer) {
      for (prefix, form) in Self.backupFolders(in: container.files) {
        if form != .listless { ofBackups.append(prefix) }
        if case .unfinished = form {
          let folder = String(SideFiles.folder(of: String(prefix.dropLast())))
          let inner = PlaceTally(of: holder.name(of: folder))
          inner.note(BackupFolder.remarkOfIncomplete(nil))
          tally.add(inner)
        } else {
          parts.append(backup(below: prefix, form, in: holder, tally))
        }
      }
    }
    // There may be a million files in a backup.
    let rest =
      ofBackups.isEmpty
      ? container.files
      : container.files.filter { file in
        !ofBackups.contains { file.path.utf8.starts(with: $0.utf8) }
      }
    let paths = Set(rest.map { ExactText($0.path) })
    let members = MemberLayers(rest)
    if let remark = members.remark { tally.note(remark) }
    var left: [ContainedFile] = []
    for (number, files) in members.layers.enumerated() {
      let sides = SideFiles(files, bundles: try bundles(among: files, of: container))
      parts += try self.parts(among: files, sides, in: holder, tally) { path in
        Self.name(path, number: number, besides: paths)
      }
      if Self.isPartOfBackup(holder.name) { Self.tellOfLog(among: sides.left, tally) }
      left += sides.left
    }
    for file in left {
      // Of what nobody may look at nobody knows whether it is a store.
      if let failure = file.failure, failure.code == .unreadable, !file.path.hasSuffix("-shm") {
        parts.append(ContainedPart(file.path) { () throws(PlaceFailure) in throw failure })
      } else if let kind = file.kind.counted {
        tally.count(kind)
      }
    }
    if let remark = members.remark(ofSideFilesLeft: left) { tally.note(remark) }
    return parts
  }

  /// The backup in a folder of an archive.
  ///
  /// Its list is read at once: a packed archive that is gone through again brings along what all of its
  /// backups need.
  private func backup(
    below prefix: String, _ form: FormOfBackup, in holder: ShelvedStore.Holder, _ tally: PlaceTally
  ) -> ContainedPart {
    let folder = String(prefix.dropLast())
    let inner = PlaceTally(of: holder.name(of: folder))
    let backup = Result { () throws(PlaceFailure) in
      if form == .tooOld { throw BackupFolder.tooOld }
      let bodies = try ArchivedBodies(
        holder.container, below: prefix, budget, temporaryFolder: settings.temporaryFolder)
      if form == .listless { throw BackupFolder.failureOfMissingList(bodies.count) }
      return try self.backup(bodies, holder.name(of: folder), folder, in: holder, inner)
    }
    return ContainedPart(folder, isContainer: true) { [self] () throws(PlaceFailure) in
      defer { tally.add(inner) }
      try add(try backup.get(), in: holder, inner)
    }
  }

  /// What the file that comes with a path for the second time, or later, is called beside others.
  private static func name(_ path: String, number: Int, besides paths: Set<ExactText>) -> String {
    guard number > 0 else { return path }
    var name = "\(path) (\(number + 1))"
    while paths.contains(ExactText(name)) { name += " (\(number + 1))" }
    return name
  }

  /// The stores and containers among files whose paths differ; `name` makes paths names.
  private func parts(
    among files: [ContainedFile], _ sides: SideFiles, in holder: ShelvedStore.Holder,
    _ tally: PlaceTally, name: (String) -> String
  ) throws(PlaceFailure) -> [ContainedPart] {
    var parts: [ContainedPart] = []
    for file in files {
      let whole = sides.whole(of: file)
      guard whole != nil || isOnItsOwn(file, sides, tally) else { continue }
      let path = name(whole?.path ?? file.path)
      let isContainer = whole == nil && file.kind.isContainer
      parts.append(
        ContainedPart(path, isContainer: isContainer) { [self] () throws(PlaceFailure) in
          let shown = holder.name(of: path)
          if let whole { return try add(whole, file, in: holder, shown) }
          try add(file, in: holder, shown, sides, tally)
        })
    }
    return parts
  }

  /// Whether an archive is called as one of several into which Android's recovery puts one tree.
  private static func isPartOfBackup(_ name: String) -> Bool {
    let ending = SideFiles.name(of: name).suffix(7)
    return ending.hasPrefix(".win") && ending.dropFirst(4).allSatisfy(\.isNumber)
      && ending.count == 7
  }

  /// Tells of a log without its database, which may be in another of those archives.
  private static func tellOfLog(among left: [ContainedFile], _ tally: PlaceTally) {
    guard let log = left.first(where: { !$0.path.hasSuffix("-shm") }) else { return }
    tally.note(
      "\(log.path) is here without its database, which may be in another part of the backup: unpack "
        + "all parts into one folder, and name that")
  }

  /// Whether a file is a store or a container, and no part of a store; what is neither is counted.
  private func isOnItsOwn(
    _ file: ContainedFile, _ sides: SideFiles, _ tally: PlaceTally
  ) -> Bool {
    if sides.isInBundle(file) { return false }
    guard let kind = file.kind.counted else { return true }
    if !SideFiles.mayBelongToStore(file.path) { tally.count(kind, file.path) }
    return false
  }

  /// The bundles in some folders of a container.
  private func bundles(
    among files: [ContainedFile], of container: any Container
  ) throws(PlaceFailure) -> [ExactText: BundleFiles] {
    var bundles: [ExactText: BundleFiles] = [:]
    for file in files where file.isBundleManifest {
      try checkInterruption()
      bundles[ExactText(SideFiles.folder(of: file.path))] = bundle(of: file, in: container)
    }
    return bundles
  }

  private func bundle(of manifest: ContainedFile, in container: any Container) -> BundleFiles {
    if let path = container.diskPath(of: manifest) { return BundleFiles(manifest: path) }
    do {
      let folder = try PrivateFolder(in: settings.temporaryFolder)
      defer { folder.charge(budget) }
      let path = try folder.newFile(BundleFiles.manifest)
      try container.copy(manifest, to: path, budget)
      return BundleFiles(manifest: path)
    } catch {
      // What is wrong is told when the bundle is copied.
      return BundleFiles(manifest: nil)
    }
  }

  private func add(
    _ whole: FolderStore, _ first: ContainedFile, in holder: ShelvedStore.Holder, _ shown: String
  ) throws(PlaceFailure) {
    if let failure = first.failure { throw failure }
    stores.append(
      ShelvedStore(shown, in: holder, bytes: whole.size, .folder(holder.container, whole)))
  }

  private func add(
    _ file: ContainedFile, in holder: ShelvedStore.Holder, _ shown: String, _ sides: SideFiles,
    _ tally: PlaceTally
  ) throws(PlaceFailure) {
    if let failure = file.failure, failure.code != .truncated || file.kind != .database {
      throw failure
    }
    if file.kind.isContainer, try addNested(file, sides, in: holder, shown, tally) { return }
    let store = ShelvedStore(
      shown, in: holder, bytes: file.size, failure: file.failure,
      findingsByLayout: sides.findings(around: file),
      .contained(holder.container, file, sides.belonging(to: file)))
    try append(store, file, tally)
  }

  /// Adds the stores of a container inside of one; false where it is a packed export, which is read
  /// as it is.
  private func addNested(
    _ file: ContainedFile, _ sides: SideFiles, in holder: ShelvedStore.Holder, _ shown: String,
    _ tally: PlaceTally
  ) throws(PlaceFailure) -> Bool {
    guard mayNest(in: holder) else { throw nestingExcess }
    let path: String
    let beside = file.kind == .gzip ? sides.packed(beside: file) : []
    // Side files are found by their names, which those of bodies are not.
    let onDisk = beside.isEmpty ? holder.container.diskPath(of: file) : nil
    if let onDisk {
      path = onDisk
    } else {
      let folder = try PrivateFolder(in: settings.temporaryFolder)
      folders.append(folder)
      let name = Self.copyName(of: file)
      path = try folder.newFile(name)
      try holder.container.copy(file, to: path, budget)
      for side in beside { try copy(side, of: holder.container, beside: name, in: folder) }
      folder.charge(budget)
    }
    let inner = PlaceTally(of: shown)
    let isOpened = try addContainer(path, named: shown, in: holder, inner)
    if !isOpened, onDisk == nil { folders.removeLast() }
    tally.add(inner)
    tellFailures(of: shown, in: holder, inner)
    return isOpened
  }

  /// The most bytes that a name has in most file systems.
  private static let longestName = 255

  /// What the copy of a container is called: as it is itself, with which its side files are found; of a
  /// name that escapes have made too long, the end.
  private static func copyName(of file: ContainedFile) -> String {
    let name = SideFiles.name(of: file.path)
    guard name.utf8.count > longestName else { return String(name) }
    return "_" + String(decoding: name.utf8.suffix(100), as: UTF8.self)
  }

  /// Copies what lies beside a packed file as far as it is there; who reads it tells what is missing.
  private func copy(
    _ side: SideFile, of container: any Container, beside name: String, in folder: PrivateFolder
  ) throws(PlaceFailure) {
    let plain = GzipContainer.plainPath(of: name) ?? name
    let path = try folder.newFile(side.name(beside: plain))
    do {
      try container.copy(side.file, to: path, budget)
    } catch {
      guard error.isOfBytes || error.code == .fileMissing else { throw error.of(side.file) }
    }
  }

  // MARK: Backups

  func addBackup(
    _ bodies: any BackupBodies, _ name: String, _ folder: String, in holder: ShelvedStore.Holder?,
    _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let inner = PlaceTally(of: name)
    defer { tally.add(inner) }
    try add(try backup(bodies, name, folder, in: holder, inner), in: holder, inner)
  }

  /// Reads the list of a backup.
  private func backup(
    _ bodies: any BackupBodies, _ name: String, _ folder: String, in holder: ShelvedStore.Holder?,
    _ tally: PlaceTally
  ) throws(PlaceFailure) -> BackupContainer {
    try checkInterruption()
    guard mayNest(in: holder) else { throw nestingExcess }
    return try BackupContainer(
      bodies, named: name, folder: Paths.fileName(of: folder), settings, tally)
  }

  private func add(
    _ backup: BackupContainer, in holder: ShelvedStore.Holder?, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    try addContents(of: backup, named: backup.name, in: holder, tally)
    tellFailures(of: backup.name, in: holder, tally)
  }

  private enum FormOfBackup {
    case known
    /// That of iOS 3.
    case tooOld
    /// The list of its files is missing, so that these are files like others.
    case listless
    /// A `Snapshot` is there without the backup that it should become.
    case unfinished
  }

  /// The folders of backups in an archive, each with a slash at its end.
  private static func backupFolders(
    in files: [ContainedFile]
  ) -> [(prefix: String, form: FormOfBackup)] {
    var names: [ExactText: Set<String>] = [:]
    var records: Set<ExactText> = []
    for file in files where BackupFolder.isPart(SideFiles.name(of: file.path)) {
      let name = String(SideFiles.name(of: file.path))
      guard !BackupFolder.isFileID(name[...]) else { continue }
      let folder = ExactText(SideFiles.folder(of: file.path))
      names[folder, default: []].insert(name)
      if name == BackupFolder.records, file.kind == .counted(.backupRecords) {
        records.insert(folder)
      }
    }
    // Of the bodies one in each folder tells enough.
    var last: String?
    for file in files where BackupFolder.isFileID(SideFiles.name(of: file.path)) {
      let folder = SideFiles.folder(of: file.path)
      guard folder != last else { continue }
      let (name, own) = (SideFiles.name(of: file.path), String(SideFiles.name(of: folder)))
      if BackupFolder.isBody(name, inFolder: own) {
        names[ExactText(SideFiles.folder(of: folder))]?.insert(own)
        last = folder
      } else if !BackupFolder.isSubfolder(own) {
        last = folder
      }
      names[ExactText(folder)]?.insert(String(name))
    }
    var forms: [ExactText: FormOfBackup] = [:]
    // A folder comes before those in it.
    for folder in names.keys.sorted() {
      // Of a whole backup nothing in `Snapshot` counts.
      let isLeftOver =
        SideFiles.name(of: folder.wrappedValue) == BackupFolder.snapshot
        && ![nil, .listless].contains(forms[ExactText(SideFiles.folder(of: folder.wrappedValue))])
      guard !isLeftOver else { continue }
      let form = form(ofBackupIn: folder, names, hasRecords: records.contains(folder))
      forms[folder] = form
      // That the transfer broke off tells why the list is missing.
      if form == .unfinished { forms[ExactText(SideFiles.folder(of: folder.wrappedValue))] = nil }
    }
    return forms.sorted { $0.key < $1.key }.map { folder, form in
      (folder.wrappedValue.isEmpty ? "" : folder.wrappedValue + "/", form)
    }
  }

  /// The form of the backup in a folder; nil where none is.
  private static func form(
    ofBackupIn folder: ExactText, _ names: [ExactText: Set<String>], hasRecords: Bool
  ) -> FormOfBackup? {
    let own = names[folder] ?? []
    let parent = names[ExactText(SideFiles.folder(of: folder.wrappedValue))] ?? []
    if SideFiles.name(of: folder.wrappedValue) == BackupFolder.snapshot,
      BackupFolder.isUnfinished(parent.union([BackupFolder.snapshot]), inSnapshot: { own })
    {
      return .unfinished
    }
    let isBackup = BackupFolder.isBackup(own) {
      hasRecords
    } holdsBodies: { _ in
      // Only those with some are among the names.
      true
    }
    if isBackup { return .known }
    if BackupFolder.isTooOld(own) { return .tooOld }
    return BackupFolder.lacksList(own, holdsBodies: { _ in true }) ? .listless : nil
  }

  private final class EmptyContainer: Container {
    let word = "android-backup"
    let files: [ContainedFile] = []

    func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {}
  }
}
