import Bytes
package import Records
package import SQLite

/// Several sources that become one store: first all are surveyed, then each is read once more.
///
/// In between nothing is kept but catalogues, runs of keys, and an entry on disk for each row that
/// has an id.
package final class StoreMerge {
  private let ledger: MergeLedger
  private var united = UnitedCatalogue()
  private var sources: [Surveyed] = []
  private var labels: [String] = []
  /// The least key that is free in each table.
  private var nextKeys: [Int: Int64] = [:]
  /// How many operations were numbered.
  let sequences = SequenceCount()

  /// What is known about a source after its survey.
  private struct Surveyed {
    let label: String
    let files: [String]
    let state: State
    let findings: [Finding]
    /// The keys of its tables, by their places in the united catalogue.
    var keys: [Int: KeyRuns] = [:]
  }

  /// What tells whether a source is the same when it is opened once more.
  private enum State: Equatable {
    case stamps([String: FileStamp?])
    /// The hash of a copy, which has other stamps each time.
    case hash(String)

    init(of reader: any StoreReader, hash: String?) {
      let stamps = reader.inputFiles.map { ($0, FileStamp(of: $0)) }
      self =
        hash.map(Self.hash)
        ?? .stamps(Dictionary(stamps, uniquingKeysWith: { first, _ in first }))
    }
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
    united.knowingSources.enumerated().map { place, table in
      var table = table
      table.nextKey = nextKeys[place]
      return table
    }
  }
  /// The files of all sources.
  package var inputFiles: [String] { sources.flatMap(\.files) }

  /// Looks at the next source, which messages call `label`: at its tables, the keys of all rows and
  /// the ids of items; `pause` is called once a batch.
  ///
  /// Of a copy the hash tells what it is.
  package func survey(
    _ reader: any StoreReader, label: String, hash: String? = nil,
    pause: () throws(StoreError) -> Void
  ) throws(StoreError) {
    var surveyed = Surveyed(
      label: label, files: hash == nil ? reader.inputFiles : [],
      state: State(of: reader, hash: hash),
      findings: try united.unite(with: reader.catalogue, of: label))
    for (index, table) in reader.catalogue.tables.enumerated() {
      guard let place = united.place(ofTable: table.name) else { continue }
      let keys = try survey(reader, index, place, pause)
      surveyed.keys[place] = keys
      nextKeys[place] = keys.next(behind: table.nextKey)
    }
    guard try reader.isSourceUnchanged() else { throw Self.changed(label) }
    sources.append(surveyed)
  }

  private func survey(
    _ reader: any StoreReader, _ index: Int, _ place: Int, _ pause: () throws(StoreError) -> Void
  ) throws(StoreError) -> KeyRuns {
    var keys = KeyRuns(from: nextKeys[place] ?? 1)
    let table = reader.catalogue.tables[index]
    let survey = RowSurvey(of: table, numbered: place, source: sources.count)
    try survey.forEachPart(of: reader, index) { (part) throws(StoreError) in
      try pause()
      keys.add(part.keys)
      try ledger.add(part.entries)
    }
    guard keys.isDisordered else { return keys }
    var all: [Int64] = []
    try reader.forEachBatch(inTable: index, wanting: []) { (batch) throws(StoreError) in
      all += batch.keys
    }
    var sorted = KeyRuns(from: nextKeys[place] ?? 1)
    sorted.add(all.sorted())
    return sorted
  }

  /// Decides which row of each item is kept; after the last survey.
  package func settle() throws(StoreError) {
    labels = sources.map(\.label)
    try ledger.settle()
  }

  /// What is to be read of a source, which was opened once more; in the order of the surveys.
  ///
  /// - Throws: `StoreError` when it is not what it was.
  package func merged(
    _ reader: any StoreReader, source number: Int, hash: String? = nil
  ) throws(StoreError) -> MergedReader {
    guard sources.indices.contains(number) else {
      throw StoreError(.internalError, "there is no source \(number)")
    }
    let surveyed = sources[number]
    guard surveyed.state == State(of: reader, hash: hash) else {
      throw Self.changed(surveyed.label)
    }
    return MergedReader(
      reader, number: number, label: surveyed.label, labels: labels,
      united: united, tables: tables, keys: try keys(of: reader, number),
      findings: surveyed.findings, ledger: ledger, sequences: sequences)
  }

  private func keys(
    of reader: any StoreReader, _ number: Int
  ) throws(StoreError) -> SourceKeys {
    var tables: [SourceKeys.TableKeys] = []
    for table in reader.catalogue.tables {
      guard let place = united.place(ofTable: table.name), let runs = sources[number].keys[place]
      else { throw Self.changed(sources[number].label) }
      var keys = SourceKeys.TableKeys(runs)
      try ledger.forEachLoser(ofTable: place, source: number) { loser in
        let winner = sources[loser.winnerSource].keys[place]?.new(loser.winnerKey)
        keys.add(loser: loser.key, winner: winner ?? 0, source: loser.winnerSource)
      }
      tables.append(keys)
    }
    return SourceKeys(tables, of: reader.catalogue)
  }

  private static func changed(_ label: String) -> StoreError {
    StoreError(
      .temporary, path: label, "the store changed while it was being read",
      hint: "close whatever writes to it, and run again")
  }
}
