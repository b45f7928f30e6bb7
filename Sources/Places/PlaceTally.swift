import Bytes
import Records

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
      files[place].takeIfLost(isCalledDatabase: isCalledDatabase(path)) {
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
