import Glibc
import Synchronization

/// Runs `body` once for each number below `count`, on as many threads, and waits for all of them.
///
/// The numbers are given out in order, so that a slow one holds up nobody. A thread that the
/// system refuses is done without: the caller's own is always there. All work under its limits.
package func inParallel(_ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
  inParallel(count, threads: threads, by: { body })
}

/// The same with a `body` for each thread, which may keep its memory from number to number.
package func inParallel(
  _ count: Int, threads: Int, by makeBody: @escaping @Sendable () -> (Int) -> Void
) {
  let work = ParallelWork(count: count, makeBody: makeBody)
  var helpers: [pthread_t] = []
  for _ in 1..<max(1, min(threads, count)) {
    var helper = pthread_t()
    // The thread takes over the reference that is passed to it, and gives it back at its end.
    let reference = unsafe Unmanaged.passRetained(work)
    let result = unsafe pthread_create(&helper, nil, runParallelWork, reference.toOpaque())
    guard result == 0 else {
      unsafe reference.release()
      break
    }
    helpers.append(helper)
  }
  work.run()
  for helper in helpers { pthread_join(helper, nil) }
}

/// Makes a value of each slice of a list, on as many threads, in the order of the slices.
package func inParallel<Value: Sendable>(
  slicesOf count: Int, threads: Int, _ make: @escaping @Sendable (Range<Int>) -> Value
) -> [Value] {
  let size = 8 << 10
  let values = SliceValues<Value>(count: (count &+ size &- 1) / size)
  inParallel(values.count, threads: threads) { number in
    let start = number &* size
    values.set(make(start..<min(start &+ size, count)), at: number)
  }
  return values.all
}

/// What is made of slices.
private final class SliceValues<Value: Sendable>: Sendable {
  let count: Int
  private let values: Mutex<[Value?]>

  init(count: Int) {
    self.count = count
    values = Mutex(Array(repeating: nil, count: count))
  }

  func set(_ value: Value, at number: Int) { values.withLock { $0[number] = value } }

  var all: [Value] { values.withLock { $0.compactMap(\.self) } }
}

/// What the threads share.
private final class ParallelWork: Sendable {
  private let next = Atomic(0)
  private let count: Int
  private let makeBody: @Sendable () -> (Int) -> Void
  private let limits = InputLimits.current

  init(count: Int, makeBody: @escaping @Sendable () -> (Int) -> Void) {
    self.count = count
    self.makeBody = makeBody
  }

  func run() {
    InputLimits.$current.withValue(limits) {
      let body = makeBody()
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        body(number)
      }
    }
  }
}

private func runParallelWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  // The pointer is the reference that `inParallel` passed on.
  unsafe Unmanaged<ParallelWork>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
