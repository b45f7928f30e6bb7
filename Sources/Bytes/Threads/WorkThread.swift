import Glibc
import Synchronization

/// A thread of the system that does one piece of work and ends.
///
/// Unlike a task it may wait for others as long as it must: no pool runs out of threads. It works
/// under the limits of the task that started it.
@safe
package struct WorkThread: ~Copyable {
  private let thread: pthread_t

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts the work; nil when the system gives no thread.
  package init?(_ body: @escaping @Sendable () -> Void) {
    let limits = InputLimits.current
    // The thread takes over the reference; if there is none, it is given back here.
    let work = unsafe Unmanaged.passRetained(
      Work { InputLimits.$current.withValue(limits, operation: body) })
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { work in
        guard let work = unsafe work else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, unsafe work.toOpaque())
    guard result == 0 else {
      unsafe work.release()
      return nil
    }
    self.thread = thread
  }

  /// Whether the system gives a thread.
  package static var isToBeHad: Bool {
    guard let thread = WorkThread({}) else { return false }
    thread.join()
    return true
  }

  /// Waits until the work is done.
  package consuming func join() {
    // Joined once, because the value ends here.
    pthread_join(thread, nil)
  }
}

/// A number of permits that threads wait for.
///
/// Sendable because the semaphore behind the pointer is made for use by several threads, and the
/// pointer itself never changes.
@safe
final class CountingSemaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init(_ permits: Int) {
    unsafe semaphore = .allocate(capacity: 1)
    // Initialised once, before anybody else can know it.
    unsafe sem_init(semaphore, 0, UInt32(permits))
  }

  deinit {
    // Nobody waits: whoever waits holds a reference.
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Waits until there is a permit, and takes it.
  func wait() {
    // A signal may end the waiting early.
    while unsafe sem_wait(semaphore) != 0 {}
  }

  func signal() {
    unsafe sem_post(semaphore)
  }
}

/// How many processors the system has for its threads; at least one.
func processorCount() -> Int {
  max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}

/// How many threads work at a time: one for each processor, unless the run was given another number.
package func threadCount() -> Int { InputLimits.current.threads ?? processorCount() }

/// A value that another thread makes while the one that needs it does something else.
package final class Background<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  private let made: Made
  private let thread: Mutex<WorkThread?>

  /// Where the thread leaves the value; it may outlive neither of both that look at it.
  private final class Made: Sendable {
    let value = Mutex<Value?>(nil)
  }

  /// Begins to make a value; with one thread it is made when it is asked for.
  package init(threads: Int, _ make: @escaping @Sendable () -> Value) {
    let made = Made()
    self.make = make
    self.made = made
    var thread: WorkThread?
    if threads > 1 {
      thread = WorkThread {
        let value = make()
        made.value.withLock { $0 = value }
      }
    }
    self.thread = Mutex(thread)
  }

  deinit { wait() }

  /// The value, waited for if need be.
  package var value: Value {
    wait()
    return made.value.withLock { value in
      let known = value ?? make()
      value = known
      return known
    }
  }

  private func wait() {
    let running = thread.withLock { $0.take() }
    running?.join()
  }
}
