import Records
import TestSupport
import Testing

@testable import Merging

struct LostRowsTests {
  /// Numbers of any width come one after the other, and those before stay what they were.
  @Test(arguments: [[1, 2, 3], [3, 1, 2], [Int64.max, .min, 0], [1, 1 << 40, 2]])
  func winnersAreFoundInWhateverOrderRowsCame(keys: [Int64]) {
    let winners: [(key: Int64, source: Int)] = [(7, 0), (70_000, 300), (.max, 1 << 20)]
    var rows = LostRows(keys)
    for (key, winner) in zip(keys, winners) {
      rows.note(key, givingWayTo: winner.key, source: winner.source)
    }
    for (key, winner) in zip(keys, winners) {
      #expect(rows.keys.contains(key))
      #expect(rows.winner(of: key)?.key == winner.key)
      #expect(rows.winner(of: key)?.source == winner.source)
    }
    #expect(rows.winner(of: 77) == nil && LostRows().winner(of: 0) == nil)
  }

  @Test func ofTwoRowsWithOneKeyTheFirstCounts() {
    var rows = LostRows([5, 5])
    rows.note(5, givingWayTo: 1, source: 1)
    rows.note(5, givingWayTo: 2, source: 2)
    #expect(rows.winner(of: 5)?.key == 1 && rows.winner(of: 5)?.source == 1)
    rows.note(6, givingWayTo: 3, source: 3)
    #expect(rows.winner(of: 6) == nil)
  }

  @Test func manyWinnersAreThoseThatWereNoted() {
    var generator = SeededGenerator(seed: 3)
    let keys = Set((0..<2000).map { _ in Int64.random(in: -9000..<9000, using: &generator) })
    let winners = Dictionary(
      uniqueKeysWithValues: keys.map { key in
        (key, (1 as Int64) << Int64.random(in: 0..<63, using: &generator))
      })
    var rows = LostRows(Array(keys))
    for (key, winner) in winners { rows.note(key, givingWayTo: winner, source: Int(key & 0xFFF)) }
    for (key, winner) in winners {
      #expect(rows.winner(of: key)?.key == winner)
      #expect(rows.winner(of: key)?.source == Int(key & 0xFFF))
    }
  }
}
