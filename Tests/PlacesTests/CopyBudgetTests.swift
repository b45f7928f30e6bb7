import Bytes
import TestSupport
import Testing

@testable import Places

/// Copies take from the disk what they need, as long as they are there.
struct CopyBudgetTests {
  @Test func whatCopiesTookComesBackWithTheirFolder() throws {
    let parent = try TemporaryFolder()
    let budget = CopyBudget(100)
    for _ in 0..<50 {
      let folder = try PrivateFolder(in: parent.path)
      try budget.take(60)
      folder.charge(budget)
      withExtendedLifetime(folder) {}
    }
    let kept = try PrivateFolder(in: parent.path)
    try budget.take(60)
    kept.charge(budget)
    kept.keep()
    // That the disk is full is no fault of the store.
    #expect {
      try budget.take(60)
    } throws: { error in
      (error as? PlaceFailure)?.kind == .noSpace
    }
  }
}
