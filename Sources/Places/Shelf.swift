import Bytes
package import Records
import SQLite

/// All stores in some places: files, folders, archives and device backups.
///
/// It keeps the archives open, so it has identity.
package final class Shelf {
  /// The stores, place by place, within a place by their paths.
  package internal(set) var stores: [ShelvedStore] = []
  /// The places, each with what was seen of it besides its stores.
  package private(set) var places: [(path: String, tally: PlaceTally)] = []
  let settings: PlaceSettings
  let budget: CopyBudget
  /// The container of the store that was opened last.
  private var current: (any Container)?
  /// The copies of archives inside of archives.
  var folders: [PrivateFolder] = []

  /// Goes through the places in their order; `file` tells which file a place stands for.
  ///
  /// What is no container is taken for a store, whatever it is: its reader will say.
  package init(
    _ places: [String], _ settings: PlaceSettings,
    file: (String) throws(StoreError) -> String = { $0 }
  ) throws(StoreError) {
    self.settings = settings
    budget = CopyBudget(forCopiesIn: settings.temporaryFolder)
    for place in places {
      let tally = PlaceTally(of: place)
      self.places.append((place, tally))
      try check()
      try add(try file(place), place: place, tally)
    }
    nameDevices()
  }

  /// Makes sure that a store lies on the disk; whoever wants a copy of what a container has gets one
  /// also where its file could be read in place.
  package func open(
    _ store: ShelvedStore, copying: Bool = false
  ) throws(PlaceFailure) -> StoreOnDisk {
    if let failure = store.failure { throw failure }
    switch store.source {
    case .disk(let path): return StoreOnDisk(path: path)
    case .contained(let container, let file, let sides):
      takeTurn(container)
      if sides.isEmpty, !copying, let path = container.diskPath(of: file) {
        return StoreOnDisk(path: path)
      }
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

  private func add(
    _ path: String, place: String, _ tally: PlaceTally
  ) throws(StoreError) {
    let before = stores.count
    do {
      if Paths.isDirectory(path) {
        try addFolder(path, place, depth: 1, tally)
      } else {
        let isContainer = try addContainer(path, named: place, in: nil, depth: 1, tally)
        guard !isContainer else { return tellFailures(of: place, in: nil, tally) }
        let isPart = try addPart(place, tally)
        if !isPart { stores.append(ShelvedStore(place, in: nil, .disk(place))) }
      }
    } catch {
      // A container that cannot be read at all is a line among the stores.
      if settings.interruption.isRaised { throw StoreError(.interrupted, "stopped by a signal") }
      tally.tell(error)
      if stores.count == before { tell(error, of: place, in: nil) }
      return
    }
    tellFailures(of: place, in: nil, tally)
  }

  /// Makes what is wrong with a place or a container as a whole lines among the stores.
  func tellFailures(of name: String, in holder: ShelvedStore.Holder?, _ tally: PlaceTally) {
    stores += Self.failures(of: name, in: holder, tally)
  }

  private static func failures(
    of name: String, in holder: ShelvedStore.Holder?, _ tally: PlaceTally
  ) -> [ShelvedStore] {
    tally.failures.map {
      ShelvedStore(name, in: holder, failure: $0, isContainer: true, .disk(name))
    }
  }

  private func tell(_ failure: PlaceFailure, of name: String, in holder: ShelvedStore.Holder?) {
    stores.append(ShelvedStore(name, in: holder, failure: failure, .disk(name)))
  }

  /// Adds what a path behind the name of a container means, as the names of stores have it.
  ///
  /// - Returns: false where there is no such container.
  private func addPart(_ place: String, _ tally: PlaceTally) throws(PlaceFailure) -> Bool {
    guard !Paths.exists(place) else { return false }
    var failure: PlaceFailure?
    for mark in place.indices where place[mark] == "!" {
      let outer = String(place[..<mark])
      guard Paths.exists(outer) else { continue }
      do {
        if try addPart(place, of: outer, tally) { return true }
      } catch {
        // The name of the container may have a mark in it, too.
        try checkInterruption()
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return false
  }

  /// Adds what a path means inside of a container; false where that is none.
  private func addPart(
    _ place: String, of outer: String, _ tally: PlaceTally
  ) throws(PlaceFailure) -> Bool {
    let before = stores.count
    let inner = PlaceTally(of: outer)
    var found: [ShelvedStore] = []
    defer { stores.replaceSubrange(before..., with: found) }
    if Paths.isDirectory(outer) {
      try addFolder(outer, outer, depth: 1, inner)
    } else {
      let isThere = try addContainer(outer, named: outer, in: nil, depth: 1, inner)
      guard isThere else { return false }
    }
    // What is wrong with a container on the way to the store is told, too.
    found = stores[before...].filter { store in
      hasSameBytes(store.name, place) || Self.isInside(store.name, of: place)
        || store.failure != nil && Self.isInside(place, of: store.name)
    }
    guard found.allSatisfy({ $0.failure != nil && !hasSameBytes($0.name, place) }) else {
      tally.add(inner)
      found += Self.failures(of: outer, in: nil, inner)
      return true
    }
    throw inner.failures.first
      ?? PlaceFailure(
        .fileMissing, "there is no such store in \(outer)",
        hint: "see what is there with 'rehome find \(outer)'")
  }

  private static func isInside(_ name: String, of outer: String) -> Bool {
    ["/", "!"].contains { name.utf8.starts(with: (outer + $0).utf8) }
  }

  private func check() throws(StoreError) {
    if settings.interruption.isRaised { throw StoreError(.interrupted, "stopped by a signal") }
  }

  // MARK: Folders

  private func addFolder(
    _ path: String, _ name: String, depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let folder = try FolderContainer(path, tally) { () throws(PlaceFailure) in
      try checkInterruption()
    }
    if folder.isWhole { return addWhole(folder, path, tally) }
    let holder = ShelvedStore.Holder(name, folder, in: nil)
    if folder.backups == [""] {
      return try addBackup(FolderBodies(root: path), name, path, in: nil, depth: depth, tally)
    }
    var found: [(path: String, add: () throws(PlaceFailure) -> Void)] = []
    for backup in folder.backups {
      found.append(
        (
          backup,
          { [self] () throws(PlaceFailure) in
            let full = folder.full(backup)
            try addBackup(
              FolderBodies(root: full), Paths.join(name, backup), full, in: holder,
              depth: depth + 1, tally)
          }
        ))
    }
    for old in folder.oldBackups {
      found.append(
        (
          old,
          { () throws(PlaceFailure) in throw BackupFolder.tooOld }
        ))
    }
    for place in folder.failures {
      found.append((place.folder, { () throws(PlaceFailure) in throw place.failure }))
    }
    for whole in folder.wholes {
      found.append(
        (
          whole,
          { [self] () throws(PlaceFailure) in
            stores.append(
              ShelvedStore(Paths.join(name, whole), in: holder, .disk(folder.full(whole))))
          }
        ))
    }
    for file in folder.files {
      found.append(
        (
          file.path,
          { [self] () throws(PlaceFailure) in
            try add(file, of: folder, in: holder, depth: depth, tally)
          }
        ))
    }
    found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    for entry in found {
      let shown = entry.path.isEmpty ? name : Paths.join(name, entry.path)
      let before = stores.count
      try addSafely(shown, in: entry.path.isEmpty ? nil : holder, entry.add)
      guard let device = folder.device(of: entry.path) else { continue }
      for place in stores.indices[before...] where stores[place].device?.shown == nil {
        stores[place].device = device
      }
    }
  }

  /// Adds a folder that is a store as a whole, and was named as one; tells of what else lies in it.
  private func addWhole(_ folder: FolderContainer, _ path: String, _ tally: PlaceTally) {
    stores.append(ShelvedStore(path, in: nil, .disk(path)))
    let isAlone = folder.wholes.count == 1 && folder.files.isEmpty && folder.backups.isEmpty
    guard !isAlone else { return }
    tally.note(
      "the folder is taken as one store; other stores or archives lie in it, and to take them, too, "
        + "name the folder around it")
  }

  /// Does a part of the work; what is wrong with it is a line among the stores.
  func addSafely(
    _ name: String, in holder: ShelvedStore.Holder?, _ work: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    try checkInterruption()
    do {
      try work()
    } catch {
      try checkInterruption()
      tell(error, of: name, in: holder)
    }
  }

  func checkInterruption() throws(PlaceFailure) {
    guard !settings.interruption.isRaised else {
      throw PlaceFailure(.unreadable, "stopped by a signal")
    }
  }

  private func add(
    _ file: ContainedFile, of folder: FolderContainer, in holder: ShelvedStore.Holder,
    depth: Int, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let shown = Paths.join(holder.name, file.path)
    if let failure = file.failure { throw failure }
    if file.kind.isContainer {
      let inner = PlaceTally(of: shown)
      let isOpened = try addContainer(
        folder.full(file.path), named: shown, in: holder, depth: depth + 1, inner)
      tally.add(inner)
      tellFailures(of: shown, in: holder, inner)
      // A packed export is read as it is.
      if isOpened { return }
    }
    stores.append(
      ShelvedStore(shown, in: holder, bytes: file.size, .disk(folder.full(file.path))))
  }

  // MARK: Names

  private func nameDevices() {
    tellNamesakesApart()
    if let pattern = settings.devicePattern {
      for place in stores.indices {
        let isInArchive = ![nil, "folder"].contains(stores[place].containerKind)
        guard let name = pattern.device(in: stores[place].name, isInArchive: isInArchive),
          !name.isEmpty
        else { continue }
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

  /// Marks the devices that are called alike, but are not the same.
  private func tellNamesakesApart() {
    var identifiers: [ExactText: Set<String>] = [:]
    for device in stores.lazy.compactMap(\.device) {
      guard let name = device.name, let identifier = device.identifier else { continue }
      identifiers[ExactText(name), default: []].insert(identifier.lowercased())
    }
    for place in stores.indices {
      guard let name = stores[place].device?.name else { continue }
      stores[place].device?.hasNamesake = (identifiers[ExactText(name)]?.count ?? 0) > 1
    }
  }
}
