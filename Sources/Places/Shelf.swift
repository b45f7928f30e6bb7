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
  /// Which of the places have no store in them.
  package private(set) var placesWithoutStores: [Int] = []
  /// Of how many stores the pattern for devices tells the device, of how many others what they lie in
  /// does, and how many there are; nil without a pattern.
  package private(set) var patternFit: (stores: Int, named: Int, all: Int)?
  let settings: PlaceSettings
  let budget: CopyBudget
  /// The containers of the store that was opened last.
  var current: [any Container] = []
  /// The copies of archives inside of archives.
  var folders: [PrivateFolder] = []
  /// The containers of which parts are named, each listed once.
  private var listings: [ExactText: ContainerListing] = [:]

  /// Goes through the places in their order; `file` tells which file a place stands for.
  ///
  /// What is no container is taken for a store, whatever it is: its reader will say.
  package init(
    _ places: [String], _ settings: PlaceSettings,
    file: (String) throws(StoreError) -> String
  ) throws(StoreError) {
    self.settings = settings
    budget = CopyBudget(forCopiesIn: settings.temporaryFolder)
    for place in places {
      let tally = PlaceTally(of: place, isFolder: Paths.isDirectory(place))
      self.places.append((place, tally))
      try check()
      let before = stores.count
      try add(try file(place), place: place, tally)
      if stores.count == before { placesWithoutStores.append(self.places.count - 1) }
    }
    listings = [:]
    try tellOfEarlierCopies()
    nameDevices()
  }

  /// Throws where no place has a store in it.
  package func expectStores() throws(StoreError) {
    guard stores.isEmpty else { return }
    if let engine = places.lazy.compactMap({ ForeignEngine.first(in: $0.tally) }).first {
      throw StoreError(
        .unsupported, path: places.first?.path, engine.failure.message, hint: engine.failure.hint)
    }
    let documents = places.reduce(0) { $0 + ($1.tally.counts[.officeDocument] ?? 0) }
    guard documents == 0 else {
      throw StoreError(
        .notAStore, path: places.first?.path,
        "no store is in it, only "
          + documents.counted("document of an office program", "documents of office programs"),
        hint: OfficeDocument.hint)
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
        try addFolder(path, place, tally)
      } else {
        let isContainer = try addContainer(path, named: place, in: nil, tally)
        guard !isContainer else { return tellFailures(of: place, in: nil, tally) }
        let isPart = try addPart(place, tally)
        if !isPart {
          stores.append(
            ShelvedStore(
              place, in: nil, isClosed: !FileKind.mayBeStore(path), .disk(place, copy: path)))
        }
      }
    } catch {
      // A container that cannot be read at all is a line among the stores.
      try check()
      tally.tell(error)
      if stores.count == before { tell(error, of: place, in: nil, isContainer: true) }
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

  private func tell(
    _ failure: PlaceFailure, of name: String, in holder: ShelvedStore.Holder?, isContainer: Bool
  ) {
    stores.append(
      ShelvedStore(name, in: holder, failure: failure, isContainer: isContainer, .disk(name)))
  }

  /// Adds what a path behind the name of a container means, as the names of stores have it.
  ///
  /// - Returns: false where there is no such container.
  private func addPart(_ place: String, _ tally: PlaceTally) throws(PlaceFailure) -> Bool {
    guard !Paths.exists(place) else { return false }
    // A folder may be named with a slash at its end.
    var place = place
    while place.utf8.last == UInt8(ascii: "/") { place.removeLast() }
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
    guard let listing = try listing(of: outer) else { return false }
    let found = listing.stores(at: place)
    guard found.allSatisfy({ $0.failure != nil && !hasSameBytes($0.name, place) }) else {
      tally.add(listing.tally)
      stores += found + Self.failures(of: outer, in: nil, listing.tally)
      return true
    }
    throw listing.tally.failures.first ?? .noSuchPart(of: outer)
  }

  /// All that is in a container; nil where a path is none.
  private func listing(of path: String) throws(PlaceFailure) -> ContainerListing? {
    if let listing = listings[ExactText(path)] { return listing }
    let before = stores.count
    defer { stores.removeSubrange(before...) }
    let tally = PlaceTally(of: path)
    if Paths.isDirectory(path) {
      try addFolder(path, path, tally)
    } else {
      guard try addContainer(path, named: path, in: nil, tally) else { return nil }
    }
    let listing = ContainerListing(Array(stores[before...]), tally)
    listings[ExactText(path)] = listing
    return listing
  }

  func check() throws(StoreError) {
    if settings.interruption.isRaised { throw StoreError.interrupted }
  }

  // MARK: Folders

  private func addFolder(
    _ path: String, _ name: String, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let folder = try FolderContainer(path, tally) { () throws(PlaceFailure) in
      try checkInterruption()
    }
    if folder.isWhole { return addWhole(folder, path, tally) }
    let holder = ShelvedStore.Holder(name, folder, in: nil)
    if folder.backups == [""] {
      return try addBackup(FolderBodies(root: path), name, path, in: nil, tally)
    }
    let parts =
      try parts(of: folder, named: name, in: holder, tally)
      + unspelledParts(of: folder, at: path, named: name, in: holder, tally)
    for part in parts.inOrder() {
      let shown = part.path.isEmpty ? name : Paths.join(name, part.path)
      let before = stores.count
      try add(part, named: shown, in: part.path.isEmpty ? nil : holder)
      guard let device = folder.device(of: part.path) else { continue }
      for place in stores.indices[before...] where stores[place].device?.shown == nil {
        stores[place].device = device
      }
    }
  }

  private func parts(
    of folder: FolderContainer, named name: String, in holder: ShelvedStore.Holder,
    _ tally: PlaceTally
  ) -> [ContainedPart] {
    var parts: [ContainedPart] = []
    for backup in folder.backups {
      parts.append(
        ContainedPart(backup, isContainer: true) { [self] () throws(PlaceFailure) in
          let full = folder.full(backup)
          try addBackup(
            FolderBodies(root: full), Paths.join(name, backup), full, in: holder, tally)
        })
    }
    for old in folder.oldBackups {
      parts.append(
        ContainedPart(old, isContainer: true) { () throws(PlaceFailure) in
          throw BackupFolder.tooOld
        })
    }
    for place in folder.failures {
      parts.append(
        ContainedPart(place.folder, isContainer: true) { () throws(PlaceFailure) in
          throw place.failure
        })
    }
    for whole in folder.wholes {
      parts.append(
        ContainedPart(whole) { [self] () throws(PlaceFailure) in
          stores.append(
            ShelvedStore(Paths.join(name, whole), in: holder, .disk(folder.full(whole))))
        })
    }
    for file in folder.files {
      parts.append(
        ContainedPart(file.path, isContainer: file.kind.isContainer) {
          [self] () throws(PlaceFailure) in
          try add(file, of: folder, in: holder, tally)
        })
    }
    return parts
  }

  /// What lies below a folder at paths that are not UTF-8, each in its turn among all others.
  private func unspelledParts(
    of folder: FolderContainer, at path: String, named name: String,
    in holder: ShelvedStore.Holder, _ tally: PlaceTally
  ) throws(PlaceFailure) -> [ContainedPart] {
    guard !folder.unspelled.isEmpty else { return [] }
    let files = try UnspelledFiles(folder.unspelled, below: path, tally) {
      () throws(PlaceFailure) in
      try checkInterruption()
    }
    let own = ShelvedStore.Holder(name, files, in: holder)
    return try contents(of: files, in: own, tally).map { part in
      ContainedPart(part.path, isContainer: part.isContainer) { [self] () throws(PlaceFailure) in
        try add(part, named: own.name(of: part.path), in: own)
      }
    }
  }

  /// Adds a folder that is a store as a whole, and was named as one; tells of what else lies in it.
  private func addWhole(_ folder: FolderContainer, _ path: String, _ tally: PlaceTally) {
    stores.append(ShelvedStore(path, in: nil, .disk(path)))
    let isAlone =
      folder.wholes.count == 1 && folder.files.isEmpty && folder.backups.isEmpty
      && folder.unspelled.isEmpty
    guard !isAlone else { return }
    tally.note(
      "the folder is taken as one store; other stores or archives lie in it, and to take them, too, "
        + "name the folder around it")
  }

  /// Adds a part of a container; what is wrong with it is a line among the stores.
  func add(
    _ part: ContainedPart, named name: String, in holder: ShelvedStore.Holder?
  ) throws(PlaceFailure) {
    try checkInterruption()
    do {
      try part.add()
    } catch {
      try checkInterruption()
      tell(error, of: name, in: holder, isContainer: part.isContainer)
    }
  }

  func checkInterruption() throws(PlaceFailure) {
    guard !settings.interruption.isRaised else {
      throw PlaceFailure(.unreadable, "stopped by a signal")
    }
  }

  private func add(
    _ file: ContainedFile, of folder: FolderContainer, in holder: ShelvedStore.Holder,
    _ tally: PlaceTally
  ) throws(PlaceFailure) {
    let shown = Paths.join(holder.name, file.path)
    // Why a file cannot be opened its reader says, as of one that is named.
    if file.kind.isContainer {
      let inner = PlaceTally(of: shown)
      let isOpened = try addContainer(folder.full(file.path), named: shown, in: holder, inner)
      tally.add(inner)
      tellFailures(of: shown, in: holder, inner)
      // A packed export is read as it is.
      if isOpened { return }
    }
    let store = ShelvedStore(
      shown, in: holder, bytes: file.size, isClosed: file.failure != nil,
      .disk(folder.full(file.path)))
    try append(store, file, tally)
  }

  /// Adds a file that is a store, or counts it where nothing shows that it is one.
  func append(
    _ store: ShelvedStore, _ file: ContainedFile, _ tally: PlaceTally
  ) throws(PlaceFailure) {
    if file.needsProof, file.failure == nil {
      let copy = try open(store)
      // It is there as long as the value is.
      let isProven = withExtendedLifetime(copy) {
        if LostStore.isProven(at: copy.path) { return true }
        for kind in SideFiles.kindsCounted(beside: copy.path) { tally.count(kind) }
        return false
      }
      guard isProven else {
        return tally.count(file.size == 0 ? .emptyFile : .otherFile, file.path)
      }
    }
    stores.append(store)
  }

  // MARK: Names

  private func nameDevices() {
    tellNamesakesApart()
    if let pattern = settings.devicePattern {
      var fit = (stores: 0, named: 0, all: stores.count { !$0.isContainer })
      defer { patternFit = fit }
      for place in stores.indices {
        let isInArchive = stores[place].isBehindMark
        guard let name = pattern.device(in: stores[place].name, isInArchive: isInArchive),
          !name.isEmpty
        else {
          if stores[place].device?.shown != nil, !stores[place].isContainer { fit.named += 1 }
          continue
        }
        stores[place].device = DeviceName(name: name, identifier: stores[place].device?.identifier)
        if !stores[place].isContainer { fit.stores += 1 }
      }
    }
    let nameless = stores.indices.filter {
      stores[$0].device?.shown == nil && stores[$0].failure == nil && !stores[$0].isClosed
    }
    let names = DeviceNames.names(of: nameless.map { stores[$0].partsOfName })
    for (place, name) in zip(nameless, names) {
      stores[place].device = name.map { DeviceName(name: $0) }
    }
  }

  /// Marks the devices that are called alike, but are not the same.
  private func tellNamesakesApart() {
    var identifiers: [ExactText: Set<String?>] = [:]
    for device in stores.lazy.compactMap(\.device) {
      guard let name = device.name else { continue }
      identifiers[ExactText(name), default: []].insert(device.identifier?.lowercased())
    }
    for place in stores.indices {
      guard let name = stores[place].device?.name else { continue }
      stores[place].device?.hasNamesake = (identifiers[ExactText(name)]?.count ?? 0) > 1
    }
  }
}
