import Bytes
import Records
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// A comparison of rows can be stopped at any of its passes, which may take long.
struct StoppedComparisonTests {
  /// Compares a table with itself, and is stopped when so many batches were asked about.
  private func error(isByID: Bool, after count: Int) throws -> StoreError? {
    let fixture = try ExportFixture()
    let store = try fixture.sample("ios-2016")
    let asked = StopAfter()
    let session = try Session(silent: ["verify", store, store]) { asked.isDone }
    let reader = try session.openStore(store, isAlone: false)
    let table = reader.catalogue.tables[0]
    let rows = try reader.countRows(inTable: 0)
    asked.begin(count)
    var comparison = RowComparison(table: table, limit: 5, counts: Sides(rows, rows))
    comparison.isByID = isByID
    do {
      _ = try comparison.run(Sides(.table(reader, 0), .none), session)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [false, true])
  func everyPassCanBeStopped(isByID: Bool) throws {
    #expect(try error(isByID: isByID, after: .max) == nil)
    for count in 0..<4 {
      #expect(try error(isByID: isByID, after: count)?.kind == .interrupted, "\(count)")
    }
  }
}

/// Asks to stop when it was asked often enough.
private final class StopAfter: Sendable {
  private let left = Atomic<Int>(.max)

  func begin(_ count: Int) { left.store(count, ordering: .relaxed) }

  var isDone: Bool { left.wrappingSubtract(1, ordering: .relaxed).oldValue <= 0 }
}
