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
  func addSafely(
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

  func checkInterruption() throws(PlaceFailure) {
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
