import CSQLite

/// Says whether the run must stop; asked every few thousand steps of a query.
package final class Interruption: Sendable {
  private let poll: @Sendable () -> Bool

  /// Asks `poll`, which must be quick.
  package init(_ poll: @escaping @Sendable () -> Bool) {
    self.poll = poll
  }

  /// Whether something has asked to stop.
  package var isRaised: Bool { poll() }
}

extension Connection {
  /// What may ask to stop; whoever works long without a query asks it, too.
  package var interruption: Interruption? { watched.interruption }

  /// Ends running and later queries with `.interrupt` once `interruption` is raised.
  package func watch(_ interruption: Interruption) {
    watched.interruption = interruption
    // The callback only borrows the object, which the connection keeps alive until it is closed.
    let context = unsafe Unmanaged.passUnretained(interruption).toOpaque()
    unsafe sqlite3_progress_handler(
      handle, 10_000,
      { context in
        guard let context = unsafe context else { return 0 }
        let interruption = unsafe Unmanaged<Interruption>.fromOpaque(context)
        return unsafe interruption.takeUnretainedValue().isRaised ? 1 : 0
      }, context)
  }
}
