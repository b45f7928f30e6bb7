import Bytes
import Canonical
import CommandLineKit
import Merging
import Places
import Records

/// Stores that become one canonical store, small ones read side by side.
struct MergedLoading {
  let stores: MergedInputs
  let session: Session
  let output: NewStore

  /// What is told of a store that is read.
  private enum Told: Sendable {
    case begins(LoadSteps)
    case ended(Result<LoadedSource, StoreError>)
  }

  /// Loads the stores, publishes and reports.
  ///
  /// - Throws: `StoreError` when a store cannot be read or is not what it was, the output cannot be
  ///   written, or the books do not balance; then nothing is published.
  func run() throws(StoreError) -> LoadReport {
    let chosen = try stores.chosenTables(output.selection)
    let store = try StoreLoad(
      destination: output.path, replacing: output.isReplacing, merging: true)
    var report = LoadReport(output: output.path)
    try load(chosen, into: store, &report)
    report.leftOut = stores.leftOut
    report.uniteBalances()
    try output.rejectLimit.check(report.balances, nil)
    try store.publish()
    return report
  }

  private func load(
    _ chosen: Set<Int>, into store: borrowing StoreLoad, _ report: inout LoadReport
  ) throws(StoreError) {
    var progress = session.makeProgress(.stores, total: stores.chosen.count)
    defer { progress.clear() }
    let (merge, site) = (stores.merge, store.site)
    let choice = TableChoice(chosen, in: Catalogue(tables: merge.tables, nameOrigin: .schema))
    let loading = SourceLoading(session: session, selection: output.selection, isMerging: true)
    // What comes of a store waits in memory until the builder follows.
    var work = StoreWork<MergedInputs.Source, Told>(session, besideOthersUpTo: 4 << 20) {
      source, emit in
      Self.read(source, chosen, choice, of: merge, loading, at: site, emit)
    }
    var left = stores.chosen.count
    func take(_ told: Told) throws(StoreError) {
      switch told {
      case .begins(let steps): try store.follow(steps)
      case .ended(let loaded):
        left -= 1
        try report.add(try loaded.get(), in: store, besides: left == 0 ? stores.leftOut : [])
      }
    }
    do {
      for (number, place) in stores.chosen.enumerated() {
        progress.update(done: number, label: "written")
        try session.checkSignal()
        let source = stores.source(place)
        try work.put(source, besideOthers: work.isBesideOthers(source.turn), take)
      }
      try work.finish(take)
    } catch {
      // Threads that read ahead would wait for the builder to follow them, or for the store before.
      site.stop(error)
      merge.stop()
      throw error
    }
  }

  /// Reads one store, on any thread.
  private static func read(
    _ source: MergedInputs.Source, _ chosen: Set<Int>, _ choice: TableChoice,
    of merge: SettledMerge,
    _ loading: SourceLoading, at site: LoadSite, _ emit: (Told) -> Bool
  ) {
    do throws(StoreError) {
      let reader = try source.open(for: merge, loading.session)
      let store = StoreLoad(
        at: site, storesBefore: merge.stores(beforeSource: source.number),
        isAhead: Session.isOneOfMany)
      guard emit(.begins(store.steps)) else { return }
      let loaded = try loading.load(reader, reader.places(of: chosen), into: store, among: choice)
      // The builder goes on when there is an end of what it follows.
      _ = consume store
      _ = emit(.ended(.success(loaded)))
    } catch {
      _ = emit(.ended(.failure(error)))
    }
  }
}
