import Bytes
package import Records
package import SQLite

/// Several sources that become one store: first all are surveyed here, then each is read once more by
/// what is settled of them.
///
/// In between nothing is kept but catalogues, runs of keys, and an entry on disk for each row that
/// has an id.
package final class StoreMerge {
  private var ledger: MergeLedger
  private let numbers = TableNumbers()
  private var known = Known()
  /// The source that is being told of, and what was known before it.
  private var current: Current?
  private var before: Known?

  /// What is known of all sources so far.
  struct Known: Sendable {
    var united = UnitedCatalogue()
    /// In the order of their numbers.
    var sources: [KnownSource] = []
    /// The least key that is free in each table.
    var nextKeys: [Int: Int64] = [:]
  }

  struct KnownSource: Sendable {
    let surveyed: SurveyedSource
    let findings: [Finding]
    /// The places of its tables in the united catalogue.
    let places: [Int]
    /// The keys of its tables, by these places.
    var keys: [Int: KeyRuns] = [:]
  }

  private struct Current {
    var source: KnownSource
    let catalogue: Catalogue
  }

  /// Begins without sources; what must be on disk goes where SQLite keeps such files.
  package init(temporaryFolder: String, interruption: Interruption) {
    ledger = MergeLedger(temporaryFolder: temporaryFolder, interruption)
  }

  /// What looks at sources.
  package var survey: SourceSurvey { SourceSurvey(numbers) }

  /// Takes what was seen of sources, one after the other in the order of their numbers.
  ///
  /// - Throws: `StoreError` when a source cannot be united with others, and must be given up.
  package func take(_ piece: SourceSurvey.Piece) throws(StoreError) {
    switch piece {
    case .source(let source, let catalogue): try begin(source, catalogue)
    case .rows(let table, let part):
      guard let place = current?.source.places[table] else { return }
      current?.source.keys[place]?.add(part.keys)
      try ledger.add(part.entries, ofTable: place)
    case .sorted(let table, let keys):
      guard let place = current?.source.places[table] else { return }
      current?.source.keys[place] = newKeys(at: place)
      current?.source.keys[place]?.add(keys)
    case .end:
      // While two know of all sources, to add one copies them all.
      before = nil
      if let current { add(current) }
      current = nil
    }
  }

  private func begin(_ source: SurveyedSource, _ catalogue: Catalogue) throws(StoreError) {
    before = known
    let findings = try known.united.unite(
      with: catalogue, of: source.label, exactly: source.exactTables)
    var new = KnownSource(
      surveyed: source, findings: findings,
      places: known.united.lastPlaces)
    for place in new.places { new.keys[place] = newKeys(at: place) }
    current = Current(source: new, catalogue: catalogue)
  }

  private func add(_ new: Current) {
    for (table, place) in zip(new.catalogue.tables, new.source.places) {
      known.nextKeys[place] = new.source.keys[place]?.next(behind: table.nextKey)
    }
    known.sources.append(new.source)
  }

  private func newKeys(at place: Int) -> KeyRuns { KeyRuns(from: known.nextKeys[place] ?? 1) }

  /// Forgets the source that is being told of, as if it had never been seen.
  package func giveUp() {
    if let before { known = before }
    before = nil
    current = nil
  }

  /// Decides which row of each item is kept; after the last survey.
  package func settle() throws(StoreError) -> SettledMerge {
    let decisions = try ledger.settle(among: known.sources.map(\.surveyed.number))
    return SettledMerge(known, decisions)
  }
}
