import Synchronization
import Testing

@testable import Bytes

struct LaterValueTests {
  @Test(arguments: [1, 2])
  func valueIsMadeOnce(threads: Int) {
    let runs = Atomic(0)
    let later = Background(threads: threads) {
      runs.wrappingAdd(1, ordering: .relaxed).newValue + 41
    }
    #expect(later.value == 42)
    #expect(later.value == 42)
  }

  @Test func nobodyIsLeftAtWorkWhenTheValueIsNotAskedFor() {
    let runs = Atomic(0)
    do {
      _ = Background(threads: 2) { runs.wrappingAdd(1, ordering: .relaxed).newValue }
    }
    #expect(runs.load(ordering: .relaxed) == 1)
  }
}
