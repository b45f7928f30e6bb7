import Bytes
import Formats

/// Files in a folder whose paths are not UTF-8, as those of other systems and of older times may be.
///
/// They are called as an archive's would be, and taken out as from one, since no path leads to them.
final class UnspelledFiles: Container {
  let word = "folder"
  private(set) var files: [ContainedFile] = []
  /// The paths of the files, by their places.
  private var paths: [UnspelledPath] = []

  /// Walks through what a folder has under some names, the folders among it included.
  init(
    _ names: [[UInt8]], inFolder folder: String, _ tally: PlaceTally,
    check: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    for name in names {
      let shown = ArchiveName.text(name)
      let path = UnspelledPath(name, inFolder: folder, shown: Paths.join(folder, shown))
      try walk(path, called: shown, depth: 0, tally, check)
    }
    tally.keepInteresting(&files)
  }

  private func walk(
    _ path: UnspelledPath, called name: String, depth: Int, _ tally: PlaceTally,
    _ check: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    try check()
    switch path.kind {
    case .folder:
      guard depth < FolderContainer.deepest else {
        return add(name, path, failure: FolderContainer.tooDeep)
      }
      let names: [[UInt8]]
      do {
        names = try path.names(limit: 10_000_000)
      } catch {
        // One folder that may not be entered keeps nobody from the others.
        return add(name, path, failure: PlaceFailure(error))
      }
      for inner in names {
        let text = ArchiveName.text(inner)
        try walk(
          path.joining(inner, shown: Paths.join(path.shown, text)), called: "\(name)/\(text)",
          depth: depth + 1, tally, check)
      }
    case .file: take(path, called: name)
    case .link: tally.count(.link)
    case .special: tally.count(.specialFile)
    case nil: break
    }
  }

  private func take(_ path: UnspelledPath, called name: String) {
    do {
      let file = try PositionedFile(opening: path)
      add(name, path, kind: try FileKind(of: file), size: file.size)
    } catch {
      add(name, path, failure: PlaceFailure(error))
    }
  }

  /// Adds a file; nobody knows what one is that cannot be read, so that it is reported.
  private func add(
    _ name: String, _ path: UnspelledPath, kind: FileKind = .database, size: Int = 0,
    failure: PlaceFailure? = nil
  ) {
    var file = ContainedFile(path: name, kind: kind, size: size, place: paths.count)
    file.failure = failure
    if failure != nil, SideFiles.isSideFile(name) { file.kind = .counted(.sideFile) }
    files.append(file)
    paths.append(path)
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    let source: PositionedFile
    do {
      source = try PositionedFile(opening: paths[file.place])
    } catch {
      throw PlaceFailure(error)
    }
    try copyOut(source, to: path, budget)
  }
}
