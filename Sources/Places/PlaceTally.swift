/// What was seen of a place besides its stores, and what is wrong with it as a whole.
package final class PlaceTally {
  /// How many files of each kind were only counted.
  package private(set) var counts: [String: Int] = [:]
  /// What is wrong with the place.
  package private(set) var failures: [PlaceFailure] = []
  /// What else a person should know.
  package private(set) var notes: [String] = []

  /// Nothing seen so far.
  init() {}

  /// Counts a file of a kind.
  func count(_ kind: String, _ number: Int = 1) { counts[kind, default: 0] += number }

  /// Tells what is wrong with the place.
  func tell(_ failure: PlaceFailure) { failures.append(failure) }

  /// Tells something about the place.
  func note(_ text: String) { notes.append(text) }

  /// Takes what was seen of a container inside.
  func add(_ other: PlaceTally) {
    counts.merge(other.counts, uniquingKeysWith: +)
    notes += other.notes
  }

  /// Leaves out the files that neither are stores nor may belong to one, and counts them.
  func keepInteresting(_ files: inout [ContainedFile]) {
    for place in files.indices where files[place].failure == nil { files[place].tellByPlace() }
    let bundles = Set(files.lazy.filter(\.isBundleManifest).map { SideFiles.folder(of: $0.path) })
    files.removeAll { file in
      guard case .counted(let kind) = file.kind, !SideFiles.mayBelongToStore(file.path),
        !BackupFolder.isPart(SideFiles.name(of: file.path)),
        bundles.isEmpty || !bundles.contains(SideFiles.folder(of: file.path))
      else { return false }
      count(kind)
      return true
    }
  }
}
