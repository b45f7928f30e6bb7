import Bytes
package import Records

/// The version of a model from the user that a store is read with.
package struct GivenModel: Sendable {
  private let choice: ModelChoice
  private let versions: ModelVersions

  /// Chooses the version that the store was made with.
  ///
  /// - Throws: `StoreError` when no version belongs to the store.
  init(choosingFrom versions: ModelVersions, for evidence: ModelEvidence) throws(StoreError) {
    self.versions = versions
    choice = try storeErrors { () throws(ModelFileError) in try versions.chosen(for: evidence) }
  }

  /// The model itself.
  package var model: ManagedObjectModel { choice.candidate.model }

  /// Which version it is, for a person.
  package var fact: SourceDescription.Fact { .init("modelVersion", choice.candidate.name) }

  /// What does not fit, and which versions could not even be tried.
  package var findings: [Finding] {
    var findings = versions.unreadable.map { error in
      Finding(
        "model-version-unreadable", .note,
        message: "a version of the model cannot be read: \(error)")
    }
    if case .fit(let misfits) = choice.reason, misfits > 0 {
      findings.append(
        Finding(
          "model-differs-from-store", .warning,
          message: "the version \(choice.candidate.name) of the model fits best, but differs "
            + "from the store in \(misfits) points; names and types may be wrong there"))
    }
    return findings
  }
}

extension ModelVersions {
  /// Reads what the user names as a model.
  ///
  /// - Throws: `StoreError` when it is no model, or none of its versions can be read.
  package init(at path: String) throws(StoreError) {
    self = try storeErrors { () throws(ModelFileError) in try ModelFile(at: path).versions() }
  }
}
