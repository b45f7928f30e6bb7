import Bytes
package import Records

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

  /// Whether its name has a mark behind what it lies in.
  var isBehindMark: Bool { outermost != nil }

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
