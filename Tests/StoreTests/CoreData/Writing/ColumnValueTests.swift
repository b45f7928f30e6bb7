import CoreData
import Records
import Tables
import Testing

/// Values go into an app's column only where the app can store them.
struct ColumnValueTests {
  private func isRejected(_ number: Double, as form: ColumnStorage.Form) -> Bool {
    let arena: [UInt8] = []
    var bytes: [UInt8] = []
    if case .rejected = form.value(.real(number), arena: arena.span, into: &bytes) { return true }
    return false
  }

  @Test(arguments: [1e300, -1e300, 3.5e38])
  func floatTakesNothingThatBecomesInfinite(number: Double) {
    #expect(isRejected(number, as: .float))
    #expect(!isRejected(number, as: .real))
  }

  @Test(arguments: [Double.infinity, -Double.infinity, 0.5, 0, 1e30])
  func floatTakesTheNearestNumber(number: Double) {
    #expect(!isRejected(number, as: .float))
  }
}
