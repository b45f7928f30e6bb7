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
  private let chosen: [Int]
  /// The stores that were left out, each with the reason.
  private let unreadable: [StoreError]
  /// The store whose rows are read, on the disk, and the one after it.
  private var current: StoreInTurn?
  private var next: StoreOpenedAhead?

  /// Looks at all stores, and decides which row of each item is kept.
  init(_ shelf: Shelf, _ session: Session) throws(StoreError) {
    self.shelf = shelf
    self.session = session
    merge = try StoreMerge(
      temporaryFolder: session.temporaryFolder, interruption: session.interruption)
    var survey = MergeSurvey(merge, session)
    try survey.run(shelf)
    chosen = survey.chosen
    unreadable = survey.unreadable
    if let first = unreadable.first, !survey.skips || chosen.isEmpty {
      throw lastError(besides: first)
    }
    if survey.twins > 0 { session.say(StoreRound.words(forTwins: survey.twins)) }
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
    let opened = next?.number == number ? next : nil
    let turn = opened?.turn ?? turn(number)
    current = turn
    do {
      openAhead(number + 1)
      let reader = try reader(opened, turn)
      return try merge.merged(reader, source: chosen[number], hash: turn.hashOfCopy)
    } catch {
      throw session.reported(turn.named(error))
    }
  }

  private func turn(_ number: Int) -> StoreInTurn {
    StoreInTurn(shelf.stores[chosen[number]], of: shelf)
  }

  private func reader(
    _ opened: StoreOpenedAhead?, _ turn: StoreInTurn
  ) throws(StoreError) -> any StoreReader {
    if let reader = try opened?.take() { return reader }
    return try turn.open(session)
  }

  /// Begins to open a store, unless it is large, while another one is read.
  private func openAhead(_ number: Int) {
    next = nil
    guard number < chosen.count, threadCount() > 1, !session.hasTimeLimit else { return }
    // What lies in a container is copied out when its turn comes.
    let store = shelf.stores[chosen[number]]
    guard store.container == nil || store.bytes.map(StoreInTurn.isSmall) ?? false else { return }
    let turn = turn(number)
    if !turn.isLarge { next = StoreOpenedAhead(turn, number: number, session) }
  }
}
