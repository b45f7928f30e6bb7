import Bytes
package import Records
package import SQLite

/// What was seen of a place besides its stores, and what is wrong with it as a whole.
package final class PlaceTally {
  /// How many files of each kind were only counted.
  package private(set) var counts: [CountedKind: Int] = [:]
  private(set) var failures: [PlaceFailure] = []
  /// What else a person should know, each with the name of the place that it is about.
  package private(set) var notes: [(place: String, text: String)] = []
  /// How many files of each kind are called as databases are, and the first of them.
  package private(set) var misnamed: [CountedKind: Int] = [:]
  package private(set) var firstMisnamed: String?
  private let name: String
  private let isFolder: Bool
  /// Where the place is where it is a folder, as far as that may tell what lies in it, with a slash.
  private let folder: String

  /// Begins with nothing seen of the place or container of a name.
  init(of name: String, isFolder: Bool = false) {
    (self.name, self.isFolder) = (name, isFolder)
    folder =
      isFolder
      ? Paths.parts(of: Paths.resolved(name) ?? name).suffix(3).joined(separator: "/") + "/" : ""
  }

  /// Whether a file is called as databases are, or lies where they do.
  func isCalledDatabase(_ path: String) -> Bool { LostStore.isCalledDatabase(folder + path) }

  func count(_ kind: CountedKind, times: Int = 1) {
    if times > 0 { counts[kind, default: 0] += times }
  }

  /// Counts a file that is no store, though it may be called as databases are; what macOS keeps of
  /// a file is called as that is.
  func count(_ kind: CountedKind, _ path: String) {
    count(kind)
    guard kind != .macOSFile, isCalledDatabase(path) else { return }
    misnamed[kind, default: 0] += 1
    firstMisnamed = firstMisnamed ?? fullName(of: path)
  }

  /// What something inside of the place is called.
  private func fullName(of path: String) -> String {
    if name.isEmpty { return path }
    return isFolder ? Paths.join(name, path) : "\(name)!\(path)"
  }

  func tell(_ failure: PlaceFailure) { failures.append(failure) }

  /// Tells something about the place.
  func note(_ text: String) { notes.append((name, text)) }

  /// Takes what was seen of a container inside.
  func add(_ other: PlaceTally) {
    counts.merge(other.counts, uniquingKeysWith: +)
    notes += other.notes
    misnamed.merge(other.misnamed, uniquingKeysWith: +)
    let first = other.firstMisnamed.map { other.name.isEmpty ? fullName(of: $0) : $0 }
    firstMisnamed = firstMisnamed ?? first
  }

  /// Leaves out the files that neither are stores nor may belong to one, and counts them.
  func keepInteresting(_ files: inout [ContainedFile]) {
    let signs = Set(
      files.lazy.map { ExactText($0.path) }.filter {
        SideFiles.isEncryptionMark($0.wrappedValue)
          || SideFiles.mainPath(of: $0.wrappedValue) != nil
      })
    for place in files.indices {
      let path = files[place].path
      if files[place].failure == nil {
        files[place].tellByPlace { signs.contains(ExactText($0)) }
      }
      files[place].takeIfLost(isCalledDatabase: files[place].isCalledDatabase) {
        signs.contains(ExactText(path + $0))
      }
    }
    files.tellValuesOutside()
    // What is cut to nothing is damaged, as what is cut elsewhere.
    for place in SideFiles.emptyManifests(among: files) { files[place].kind = .document }
    let bundles = Set(
      files.lazy.filter(\.isBundleManifest).map { ExactText(SideFiles.folder(of: $0.path)) })
    files.removeAll { !keeps($0, besideBundlesIn: bundles) }
  }

  /// Whether a file is a store or may belong to one, or to a bundle in some folders; one that does
  /// not is counted.
  func keeps(_ file: ContainedFile, besideBundlesIn folders: Set<ExactText>) -> Bool {
    guard let kind = file.kind.counted, !SideFiles.mayBelongToStore(file.path),
      !BackupFolder.isPart(SideFiles.name(of: file.path)),
      folders.isEmpty || !folders.contains(ExactText(SideFiles.folder(of: file.path)))
    else { return true }
    count(kind, file.path)
    return false
  }
}

/// How places are gone through.
package struct PlaceSettings: Sendable {
  /// Where private copies go.
  var temporaryFolder: String
  /// Raised when the run must stop.
  var interruption: Interruption
  /// How a path tells its device: a pattern with `{device}` in it.
  package var devicePattern: DevicePattern?
  /// Whether of a store that is not to be had whole what is left is read.
  package var salvages = false
  /// How many containers may be one inside the other, the place itself counted.
  let maxDepth = InputLimits.current.nesting

  /// Settings for a run.
  package init(temporaryFolder: String, interruption: Interruption) {
    self.temporaryFolder = temporaryFolder
    self.interruption = interruption
  }
}

/// A store that was found, which may still lie in its container.
package struct ShelvedStore {
  /// Its path as given, and its path inside the container behind a `!`.
  package let name: String
  /// The container that it was found in, and what kind that is; nil for a file that was given.
  package let container: String?
  package let containerKind: String?
  /// The device that it is of, where that is known.
  package internal(set) var device: DeviceName?
  /// How many bytes the store's own file has, as far as that is known.
  package let bytes: Int?
  /// Why it cannot be read, where that is known already.
  package let failure: PlaceFailure?
  /// Whether it is a file that cannot be opened or surely is no store, of which its reader says why.
  let isClosed: Bool
  /// Whether it is no store, but a container with stores that is broken as a whole.
  package let isContainer: Bool
  /// What is to be told of what lies around it, by the layout that it may turn out to have.
  package let findingsByLayout: [Layout: Finding]
  /// What tells of a later state of it.
  var findingOfCopy: Finding?
  /// What is to be told of the containers that it lies in, and of others that have it, too.
  package var findingsOfContainers: [Finding] {
    containers.compactMap(\.finding) + [findingOfCopy].compactMap(\.self)
  }
  let source: Source
  /// The containers that it lies in, the outermost first.
  let containers: [any Container]
  /// The name of the outermost archive or backup that it lies in.
  private let outermost: String?

  /// Where it lies on the disk, or the archive or backup that it is in; nil where nothing is there.
  package var pathOnDisk: String? { outermost ?? (Paths.exists(name) ? name : nil) }

  /// The parts of its name by which devices are told apart; a mark ends one only where it stands
  /// behind the name of a container.
  var partsOfName: [Substring] {
    guard let disk = pathOnDisk else { return Self.parts(ofContained: name[...]) }
    let onDisk = Paths.parts(of: disk)
    guard let container, container.utf8.starts(with: disk.utf8),
      name.utf8.starts(with: "\(container)!".utf8)
    else { return onDisk + Paths.parts(of: Substring(name.utf8.dropFirst(disk.utf8.count))) }
    let between = Substring(container.utf8.dropFirst(disk.utf8.count))
    let inside = Substring(name.utf8.dropFirst(container.utf8.count + 1))
    return onDisk + Self.parts(ofContained: between) + Paths.parts(of: inside)
  }

  private static func parts(ofContained name: Substring) -> [Substring] {
    name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!") }.map { Substring($0) }
  }

  /// Whether it cannot be read because its container does not have all of it.
  var isCut: Bool {
    guard case .contained = source else { return false }
    return failure != nil
  }

  /// Where its bytes are.
  enum Source {
    /// A path, and where the bytes of what comes through a pipe are.
    case disk(String, copy: String? = nil)
    case contained(any Container, ContainedFile, [SideFile])
    case folder(any Container, FolderStore)
  }

  /// What a store was found in.
  struct Holder {
    let name: String
    let container: any Container
    /// The container and those that it lies in, the outermost first.
    let containers: [any Container]
    /// The name of the outermost of them that is more than a folder.
    let outermost: String?
    /// Which device it is of: it says so itself, or what it lies in does.
    let device: DeviceName?

    init(_ name: String, _ container: any Container, in outer: Holder?) {
      (self.name, self.container) = (name, container)
      containers = (outer?.containers ?? []) + [container]
      outermost = outer?.outermost ?? (container is FolderContainer ? nil : name)
      device = container.device?.shown == nil ? outer?.device : container.device
    }

    /// What is called by a path inside.
    func name(of path: String) -> String { path.isEmpty ? name : name + "!" + path }
  }

  /// A store, in what it was found in if that is no file that was given.
  init(
    _ name: String, in holder: Holder?, bytes: Int? = nil, failure: PlaceFailure? = nil,
    isClosed: Bool = false, isContainer: Bool = false,
    findingsByLayout: [Layout: Finding] = [:], _ source: Source
  ) {
    self.name = name
    container = holder?.name
    containerKind = holder?.container.word
    device = holder?.device
    self.bytes = bytes
    self.failure = failure
    self.isClosed = isClosed
    self.isContainer = isContainer
    self.findingsByLayout = findingsByLayout
    self.source = source
    containers = holder?.containers ?? []
    outermost = holder?.outermost
  }
}
