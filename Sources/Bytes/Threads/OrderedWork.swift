import Synchronization

/// Work that threads share; what comes of it is taken in the order in which it was put in.
///
/// Only a few items are under way at a time, and of each only a few outputs wait to be taken, so
/// memory stays flat however much there is to do.
package struct OrderedWork<Item: Sendable, Output: Sendable>: ~Copyable {
  /// Does one item and hands out what comes of it, piece by piece; false says to stop.
  package typealias Worker = (_ item: Item, _ emit: (Output) -> Bool) -> Void

  private struct Job: Sendable {
    let item: Item
    let outputs: Channel<Output>
  }

  private let makeWorker: @Sendable () -> Worker
  private let threadCount: Int
  private let jobs: Channel<Job>
  private var threads: [JoinedThread] = []
  /// Does the first item, and all where there are no threads.
  private var ownWorker: Worker?
  private var hasBegun = false
  /// The outputs of the items under way, the oldest first.
  private var pending: [Channel<Output>] = []

  /// How many outputs of one item wait to be taken.
  private static var outputLimit: Int { 2 }
  /// How many items are under way for each thread.
  private static var itemsForThread: Int { 2 }

  /// Prepares for so many threads, each with a worker of its own.
  ///
  /// Where the count is one, or nothing comes after the first item, none is started.
  package init(threads count: Int, makeWorker: @escaping @Sendable () -> Worker) {
    self.makeWorker = makeWorker
    threadCount = count
    jobs = Channel<Job>(capacity: max(1, count * Self.itemsForThread))
    ownWorker = makeWorker()
  }

  deinit {
    jobs.close()
    // A worker that still has something to say hears that nobody listens.
    for outputs in pending { outputs.close() }
    for thread in threads { thread.join() }
  }

  /// Puts in an item; what is ready before it, and what has to make room, goes to `take`.
  package mutating func put<Failure: Error>(
    _ item: Item, _ take: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    if hasBegun, threads.isEmpty, threadCount > 1 { start() }
    hasBegun = true
    if let ownWorker { return try Self.run(ownWorker, item, take) }
    let outputs = Channel<Output>(capacity: Self.outputLimit)
    pending.append(outputs)
    _ = jobs.send(Job(item: item, outputs: outputs))
    while pending.count >= threads.count * Self.itemsForThread { try takeFirst(take) }
  }

  /// Waits for all that is under way.
  package mutating func finish<Failure: Error>(
    _ take: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    while !pending.isEmpty { try takeFirst(take) }
  }

  /// Starts the threads; where the system gives fewer, those that there are do the work.
  private mutating func start() {
    threads = (0..<threadCount).compactMap { [jobs, makeWorker] _ in
      JoinedThread {
        let work = makeWorker()
        while let job = jobs.receive() {
          work(job.item) { job.outputs.send($0) }
          job.outputs.close()
        }
      }
    }
    if !threads.isEmpty { ownWorker = nil }
  }

  private mutating func takeFirst<Failure: Error>(
    _ take: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    guard let outputs = pending.first else { return }
    // It stays pending until its end, so that an error can still stop its worker.
    while let output = outputs.receive() { try take(output) }
    pending.removeFirst()
  }

  private static func run<Failure: Error>(
    _ worker: @escaping Worker, _ item: Item, _ take: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    worker(item) { output in
      // What a worker still says after it was asked to stop is not the reason.
      guard failure == nil else { return false }
      do throws(Failure) {
        try take(output)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }
}

/// A thread among others that are joined together.
private final class JoinedThread: Sendable {
  private let thread: Mutex<WorkThread?>

  init?(_ body: @escaping @Sendable () -> Void) {
    guard let started = WorkThread(body) else { return nil }
    thread = Mutex(started)
  }

  func join() {
    let taken = thread.withLock { $0.take() }
    taken?.join()
  }
}
