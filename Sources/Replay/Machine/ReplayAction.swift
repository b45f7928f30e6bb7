/// What the machine wants to be done, in this order.
package enum ReplayAction: Sendable, Equatable {
  /// Write these entries; they must be durable before any later action of the list is begun.
  case journal([JournalEntry])
  case settled(StepResult)
  /// Send a request; one answer or failure is due for it.
  case send(ReplayRequest)
  /// Feed a tick at this time, in the milliseconds of the events, unless something comes earlier.
  case wake(at: Int64)
  /// The run is over; no request is under way.
  case finish(ReplaySummary)
}
