import Glibc

/// A thread of the system that does one piece of work and ends.
///
/// Unlike a task it may wait for others as long as it must: no pool runs out of threads. It works
/// under the limits of the task that started it.
@safe
package struct WorkThread: ~Copyable {
  private let thread: pthread_t

  /// The work, on its way to the thread.
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

  /// Waits until the work is done.
  package consuming func join() {
    // Joined once, because the value ends here.
    pthread_join(thread, nil)
  }
}
