/// What can still become of a change that a device has made.
package enum ChangeFate: UInt8, Sendable, CaseIterable {
  /// It was refused, met a newer copy or stands beside one, so a person has to choose.
  case decide
  /// What it would send is not there, or nobody can tell what it is.
  case lost
  case ready
  /// It was sent, or a person has dropped it.
  case settled
}

/// How many changes have each fate.
package struct FateCounts: Sendable, Equatable {
  private var counts = [Int](repeating: 0, count: ChangeFate.allCases.count)

  /// None.
  package init() {}

  /// How many have a fate.
  package subscript(fate: ChangeFate) -> Int {
    get { counts[Int(fate.rawValue)] }
    set { counts[Int(fate.rawValue)] = newValue }
  }

  var total: Int { counts.reduce(0, +) }

  /// How many have not reached the server.
  package var waiting: Int { total - self[.settled] }

  /// How many a replay would send, as they are or once a person has decided.
  package var sendable: Int { self[.decide] + self[.ready] }

  /// Adds those of another store.
  mutating func add(_ other: FateCounts) {
    for fate in ChangeFate.allCases { self[fate] += other[fate] }
  }
}
