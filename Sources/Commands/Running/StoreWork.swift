import Bytes

/// Work on stores: small ones side by side, each on one thread, a large one by itself with all of them.
///
/// What comes of them is taken in the order in which they were put in.
struct StoreWork<Item: Sendable, Output: Sendable>: ~Copyable {
  /// Does one store and hands out what comes of it, piece by piece; false says to stop.
  typealias Worker = @Sendable (_ item: Item, _ emit: (Output) -> Bool) -> Void

  private let work: Worker
  private var small: OrderedWork<Item, Output>
  private let hasTimeLimit: Bool
  private let largest: Int

  /// Prepares for stores; what has more than `largest` bytes keeps all processors busy by itself.
  init(_ session: Session, besideOthersUpTo largest: Int = 8 << 20, _ work: @escaping Worker) {
    self.work = work
    self.largest = largest
    // Several at a time would share their time.
    hasTimeLimit = session.hasTimeLimit
    small = OrderedWork(threads: threadCount()) {
      { item, emit in
        var limits = InputLimits.current
        // There are as many stores at a time as there are processors.
        limits.threads = 1
        InputLimits.$current.withValue(limits) {
          Session.$isOneOfMany.withValue(true) { work(item, emit) }
        }
      }
    }
  }

  /// Whether a store is worked on while others are.
  func isBesideOthers(_ turn: StoreInTurn) -> Bool {
    !turn.isLarger(than: largest) && !hasTimeLimit
  }

  /// Puts in a store; what is ready before it, and what has to make room, goes to `take`.
  mutating func put<Failure: Error>(
    _ item: Item, besideOthers: Bool, _ take: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    guard !besideOthers else { return try small.put(item, take) }
    try finish(take)
    var alone = OrderedWork<Item, Output>(threads: 1) { [work] in work }
    try alone.put(item, take)
  }

  /// Waits for all that is under way.
  mutating func finish<Failure: Error>(
    _ take: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    try small.finish(take)
  }
}
