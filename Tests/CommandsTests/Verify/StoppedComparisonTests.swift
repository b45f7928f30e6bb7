import Bytes
import Records
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// A comparison of rows can be stopped at any of its passes, which may take long.
struct StoppedComparisonTests {
  /// Compares a table with nothing, and is stopped when it has asked so often whether to go on.
  private func compare(
    isByID: Bool, asking count: Int
  ) throws -> (error: StoreError?, asked: Int) {
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
      return (nil, asked.count)
    } catch {
      return (error, asked.count)
    }
  }

  @Test(arguments: [false, true])
  func everyPassCanBeStopped(isByID: Bool) throws {
    let whole = try compare(isByID: isByID, asking: .max)
    // The rows are read, all parts of what was kept of them compared, and those that differ read again.
    #expect(whole.error == nil && whole.asked > 3)
    for count in [0, 1, whole.asked / 2, whole.asked - 2, whole.asked - 1] {
      let stopped = try compare(isByID: isByID, asking: count)
      #expect(stopped.error?.kind == .interrupted, "\(count)")
      #expect(stopped.asked == count + 1)
    }
  }
}

/// Asks to stop when it was asked often enough.
private final class StopAfter: Sendable {
  private let limit = Atomic<Int>(.max)
  private let asked = Atomic<Int>(0)

  func begin(_ count: Int) {
    asked.store(0, ordering: .relaxed)
    limit.store(count, ordering: .relaxed)
  }

  var count: Int { asked.load(ordering: .relaxed) }

  var isDone: Bool {
    asked.wrappingAdd(1, ordering: .relaxed).oldValue >= limit.load(ordering: .relaxed)
  }
}
