import Bytes
import CommandLineKit
import Merging
import Places
import Records
import Synchronization

/// Looks at all stores of a shelf before they become one: at small ones side by side, at a large one
/// with all processors.
struct MergeSurvey {
  private let merge: StoreMerge
  private let session: Session
  private let corrections: SharedCorrections
  /// Whether stores that cannot be read are left out.
  let skips: Bool
  /// The stores that are merged, as places on the shelf.
  private(set) var chosen: [Int] = []
  /// The stores that cannot be read, as places on the shelf, each with the reason.
  private(set) var unreadable: [(place: Int, error: StoreError)] = []
  /// Those that were left out since another one has the same bytes, and what is lost of them alone.
  private(set) var twins: [Int] = []
  private(set) var lossesOfTwins: [Finding] = []
  private let firsts = SharedFirstStores()
  /// The store of which nothing more is wanted.
  private var leftOut: Int?

  init(_ merge: StoreMerge, _ session: Session, _ corrections: SharedCorrections) {
    self.merge = merge
    self.session = session
    self.corrections = corrections
    skips = session.arguments.flag("skip-unreadable")
  }

  /// Looks at all stores.
  ///
  /// - Throws: `StoreError` where the run must end at once; what is wrong with one store is kept.
  mutating func run(_ shelf: Shelf) throws(StoreError) {
    var progress = session.makeProgress(.stores, total: shelf.stores.count)
    defer { progress.clear() }
    let visit = MergeVisit(merge.survey, session, corrections, firsts, skips: skips)
    var work = StoreWork<MergeVisit.Store, MergeVisit.Sight>(session) { store, emit in
      visit.look(at: store, emit)
    }
    for place in shelf.stores.indices {
      progress.update(done: place, label: "compared")
      try session.checkSignal()
      let turn = StoreInTurn(shelf.stores[place], of: shelf)
      try work.put(
        MergeVisit.Store(place: place, turn: turn), besideOthers: work.isBesideOthers(turn)
      ) { (sight) throws(StoreError) in try take(sight) }
    }
    try work.finish { (sight) throws(StoreError) in try take(sight) }
  }

  private mutating func take(_ sight: MergeVisit.Sight) throws(StoreError) {
    for seen in sight.seen where leftOut != sight.place {
      switch seen {
      case .bytes(let hash, let losses):
        guard let findings = firsts.take(sight.name, losses, hash: hash) else { continue }
        lossesOfTwins += findings
        twins.append(sight.place)
        leftOut = sight.place
      case .failure(let error):
        try putAside(error, sight.place)
      case .piece(let piece):
        // Nothing comes of it where a store is missing.
        guard unreadable.isEmpty || skips else { continue }
        do {
          try merge.take(piece)
          if case .end = piece { chosen.append(sight.place) }
        } catch {
          var named = error
          named.path = named.path ?? sight.name
          try putAside(session.reported(named), sight.place)
        }
      }
    }
  }

  /// Notes that a store cannot be read; what stops the whole run is thrown, and so is what is wrong
  /// with no store.
  private mutating func putAside(_ error: StoreError, _ place: Int) throws(StoreError) {
    let endsRun: Set<FailureKind> = [.interrupted, .usage, .noSpace]
    guard !endsRun.contains(error.kind), !session.arguments.flag("fail-fast") else { throw error }
    merge.giveUp()
    leftOut = place
    unreadable.append((place, error))
  }
}

/// The stores that were taken so far, also for those that look at others meanwhile.
private final class SharedFirstStores: Sendable {
  private let stores = Mutex(FirstStores())

  /// Takes a store; of one with the bytes of another, what is lost of it alone.
  func take(_ name: String, _ losses: [Finding], hash: String) -> [Finding]? {
    stores.withLock { stores in
      guard stores.take(name, losses, hash: hash) != nil else { return nil }
      return stores.findings(ofTwin: name, losses, hash: hash)
    }
  }

  func contains(_ hash: String) -> Bool { stores.withLock { $0.contains(hash) } }
}

/// How one store is looked at, on any thread.
private struct MergeVisit: Sendable {
  struct Store: Sendable {
    /// On the shelf.
    let place: Int
    let turn: StoreInTurn
  }

  /// What is told of a store, a piece at a time.
  struct Sight: Sendable {
    let place: Int
    let name: String
    let seen: [Seen]
  }

  enum Seen: Sendable {
    /// The hash of the store's bytes, and what is lost of it where it lies, before all else.
    case bytes(String, [Finding])
    case piece(SourceSurvey.Piece)
    /// Why it cannot be read, after all else.
    case failure(StoreError)
  }

  private let survey: SourceSurvey
  private let session: Session
  private let corrections: SharedCorrections
  private let firsts: SharedFirstStores
  private let skips: Bool
  private let takesHash: Bool

  /// So many bytes are told at once: all of a small store, so that its thread need not wait.
  private static let mostBytes = 2 << 20

  init(
    _ survey: SourceSurvey, _ session: Session, _ corrections: SharedCorrections,
    _ firsts: SharedFirstStores, skips: Bool
  ) {
    self.survey = survey
    self.session = session
    self.corrections = corrections
    self.firsts = firsts
    self.skips = skips
    takesHash = session.arguments.flag("once")
  }

  func look(at store: Store, _ emit: (Sight) -> Bool) {
    let turn = store.turn
    var seen: [Seen] = []
    var size = 0
    func tell() -> Bool {
      defer { (seen, size) = ([], 0) }
      return emit(Sight(place: store.place, name: turn.name, seen: seen))
    }
    do throws(StoreError) {
      if takesHash, let hash = turn.hash {
        seen.append(.bytes(hash, turn.losses))
        // Of a twin of a store that was taken nothing else is wanted.
        if firsts.contains(hash) {
          _ = tell()
          return
        }
      }
      let reader = try turn.open(session, sharing: corrections)
      if skips {
        try reader.unchanged { () throws(StoreError) in try reader.expectReadable(session) }
      }
      try survey.look(
        at: reader, number: store.place, label: turn.name, hash: turn.hashOfCopy
      ) { (piece) throws(StoreError) in
        try session.checkInterruption()
        seen.append(.piece(piece))
        size += piece.size
        guard size < Self.mostBytes || tell() else {
          throw StoreError(.interrupted, "nobody takes what was seen")
        }
      }
    } catch {
      seen.append(.failure(session.reported(turn.named(error))))
    }
    _ = tell()
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
