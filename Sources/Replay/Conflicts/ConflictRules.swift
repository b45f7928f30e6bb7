/// What the server has where a change does not fit.
package enum ConflictSituation: String, Sendable, CaseIterable {
  /// The item was changed since the device saw it.
  case changed
  /// The item was deleted.
  case deleted
  /// An item with the id of the new one exists.
  case exists
}

/// What is done about a conflict.
package enum ConflictPolicy: String, Sendable, CaseIterable {
  /// Begin nothing new and end the run.
  case stop
  /// Leave it and go on.
  case skip
  /// Send the device's change on top of what the server has.
  case clientWins = "client-wins"
  /// Give up the device's change.
  case serverWins = "server-wins"
  /// Take whichever was changed last; where that is not known, leave it.
  case newest
}

/// Which policy decides which conflict.
package struct ConflictRules: Sendable, Equatable {
  /// The policy where no line of the truth table fits.
  package var fallback: ConflictPolicy = .skip

  /// Rules with one policy for everything.
  package init(_ fallback: ConflictPolicy = .skip) {
    self.fallback = fallback
  }
}
