import TestSupport
import Testing

@testable import SQLiteFile

struct ByteMapTests {
  /// What a map says of each of some ranges in turn.
  private func answers(to ranges: [Range<Int>]) -> [Bool] {
    var map = ByteMap(size: 65536)
    return ranges.map { map.mark($0) }
  }

  @Test func neighboursShareNothing() {
    #expect(
      answers(to: [60..<64, 64..<200, 0..<60, 200..<512, 65472..<65536]) == [
        true, true, true, true, true,
      ])
  }

  @Test(arguments: [0..<64, 63..<64, 63..<65, 64..<65, 127..<300, 190..<191, 65472..<65536])
  func singleSharedByteIsSeen(bytes: Range<Int>) {
    for shared in [bytes.lowerBound, bytes.upperBound - 1] {
      #expect(answers(to: [bytes, shared..<shared + 1]) == [true, false])
    }
  }

  @Test func mapForgetsWhenToldTo() {
    var map = ByteMap(size: 100)
    _ = map.mark(0..<100)
    map.removeAll()
    let isFree = map.mark(0..<100)
    #expect(isFree)
  }

  @Test func mapTellsWhatASetOfBytesTells() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let ranges = (0..<20).map { _ in
        let start = Int.random(in: 0..<2000, using: &random)
        return start..<start + Int.random(in: 4...60, using: &random)
      }
      var used: Set<Int> = []
      let first = ranges.firstIndex { bytes in
        defer { used.formUnion(bytes) }
        return !used.isDisjoint(with: bytes)
      }
      #expect(answers(to: ranges).firstIndex(of: false) == first, "\(random)")
    }
  }
}
