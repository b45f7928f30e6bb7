import Synchronization

/// A value that another thread makes while the one that needs it does something else.
package final class LaterValue<Value: Sendable>: Sendable {
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
