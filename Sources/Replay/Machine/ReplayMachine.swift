package import Records

/// Decides what is sent when, and what answers mean; it has no clock, no network and no files.
///
/// Feed `start`, carry out the actions in order, and feed what comes of them until `finish`.
/// Several events may be fed at once: they share one journal action, and so one flush of the disk.
package struct ReplayMachine: Sendable {
  /// What is sent.
  package let plan: ReplayPlan
  private let settings: ReplaySettings

  /// A machine at the beginning of its run.
  package init(_ plan: ReplayPlan, _ settings: ReplaySettings) {
    self.plan = plan
    self.settings = settings
  }

  /// Takes events at a time in milliseconds since 1970 and says what to do.
  ///
  /// `item` gives what an insert or update sends, from the row as it is now; nil where it is gone.
  ///
  /// - Throws: whatever `item` throws.
  package mutating func handle(
    _ events: [ReplayEvent], at now: Int64,
    item: (ReplayStep) throws(StoreError) -> ReplayItem?
  ) throws(StoreError) -> [ReplayAction] {
    []
  }
}
