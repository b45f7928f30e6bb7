import Bytes
import Testing

struct ParallelTests {
  @Test(arguments: [0, 1, 8192, 8193, 100_000], [1, 4])
  func slicesHoldEachPlaceOnceInOrder(count: Int, threads: Int) {
    let slices = inParallel(slicesOf: count, threads: threads) { Array($0) }
    #expect(slices.flatMap { $0 } == Array(0..<count))
  }
}
