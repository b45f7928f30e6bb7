import Bytes
import Canonical
import CommandLineKit
import Exports
import Records

/// The tables of sources that are open, with their queues and findings, into a new store.
struct Loading {
  let inputs: OpenInputs
  let session: Session
  let output: NewStore
  /// Where rows with rejected values go, besides the store.
  var rejects: SeedRejects?
  /// Whether all is done but that nothing is published.
  var isTrial = false

  /// Loads a canonical store, publishes and reports; a second thread writes what this one reads.
  ///
  /// - Throws: `StoreError` when a source cannot be read or is not what it says, the output cannot
  ///   be written, or the books do not balance; then nothing is published.
  func run() throws(StoreError) -> LoadReport {
    try run { () throws(StoreError) in
      try StoreLoad(
        destination: output.path, replacing: output.isReplacing, merging: inputs.isMerging)
    }
  }

  /// Loads the store that `begin` begins, publishes unless it is a trial, and reports.
  ///
  /// - Throws: `StoreError` as `run`; also when the store has no room for what a source has.
  func run<Store: StoreWriter & ~Copyable>(
    into begin: () throws(StoreError) -> Store
  ) throws(StoreError) -> LoadReport {
    let selections = try inputs.selections(output.selection)
    let store = try begin()
    var report = LoadReport(output: output.path)
    let loading = SourceLoading(
      session: session, selection: output.selection, isMerging: inputs.isMerging)
    for (reader, chosen) in zip(inputs.readers, selections) {
      let loaded = try loading.load(reader, chosen, into: store, rejects: rejects)
      try report.add(loaded, in: store)
    }
    if inputs.isMerging { report.uniteBalances() }
    report.rejectFiles = try rejects?.finish()
    if isTrial { return report }
    try output.rejectLimit.check(
      report.balances, report.rejectFiles, areKept: Store.keepsRejects)
    try store.publish()
    return report
  }
}
