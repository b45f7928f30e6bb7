import Bytes

/// How the stores of a shelf come onto the disk.
extension Shelf {
  /// Makes sure that a store lies on the disk; whoever wants a copy of what a container has gets one
  /// also where its file could be read in place.
  package func open(
    _ store: ShelvedStore, copying: Bool = false
  ) throws(PlaceFailure) -> StoreOnDisk {
    if let failure = store.failure, !settings.salvages || !store.isCut {
      throw store.isCut ? failure.offeringSalvage : failure
    }
    takeTurn(store.containers)
    switch store.source {
    case .disk(let path, let copy):
      return StoreOnDisk(
        path: path, copy: copy, findings: PackedLog.findings(beside: path))
    case .contained(let container, let file, let sides):
      // The body of a backup is not where its file was, which may be all that tells what it is.
      if sides.isEmpty, !copying, let path = container.diskPath(of: file),
        !file.isKnownByPlace || path.hasSuffix(file.path)
      {
        return StoreOnDisk(
          path: path, findings: store.failure.map { [$0.findingOfStore] } ?? [],
          fileName: String(SideFiles.name(of: file.path)))
      }
      return try copy(file, sides, of: container)
    case .folder(let container, let whole): return try copy(whole, of: container)
    }
  }

  /// Closes what the store before lies in and this one does not.
  ///
  /// So only a few of thousands are open, and what the two have in common keeps the copies that it has made.
  private func takeTurn(_ containers: [any Container]) {
    for container in current.reversed() where !containers.contains(where: { $0 === container }) {
      container.close()
    }
    current = containers
  }

  private func copy(
    _ file: ContainedFile, _ sides: [SideFile], of container: any Container
  ) throws(PlaceFailure) -> StoreOnDisk {
    var copy = try StoreCopy(of: file, in: settings.temporaryFolder, budget)
    defer { copy.folder.charge(budget) }
    try copy.take(file, of: container, salvaging: settings.salvages)
    for side in sides { try copy.take(side, of: container) }
    return StoreOnDisk(
      path: copy.path, folder: copy.folder, findings: copy.findings,
      fileName: String(SideFiles.name(of: file.path)))
  }

  private func copy(
    _ whole: FolderStore, of container: any Container
  ) throws(PlaceFailure) -> StoreOnDisk {
    let folder = try PrivateFolder(in: settings.temporaryFolder)
    defer { folder.charge(budget) }
    for part in whole.parts {
      if let failure = part.file.failure { throw failure.of(part.file) }
      do {
        try container.copy(part.file, to: try folder.newFile(part.name), budget)
      } catch {
        throw error.of(part.file)
      }
    }
    let path = whole.name.isEmpty ? folder.path : Paths.join(folder.path, whole.name)
    return StoreOnDisk(path: path, folder: folder)
  }
}
