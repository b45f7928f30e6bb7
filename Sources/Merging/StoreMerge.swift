import Bytes
package import Records
package import SQLite

/// Several sources that become one store: first all are surveyed, then each is read once more.
///
/// In between nothing is kept but catalogues, runs of keys, and an entry on disk for each row that
/// has an id.
package final class StoreMerge {
  private let ledger: MergeLedger
  private let numbers = TableNumbers()
  private var known = Known()
  /// The source that is being told of, and what was known before it.
  private var current: Current?
  private var before: Known?
  /// What messages call the sources, by their numbers.
  private var labels: [Int: String] = [:]
  /// How many operations were numbered.
  let sequences = SequenceCount()

  /// What is known of all sources so far.
  private struct Known {
    var united = UnitedCatalogue()
    /// In the order of their numbers.
    var sources: [KnownSource] = []
    /// The least key that is free in each table.
    var nextKeys: [Int: Int64] = [:]
  }

  private struct KnownSource {
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

  /// Counts the operations of all sources.
  final class SequenceCount {
    package var count: Int64 = 0
  }

  /// Begins without sources; what must be on disk goes where SQLite keeps such files.
  package init(
    temporaryFolder: String, interruption: Interruption
  ) throws(StoreError) {
    ledger = try MergeLedger(temporaryFolder: temporaryFolder, interruption)
  }

  /// The tables of all sources.
  package var tables: [Table] {
    known.united.knowingSources.enumerated().map { place, table in
      var table = table
      table.nextKey = known.nextKeys[place]
      return table
    }
  }
  /// The files of all sources.
  package var inputFiles: [String] { known.sources.flatMap(\.surveyed.files) }

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
      try ledger.add(part.entries)
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
    let findings = try known.united.unite(with: catalogue, of: source.label)
    var new = KnownSource(
      surveyed: source, findings: findings,
      places: catalogue.tables.compactMap { known.united.place(ofTable: $0.name) })
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
  package func settle() throws(StoreError) {
    labels = Dictionary(
      uniqueKeysWithValues: known.sources.map { ($0.surveyed.number, $0.surveyed.label) })
    try ledger.settle(among: labels.keys)
  }

  /// What is to be read of a source, which was opened once more; in the order of the surveys.
  ///
  /// - Throws: `StoreError` when it is not what it was.
  package func merged(
    _ reader: any StoreReader, source number: Int, hash: String? = nil
  ) throws(StoreError) -> MergedReader {
    guard let source = source(number) else {
      throw StoreError(.internalError, "there is no source \(number)")
    }
    try source.surveyed.expectUnchanged(reader, hash: hash)
    return MergedReader(
      reader, number: number, label: source.surveyed.label,
      labels: labels, united: known.united, tables: tables, keys: try keys(of: reader, source),
      findings: source.findings, ledger: ledger, sequences: sequences)
  }

  private func source(_ number: Int) -> KnownSource? {
    let sources = known.sources
    let place = firstPlace(in: sources) { $0.surveyed.number >= number }
    return place < sources.count && sources[place].surveyed.number == number
      ? sources[place] : nil
  }

  private func keys(
    of reader: any StoreReader, _ source: KnownSource
  ) throws(StoreError) -> SourceKeys {
    var tables: [SourceKeys.TableKeys] = []
    for table in reader.catalogue.tables {
      guard let place = known.united.place(ofTable: table.name), let runs = source.keys[place]
      else { throw SurveyedSource.changed(source.surveyed.label) }
      var keys = SourceKeys.TableKeys(runs)
      try ledger.forEachLoser(
        ofTable: numbers.number(ofTable: table.name), source: source.surveyed.number
      ) { loser in
        let winner = self.source(loser.winnerSource)?.keys[place]?.new(loser.winnerKey)
        keys.add(loser: loser.key, winner: winner ?? 0, source: loser.winnerSource)
      }
      tables.append(keys)
    }
    return SourceKeys(tables, of: reader.catalogue)
  }
}
