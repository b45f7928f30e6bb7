/// A version of a model that the user names.
package struct ModelCandidate: Sendable {
  /// What the version is called: the name of its file or folder without the ending.
  package let name: String
  /// The version itself.
  package let model: ManagedObjectModel
  /// The 32-byte hash of each entity; nil where nothing tells them.
  package var hashes: [String: [UInt8]]?
  /// Whether the app makes new stores with this version, as far as is known.
  var isCurrent = false
}

/// The versions of a model that the user names, in the order of their names.
package struct ModelVersions: Sendable {
  /// Where they came from.
  package let path: String
  /// Those that could be read; there is at least one.
  package let candidates: [ModelCandidate]
  /// Why the others could not be read.
  package let unreadable: [ModelFileError]

  /// Gathers what became of each version.
  ///
  /// - Throws: `ModelFileError` when no version could be read.
  package init(
    path: String, _ results: [Result<ModelCandidate, ModelFileError>]
  ) throws(ModelFileError) {
    var candidates: [ModelCandidate] = []
    var unreadable: [ModelFileError] = []
    for result in results {
      do { candidates.append(try result.get()) } catch { unreadable.append(error) }
    }
    guard !candidates.isEmpty else {
      throw unreadable.first ?? ModelFileError(.notAModel, path: path, "it contains no model")
    }
    self.path = path
    self.candidates = candidates
    self.unreadable = unreadable
  }
}
