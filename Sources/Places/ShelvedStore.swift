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
  /// What else was seen of it, beside what its reader will find.
  package let findings: [Finding]
  let source: Source

  /// Where its bytes are.
  enum Source {
    case disk(String)
    case contained(any Container, ContainedFile, [SideFile])
    case folder(any Container, FolderStore)
  }
}
