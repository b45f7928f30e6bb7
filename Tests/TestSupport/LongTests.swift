import Foundation
package import Testing

/// Tests that take so long, and guard what so few changes touch, that only `.ci/run` asks them.
package enum LongTests {
  /// Whether they are asked.
  package static let areWanted = ProcessInfo.processInfo.environment["REHOME_LONG_TESTS"] != nil
}

extension Trait where Self == ConditionTrait {
  /// Skips a test, visibly, unless long ones are wanted.
  package static var long: Self {
    .enabled(if: LongTests.areWanted, "REHOME_LONG_TESTS is not set, as .ci/run sets it")
  }
}
