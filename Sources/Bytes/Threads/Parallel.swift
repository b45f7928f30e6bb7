import Glibc
import Synchronization

/// Runs `body` once for each number below `count`, on as many threads, and waits for all of them.
///
/// The numbers are given out in order, so that a slow one holds up nobody. A thread that the
/// system refuses is done without: the caller's own is always there. All work under its limits.
package func inParallel(_ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let work = ParallelWork(count: count, body: body)
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

/// What the threads share.
private final class ParallelWork: Sendable {
  private let next = Atomic(0)
  private let count: Int
  private let body: @Sendable (Int) -> Void
  private let limits = InputLimits.current

  init(count: Int, body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    self.body = body
  }

  func run() {
    InputLimits.$current.withValue(limits) {
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
