package import Records

/// How a run goes.
package struct ReplaySettings: Sendable {
  /// What the server speaks.
  package var dialect: Dialect
  /// How tables are called there.
  package var tables = TableMap()
  /// How conflicts are decided.
  package var conflicts = ConflictRules()
  /// How many steps are under way at once; a step that waits for its next try counts.
  package var jobs = 1
  /// The most requests a second.
  package var rate: Double?
  /// After more operations than this that were refused or given up nothing new is begun.
  package var maxFailures: Int?
  /// How often a step is tried before it is left for a later run.
  package var maxAttempts = 8
  /// The back-off before the second try; it doubles, in milliseconds.
  package var firstDelay: Int64 = 250
  /// The longest back-off, in milliseconds.
  package var longestDelay: Int64 = 30_000
  /// The longest wait that a server's `Retry-After` is granted, in milliseconds.
  var longestRetryAfter: Int64 = 600_000
  /// Whether each table is asked for before anything is sent to it.
  var asksForTables = true
  /// The seed of the jitter.
  package var seed: UInt64 = 0

  /// The settings for a server of a dialect.
  package init(dialect: Dialect) {
    self.dialect = dialect
  }
}
