import Records
import Replay

/// Carries requests of a replay to their target and brings back what comes of them.
///
/// It stays on the thread that made it. Every request that was started gives one event.
protocol ReplayTransport: AnyObject {
  /// Sends a request, or keeps it until the next `wait`.
  func start(_ request: ReplayRequest)

  /// The answers and failures that are there, at the latest when the time is over.
  ///
  /// - Throws: `StoreError` when the target is a store that can no longer be read or written.
  func wait(milliseconds: Int) throws(StoreError) -> [ReplayEvent]

  /// Ends the work on the target.
  ///
  /// - Throws: `StoreError` when the target is a store that cannot be completed.
  func close() throws(StoreError)
}
