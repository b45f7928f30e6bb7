import Bytes
import CommandLineKit
import Merging
import Opening
import Places
import Records

/// Stores that become one store; each is opened twice, so that few files are open at a time.
struct MergedInputs {
  /// A store whose turn has come.
  struct Source: Sendable {
    let number: Int
    let turn: StoreInTurn
    fileprivate let corrections: SharedCorrections

    /// Opens the store as the united one shall have it.
    func open(
      for merge: SettledMerge, _ session: Session
    ) throws(StoreError) -> MergedReader {
      do {
        let reader = try turn.open(session, sharing: corrections)
        return try merge.merged(reader, source: number, hash: turn.hashOfCopy)
      } catch {
        throw session.reported(turn.named(error))
      }
    }
  }

  private let shelf: Shelf
  private let session: Session
  private let corrections: SharedCorrections
  let merge: SettledMerge
  /// The stores that are merged, as places on the shelf.
  let chosen: [Int]
  /// What tells of the stores that were left out.
  let leftOut: [Finding]

  /// Looks at all stores, and decides which row of each item is kept.
  init(_ shelf: Shelf, _ session: Session) throws(StoreError) {
    self.shelf = shelf
    self.session = session
    corrections = try SharedCorrections(session.corrections())
    let merge = StoreMerge(
      temporaryFolder: session.temporaryFolder, interruption: session.interruption)
    var survey = MergeSurvey(merge, session, corrections)
    try survey.run(shelf)
    chosen = survey.chosen
    let unreadable = survey.unreadable
    if let first = unreadable.first, !survey.skips || chosen.isEmpty {
      throw Self.lastError(
        of: unreadable.map(\.error), first.error, session,
        hasOthers: unreadable.count < shelf.stores.count)
    }
    let twins = survey.twins
    leftOut =
      Self.findings(of: unreadable, besides: chosen + twins, shelf) + survey.lossesOfTwins
    if !twins.isEmpty { session.say(StoreRound.words(forTwins: twins.count)) }
    if let unmet = session.unmet(corrections) {
      guard !unreadable.isEmpty || !twins.isEmpty else { throw unmet }
      session.sayUnmet(unmet)
    }
    self.merge = try merge.settle()
  }

  /// Tells of all stores that cannot be read, in their order, but for the last, whose error ends the
  /// run; it ends as the first one says.
  private static func lastError(
    of unreadable: [StoreError], _ first: StoreError, _ session: Session, hasOthers: Bool
  ) -> StoreError {
    let last = unreadable.last ?? first
    for error in unreadable.dropLast() { session.console.report(error) }
    var error = StoreError(first.kind, path: last.path, last.message, hint: last.hint)
    // There is nothing to be left out where it has been already, or nothing is left; a path
    // that leads nowhere is misspelled.
    let isThere = unreadable.contains { $0.kind != .missing }
    guard hasOthers, isThere, !session.arguments.flag("skip-unreadable") else { return error }
    error.hint =
      [last.hint, "leave out all that cannot be read with --skip-unreadable"]
      .compactMap(\.self).joined(separator: "; ")
    return error
  }

  /// What tells of stores that cannot be read, and of containers of which some stores are here: those
  /// that are merged, and the twins of such.
  private static func findings(
    of unreadable: [(place: Int, error: StoreError)], besides here: [Int], _ shelf: Shelf
  ) -> [Finding] {
    let containers = Set(here.compactMap { shelf.stores[$0].container.map { ExactText($0) } })
    return unreadable.map { place, error in
      let store = shelf.stores[place]
      let name = error.path ?? store.name
      let isHereInPart =
        store.isContainer
        && containers.contains { $0 == ExactText(store.name) || $0.isInside(store.name) }
      return Finding(
        "store-left-out", .error,
        message: isHereInPart
          ? "\(name) cannot be read to its end: \(error.message); the stores that could be read are here, "
            + "and what else was in it was left out"
          : "\(name) cannot be read and was left out: \(error.message)")
    }
  }

  /// The tables that are loaded of each store, by their places among those of all.
  func chosenTables(_ selection: TableSelection?) throws(StoreError) -> Set<Int> {
    let all = Catalogue(tables: merge.tables, nameOrigin: .schema)
    return Set(try selection?.indices(in: all) ?? Array(all.tables.indices))
  }

  /// A store whose turn has come, with its number among all.
  func source(_ place: Int) -> Source {
    Source(
      number: place, turn: StoreInTurn(shelf.stores[place], of: shelf), corrections: corrections)
  }
}

extension ExactText {
  /// Whether it is the name of something inside of a container.
  fileprivate func isInside(_ container: String) -> Bool {
    wrappedValue.utf8.starts(with: "\(container)!".utf8)
  }
}
