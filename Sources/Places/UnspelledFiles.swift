import Bytes
import Formats

/// The files below a folder whose paths are not UTF-8, as those of other systems and of older times may be.
///
/// They are called as an archive's would be, and taken out as from one, since no path leads to them.
final class UnspelledFiles: Container {
  let word = "folder"
  private(set) var files: [ContainedFile] = []
  /// The paths of the files, by their places; of what is only counted they go again.
  private var paths: [Int: UnspelledPath] = [:]
  private let root: String

  /// Walks through what folders below `root` have under some names, the folders among it included.
  init(
    _ entries: [(folder: String, names: [[UInt8]])], below root: String, _ tally: PlaceTally,
    check: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    self.root = root
    for (folder, names) in entries {
      for name in names {
        let path = UnspelledPath(name, inFolder: Paths.join(root, folder))
        try walk(path, called: Self.join(folder, name), depth: 0, tally, check)
      }
    }
    tally.keepInteresting(&files)
    let kept = Set(files.map(\.place))
    paths = paths.filter { kept.contains($0.key) }
  }

  private static func join(_ folder: String, _ name: [UInt8]) -> String {
    let text = ArchiveName.text(name)
    return folder.isEmpty ? text : folder + "/" + text
  }

  private func shown(_ name: String) -> String { Paths.join(root, name) }

  private func walk(
    _ path: UnspelledPath, called name: String, depth: Int, _ tally: PlaceTally,
    _ check: () throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    try check()
    let names: [[UInt8]]
    do {
      switch try path.entry(shownAs: shown(name)) {
      case .folder: names = try path.names(limit: 10_000_000, shownAs: shown(name))
      case .file: return take(path, called: name)
      case .link: return tally.count(.link)
      case .special: return tally.count(.specialFile)
      case nil: return
      }
    } catch {
      // One folder that may not be entered keeps nobody from the others.
      return add(name, path, failure: PlaceFailure(error))
    }
    guard depth < FolderContainer.deepest else {
      return add(name, path, failure: FolderContainer.tooDeep)
    }
    for inner in names {
      try walk(
        path.joining(inner), called: Self.join(name, inner), depth: depth + 1, tally, check)
    }
  }

  private func take(_ path: UnspelledPath, called name: String) {
    do {
      let file = try path.open(shownAs: shown(name))
      add(name, path, kind: try FileKind(of: file), size: file.size)
    } catch {
      // By its name it is a store's, whose reader says whether it needs it.
      let isSide = SideFiles.isSideFile(name)
      add(name, path, kind: isSide ? .counted(.sideFile) : .database, failure: PlaceFailure(error))
    }
  }

  /// Adds a file; nobody knows what one is that cannot be read, so that it is reported.
  private func add(
    _ name: String, _ path: UnspelledPath, kind: FileKind = .database, size: Int = 0,
    failure: PlaceFailure? = nil
  ) {
    var file = ContainedFile(path: name, kind: kind, size: size, place: files.count)
    file.failure = failure
    paths[files.count] = path
    files.append(file)
  }

  func copy(_ file: ContainedFile, to path: String, _ budget: CopyBudget) throws(PlaceFailure) {
    guard let unspelled = paths[file.place] else {
      throw PlaceFailure(.fileMissing, "the folder does not have it")
    }
    let source: PositionedFile
    do {
      source = try unspelled.open(shownAs: shown(file.path))
    } catch {
      throw PlaceFailure(error)
    }
    try copyOut(source, to: path, budget)
  }
}
