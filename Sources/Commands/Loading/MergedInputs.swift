import Bytes
import CommandLineKit
import Merging
import Places
import Records

/// Stores that become one store; each is opened twice, so that few files are open at a time.
///
/// What was put aside while the stores were looked at is known to all who read them, so this has
/// identity.
final class MergedInputs: LoadInputs {
  private let shelf: Shelf
  private let session: Session
  private let merge: StoreMerge
  /// The stores that are merged, as places on the shelf.
  private var chosen: [Int] = []
  /// The store whose rows are read, on the disk.
  private var current: StoreInTurn?
  /// The stores that were left out, each with the reason.
  private(set) var unreadable: [StoreError] = []
  /// How many were left out since another one has the same bytes.
  private var twins = 0

  /// Looks at all stores, and decides which row of each item is kept.
  init(_ shelf: Shelf, _ session: Session) throws(StoreError) {
    self.shelf = shelf
    self.session = session
    merge = try StoreMerge(
      temporaryFolder: session.temporaryFolder, interruption: session.interruption)
    var progress = session.makeProgress(.stores, total: shelf.stores.count)
    defer { progress.clear() }
    var hashes: Set<String> = []
    for place in shelf.stores.indices {
      progress.update(done: place, label: "compared")
      try session.checkSignal()
      let turn = StoreInTurn(shelf.stores[place], of: shelf)
      if session.arguments.flag("once"), let hash = turn.hash, !hashes.insert(hash).inserted {
        twins += 1
        continue
      }
      do {
        let reader = try turn.open(session)
        if skips { try reader.expectReadable(session) }
        guard unreadable.isEmpty || skips else { continue }
        try merge.survey(reader, label: turn.name, hash: turn.hashOfCopy) { () throws(StoreError) in
          try session.checkInterruption()
        }
        chosen.append(place)
      } catch {
        try putAside(session.reported(turn.named(error)))
      }
    }
    progress.clear()
    if let first = unreadable.first, !skips || chosen.isEmpty { throw lastError(besides: first) }
    if twins > 0 { session.say(StoreRound.words(forTwins: twins)) }
    try merge.settle()
  }

  /// Tells of all stores that cannot be read but for the first, whose error ends the run.
  private func lastError(besides first: StoreError) -> StoreError {
    for error in unreadable.dropFirst() { session.console.report(error) }
    guard unreadable.count > 1 else { return first }
    var error = first
    let count = Quantity.count(unreadable.count, "store", "stores")
    error.hint =
      [first.hint, "leave out the \(count) that cannot be read with --skip-unreadable"]
      .compactMap(\.self).joined(separator: "; ")
    return error
  }

  /// Whether stores that cannot be read are left out.
  private var skips: Bool { session.arguments.flag("skip-unreadable") }

  /// Notes that a store cannot be read; what stops the whole run is thrown.
  private func putAside(_ error: StoreError) throws(StoreError) {
    guard ![.interrupted, .usage].contains(error.kind), !session.arguments.flag("fail-fast") else {
      throw error
    }
    unreadable.append(error)
  }

  /// The stores and the containers that they are in.
  var inputFiles: [String] { merge.inputFiles + shelf.places.map(\.path) }

  var leftOut: [Finding] {
    unreadable.map { error in
      Finding(
        "store-left-out", .error,
        message: "\(error.path ?? "a store") cannot be read and was left out: \(error.message)")
    }
  }

  var isMerging: Bool { true }

  func selections(_ selection: TableSelection?) throws(StoreError) -> [Set<Int>] {
    let all = Catalogue(tables: merge.tables, nameOrigin: .schema)
    let wanted = Set(try selection?.indices(in: all) ?? Array(all.tables.indices))
    return chosen.map { _ in wanted }
  }

  func reader(at number: Int) throws(StoreError) -> any StoreReader {
    guard chosen.indices.contains(number) else {
      throw StoreError(.internalError, "there is no source \(number)")
    }
    let turn = StoreInTurn(shelf.stores[chosen[number]], of: shelf)
    current = turn
    do {
      return try merge.merged(
        try turn.open(session), source: number, hash: turn.hashOfCopy)
    } catch {
      throw session.reported(turn.named(error))
    }
  }
}

extension StoreReader {
  /// Reads all of the store, so that whatever cannot be read shows before anything is made of it.
  fileprivate func expectReadable(_ session: Session) throws(StoreError) {
    for index in catalogue.tables.indices {
      try forEachBatch(inTable: index) { (_) throws(StoreError) in
        try session.checkInterruption()
      }
    }
    _ = try readQueue()
    _ = try examineRows()
  }
}
