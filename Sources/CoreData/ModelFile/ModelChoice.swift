package import Records

/// What is known about a store when a version of a model is chosen for it.
struct ModelEvidence: Sendable {
  /// The 32-byte hashes of the store's entities, if the store has them.
  var hashes: [String: [UInt8]]?
  /// The names of the store's entities, if these are all that is known.
  var entityNames: Set<String>?
  /// In how many points the store is not what a version says; none where that is not known.
  var misfits: @Sendable (ManagedObjectModel) -> Int = { _ in 0 }
}

extension ModelEvidence {
  /// The evidence in a Core Data database: its metadata, its list of entities, and its tables.
  init(hashes: [String: [UInt8]]?, rows: [PrimaryKeyRow], tables: [ActualTable]) {
    self.hashes = hashes
    let hashedNames = hashes.map { Set($0.keys) }
    misfits = { model in
      let numbering = EntityNumbering(of: model, rows: rows, hashedNames: hashedNames)
      return SchemaResolution(model: model, numbering: numbering, tables: tables)
        .differences.count { $0.speaksAgainstModel }
    }
  }
}

/// A version of a model that was chosen for a store, and why.
struct ModelChoice: Sendable {
  let candidate: ModelCandidate
  /// Why it was chosen.
  let reason: Reason

  enum Reason: Sendable, Equatable {
    case hashes
    /// Its entities have the store's names, and no version fits better than with so many misfits.
    case fit(misfits: Int)
  }
}

extension ModelVersions {
  /// Chooses the version that a store was made with.
  ///
  /// A version whose hashes are known must have the store's. Among the others those count whose
  /// entities have the store's names; the one with the fewest misfits is chosen, on a tie the
  /// current one. A version with more entities comes after all that have just these: a store of one
  /// of the model's configurations has only the entities of that.
  ///
  /// - Throws: `.noVersionFits`, with the entities on both sides, when there is none.
  func chosen(for evidence: ModelEvidence) throws(ModelFileError) -> ModelChoice {
    let equal = candidates.filter { $0.hashes != nil && $0.hashes == evidence.hashes }
    if let candidate = equal.first(where: \.isCurrent) ?? equal.first {
      return ModelChoice(candidate: candidate, reason: .hashes)
    }
    let names = evidence.hashes.map { Set($0.keys) } ?? evidence.entityNames
    let unhashed = candidates.filter { $0.hashes == nil || evidence.hashes == nil }
    let fitting = unhashed.filter { candidate in names.map { $0 == candidate.entityNames } ?? true }
    if let best = best(of: fitting, for: evidence) { return best }
    let wider = candidates.filter { $0.hasHashes(evidence.hashes) }
    if let candidate = wider.first(where: \.isCurrent) ?? wider.first {
      return ModelChoice(candidate: candidate, reason: .hashes)
    }
    let named = unhashed.filter { candidate in
      names.map { !$0.isEmpty && $0.isSubset(of: candidate.entityNames) } ?? false
    }
    guard let best = best(of: named, for: evidence) else { throw noFit(names, evidence.hashes) }
    return best
  }

  /// The version with the fewest misfits, on a tie the current one; nil where there is none at all.
  private func best(of versions: [ModelCandidate], for evidence: ModelEvidence) -> ModelChoice? {
    let rated = versions.map { (candidate: $0, misfits: evidence.misfits($0.model)) }
    let best = rated.min { left, right in
      (left.misfits, left.candidate.isCurrent ? 0 : 1)
        < (right.misfits, right.candidate.isCurrent ? 0 : 1)
    }
    return best.map { ModelChoice(candidate: $0.candidate, reason: .fit(misfits: $0.misfits)) }
  }

  private func noFit(_ names: Set<String>?, _ hashes: [String: [UInt8]]?) -> ModelFileError {
    let versions = candidates.map { "\($0.name) \($0.difference(from: names, hashes))" }
    return ModelFileError(
      .noVersionFits, path: path,
      "no version of the model belongs to this store, whose entities are \(listed(names ?? [])): "
        + versions.joined(separator: "; "),
      hint: "name the model of the app version that wrote the store")
  }
}

extension ModelCandidate {
  var entityNames: Set<String> { Set(model.entities.map(\.name)) }

  /// Whether the hashes of a store are known and among its own.
  fileprivate func hasHashes(_ others: [String: [UInt8]]?) -> Bool {
    guard let hashes, let others, !others.isEmpty else { return false }
    return others.allSatisfy { hashes[$0.key] == $0.value }
  }

  /// In what the version is not the store's, as the end of a sentence that starts with its name.
  func difference(from names: Set<String>?, _ storeHashes: [String: [UInt8]]?) -> String {
    let names = names ?? []
    let missing = names.subtracting(entityNames)
    let extra = entityNames.subtracting(names)
    var parts: [String] = []
    if !missing.isEmpty { parts.append("lacks \(listed(missing))") }
    if !extra.isEmpty { parts.append("has \(listed(extra)) besides") }
    let changed = names.intersection(entityNames).filter { name in
      guard let own = hashes?[name], let other = storeHashes?[name] else { return false }
      return own != other
    }
    if !changed.isEmpty { parts.append("has another form of \(listed(changed))") }
    return parts.isEmpty ? "is not known to be the same" : parts.joined(separator: ", ")
  }
}

/// Names in order, at most a dozen of them.
private func listed(_ names: Set<String>) -> String {
  let sorted = names.sorted()
  if sorted.isEmpty { return "none" }
  let shown = sorted.prefix(12).joined(separator: ", ")
  return sorted.count > 12 ? "\(shown) and \(sorted.count - 12) more" : shown
}

extension SchemaDifference {
  /// Whether the difference makes it less likely that the store was made with the model.
  var speaksAgainstModel: Bool {
    switch self {
    case .entityNumber, .superentity, .entityNotRecorded, .recordedEntityUnknown,
      .entityNotHashed, .hashedEntityUnknown, .missingTable, .extraTable, .tableTaken,
      .missingLeadingColumn, .missingColumn, .extraColumn, .columnType, .missingJoinTable:
      true
    case .staleEntityName, .repeatedEntityName, .cyclicSuperentity, .destinationUnknown,
      .inverseUnknown, .inverseNotMutual, .tableSpelling, .columnSpelling, .ambiguousColumn,
      .severalJoinTables:
      false
    }
  }
}

/// A version of a model that the user names.
struct ModelCandidate: Sendable {
  /// What the version is called: the name of its file or folder without the ending.
  let name: String
  /// The version itself.
  let model: ManagedObjectModel
  /// The 32-byte hash of each entity; nil where nothing tells them.
  var hashes: [String: [UInt8]]?
  /// Whether the app makes new stores with this version, as far as is known.
  var isCurrent = false
}

/// The versions of a model that the user names, in the order of their names.
package struct ModelVersions: Sendable {
  /// Where they came from.
  package let path: String
  /// Those that could be read; there is at least one.
  let candidates: [ModelCandidate]
  /// Why the others could not be read.
  let unreadable: [ModelFileError]

  /// Gathers what became of each version.
  ///
  /// - Throws: `ModelFileError` when no version could be read.
  init(
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

/// The version of a model from the user that a store is read with.
struct GivenModel: Sendable {
  private let choice: ModelChoice
  private let versions: ModelVersions

  /// Chooses the version that the store at a path was made with.
  ///
  /// - Throws: `StoreError` when no version belongs to the store.
  init(
    choosingFrom versions: ModelVersions, for evidence: ModelEvidence, _ path: String
  ) throws(StoreError) {
    self.versions = versions
    do throws(ModelFileError) {
      choice = try versions.chosen(for: evidence)
    } catch {
      // Of many stores it says which one the model is not for.
      throw StoreError(
        error.kind, path: path, "--model \(versions.path): \(error.message)", hint: error.hint)
    }
  }

  var model: ManagedObjectModel { choice.candidate.model }

  var fact: SourceDescription.Fact { .init("modelVersion", choice.candidate.name) }

  /// What does not fit, and which versions could not even be tried.
  var findings: [Finding] {
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
