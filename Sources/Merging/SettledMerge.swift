import Bytes
package import Records

/// What becomes of several sources that were surveyed; each is read once more by it, on any thread.
package struct SettledMerge: Sendable {
  private let united: UnitedCatalogue
  private let sources: [StoreMerge.KnownSource]
  private let decisions: MergeDecisions
  /// What messages call the sources, by their numbers.
  private let labels: [Int: String]
  private let turns: OperationTurns
  /// How many stores the sources before each tell of.
  private let storesBefore: [Int64]
  /// The tables of all sources.
  package let tables: [Table]

  init(_ known: StoreMerge.Known, _ decisions: MergeDecisions) {
    united = known.united
    sources = known.sources
    self.decisions = decisions
    labels = Dictionary(
      uniqueKeysWithValues: sources.map { ($0.surveyed.number, $0.surveyed.label) })
    turns = OperationTurns(count: sources.count)
    tables = united.knowingSources.enumerated().map { place, table in
      var table = table
      table.nextKey = known.nextKeys[place]
      return table
    }
    var stores: Int64 = 0
    storesBefore = sources.map { source in
      defer { stores += source.surveyed.storeCount }
      return stores
    }
  }

  /// What is to be read of a source, which was opened once more.
  ///
  /// The queue of each is read once, and waits for those of the sources before.
  ///
  /// - Throws: `StoreError` when it is not what it was.
  package func merged(
    _ reader: any StoreReader, source number: Int, hash: String? = nil
  ) throws(StoreError) -> MergedReader {
    guard let place = place(ofSource: number) else {
      throw StoreError(.internalError, "there is no source \(number)")
    }
    let source = sources[place]
    try source.surveyed.expectUnchanged(reader, hash: hash)
    let (keys, surveyed) = (try keys(of: reader, source), reader.catalogue.tables)
    keepSpellings(of: reader, source)
    return MergedReader(
      reader, number: number, label: source.surveyed.label, labels: labels, united: united,
      places: source.places, tables: tables, keys: keys, surveyed: surveyed,
      findings: source.findings, decisions: decisions, turn: turns[place])
  }

  /// Reads the values of columns that are text in the end as they stand in the files of each source:
  /// those of one may have been nothing but dates or words for truth, and others not.
  private func keepSpellings(of reader: any StoreReader, _ source: StoreMerge.KnownSource) {
    guard Layout.ofPlainFiles.contains(reader.source.layout) else { return }
    for (own, table) in reader.catalogue.tables.enumerated() {
      let place = source.places[own]
      for (number, (column, ownName)) in zip(table.columns, table.ownNames).enumerated() {
        guard UnitedColumn.Purpose(column) == .value,
          let wide = united.tables[place].place(of: column, ownName)
            .map({ tables[place].columns[$0].type }),
          wide != column.type, wide.cellKind == .text
        else { continue }
        reader.keepSpelling(ofColumn: number, inTable: own)
      }
    }
  }

  /// Ends the reading: who waits for a source that comes before, and of which nothing will be read,
  /// hears of it.
  package func stop() { turns.stop() }

  /// How many stores the sources before one tell of.
  package func stores(beforeSource number: Int) -> Int64 {
    place(ofSource: number).map { storesBefore[$0] } ?? 0
  }

  private func place(ofSource number: Int) -> Int? {
    let place = firstPlace(in: sources) { $0.surveyed.number >= number }
    return place < sources.count && sources[place].surveyed.number == number ? place : nil
  }

  private func keys(
    of reader: any StoreReader, _ source: StoreMerge.KnownSource
  ) throws(StoreError) -> SourceKeys {
    var tables: [SourceKeys.TableKeys] = []
    guard source.places.count == reader.catalogue.tables.count else {
      throw SurveyedSource.changed(source.surveyed.label)
    }
    for place in source.places {
      guard let runs = source.keys[place] else {
        throw SurveyedSource.changed(source.surveyed.label)
      }
      let losers = try decisions.losers(ofTable: place, source: source.surveyed.number) {
        winner, key in
        self.place(ofSource: winner).flatMap { sources[$0].keys[place]?.new(key) } ?? 0
      }
      tables.append(SourceKeys.TableKeys(runs: runs, losers: losers))
    }
    return SourceKeys(tables, of: reader.catalogue)
  }
}
