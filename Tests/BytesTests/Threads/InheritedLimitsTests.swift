import Synchronization
import Testing

@testable import Bytes

/// Threads work under the limits of the task that started them.
struct InheritedLimitsTests {
  private let limits: InputLimits = {
    var limits = InputLimits()
    limits.depth = 7
    return limits
  }()

  @Test func aThreadHasTheLimitsOfWhoStartsIt() throws {
    let seen = Mutex<Int?>(nil)
    InputLimits.$current.withValue(limits) {
      let thread = WorkThread { seen.withLock { $0 = InputLimits.current.depth } }
      thread?.join()
    }
    #expect(seen.withLock { $0 } == 7)
  }

  @Test(arguments: [1, 2, 4]) func allWorkInParallelHasThem(threads: Int) {
    let seen = Mutex<[Int?]>([])
    InputLimits.$current.withValue(limits) {
      inParallel(20, threads: threads) { _ in
        seen.withLock { $0.append(InputLimits.current.depth) }
      }
    }
    #expect(seen.withLock { $0 } == Array(repeating: 7, count: 20))
  }

  @Test(arguments: [1, 2]) func allItemsOfOrderedWorkHaveThem(threads: Int) {
    var seen: [Int?] = []
    InputLimits.$current.withValue(limits) {
      var work = OrderedWork<Int, Int?>(threads: threads) {
        { _, emit in _ = emit(InputLimits.current.depth) }
      }
      for item in 0..<20 { work.put(item) { seen.append($0) } }
      work.finish { seen.append($0) }
    }
    #expect(seen == Array(repeating: 7, count: 20))
  }
}
