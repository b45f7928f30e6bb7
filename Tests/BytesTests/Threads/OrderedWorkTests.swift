import Bytes
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct OrderedWorkTests {
  private struct Refusal: Error, Equatable {
    let number: Int
  }

  /// Gives each number as often as its last digit says, after work that takes uneven time.
  private static func makeWorker() -> OrderedWork<Int, Int>.Worker {
    { number, emit in
      var value = UInt64(number)
      for _ in 0..<(number &* 7919 % 5000) { value = value &* 6_364_136_223_846_793_005 &+ 1 }
      for _ in 0..<number % 10 { guard value != 0, emit(number) else { return } }
    }
  }

  @Test(.mustEnd, arguments: [1, 2, 3, 16])
  func outputsComeInTheOrderOfTheItems(_ threads: Int) {
    var work = OrderedWork(threads: threads, makeWorker: Self.makeWorker)
    var taken: [Int] = []
    for number in 0..<1000 { work.put(number) { taken.append($0) } }
    work.finish { taken.append($0) }
    #expect(taken == (0..<1000).flatMap { Array(repeating: $0, count: $0 % 10) })
  }

  @Test(.mustEnd, arguments: [1, 2, 3])
  func itGoesOnAfterAllThatWasUnderWay(_ threads: Int) {
    var work = OrderedWork(threads: threads, makeWorker: Self.makeWorker)
    var taken: [Int] = []
    for start in stride(from: 0, to: 300, by: 7) {
      for number in start..<start + 7 { work.put(number) { taken.append($0) } }
      work.finish { taken.append($0) }
      #expect(taken.last.map { $0 > start } ?? true)
    }
    #expect(taken == (0..<301).flatMap { Array(repeating: $0, count: $0 % 10) })
  }

  @Test(.mustEnd, arguments: [1, 2, 5], [3, 57, 999])
  func anErrorOfTheTakerEndsTheWork(_ threads: Int, _ last: Int) {
    #expect(throws: Refusal(number: last)) {
      var work = OrderedWork(threads: threads, makeWorker: Self.makeWorker)
      let take = { (number: Int) throws(Refusal) in
        if number == last { throw Refusal(number: number) }
      }
      for number in 0..<10_000 { try work.put(number, take) }
      try work.finish(take)
    }
  }

  @Test(.mustEnd, arguments: [1, 2, 4])
  func onlyFewItemsAreUnderWay(_ threads: Int) {
    let begun = Atomic(0)
    var work = OrderedWork<Int, Int>(threads: threads) {
      { number, emit in
        begun.add(1, ordering: .relaxed)
        _ = emit(number)
      }
    }
    for number in 0..<200 {
      work.put(number) { taken in
        #expect(begun.load(ordering: .relaxed) <= taken + 1 + 2 * threads)
      }
    }
    work.finish { _ in }
    #expect(begun.load(ordering: .relaxed) == 200)
  }

  @Test(.mustEnd)
  func aWorkerWithMuchToSayWaitsForItsTaker() {
    let said = Atomic(0)
    var work = OrderedWork<Int, Int>(threads: 2) {
      { number, emit in
        for _ in 0..<1000 {
          said.add(1, ordering: .relaxed)
          guard emit(number) else { return }
        }
      }
    }
    var taken = 0
    for number in 0..<4 {
      work.put(number) { _ in
        taken += 1
        // The first item is done on this thread, and each of two others is a few outputs ahead.
        #expect(said.load(ordering: .relaxed) <= taken + 8)
      }
    }
    work.finish { _ in taken += 1 }
    #expect(taken == 4000)
  }
}
