import Bytes
import TestSupport
import Testing

@testable import Records

struct LatestServersTests {
  /// What is found for devices 1 to 4 when these went to these servers, one line after the other.
  ///
  /// Where nothing else is said, each is later than the one before.
  private func latest(
    _ moves: [(device: Int32, server: Int)], at times: [Int]? = nil
  ) -> [Int?] {
    var servers = LatestServers()
    for (line, move) in moves.enumerated() {
      let seconds = Int64(times?[line] ?? line)
      servers.add(
        move.server, of: move.device, line: Int64(line),
        at: Timestamp(wholeSecondsSince1970: seconds, nanoseconds: 0) ?? .epoch)
    }
    servers.settle()
    return (1...4).map { servers[$0] }
  }

  @Test func devicesThatNeverMetKeepTheirOwn() {
    #expect(latest([(1, 7), (2, 8), (2, 8), (3, 7)]) == [7, 8, 7, nil])
    #expect(latest([]) == [nil, nil, nil, nil])
  }

  /// A replay that ended after the first device was to reach all of them.
  @Test func devicesFollowThoseThatWereWhereTheyAre() {
    #expect(latest([(1, 7), (2, 7), (3, 8), (1, 9)]) == [9, 9, 8, nil])
    #expect(latest([(1, 7), (2, 7), (3, 7), (1, 8), (2, 8), (1, 9)]) == [9, 9, 9, nil])
  }

  @Test func nobodyGoesBackToWhereTheyCameFrom() {
    #expect(latest([(1, 7), (1, 8), (2, 8), (2, 7)]) == [7, 7, nil, nil])
    #expect(latest([(1, 7), (2, 8), (1, 8), (1, 7)]) == [7, 7, nil, nil])
    #expect(latest([(1, 7), (1, 8), (2, 7)]) == [8, 7, nil, nil])
  }

  /// Journals of their own stand one behind the other in a merge, in any order.
  @Test func movesOfOtherTimesDrawNobodyAlong() {
    let (first, second) = ([(Int32(1), 7), (1, 8)], [(Int32(2), 7)])
    #expect(latest(first + second, at: [1, 2, 3]) == [8, 7, nil, nil])
    #expect(latest(second + first, at: [3, 1, 2]) == [8, 7, nil, nil])
  }

  @Test func newNumbersOfServersCount() {
    var servers = LatestServers()
    servers.add(0, of: 1, line: 1, at: .epoch)
    servers.add(1, of: 2, line: 2, at: .epoch)
    servers.settle()
    let renumbered = servers.renumbered { $0 == 1 ? 0 : nil }
    #expect(renumbered[1] == nil && renumbered[2] == 0 && renumbered.all == [0])
  }

  /// Against a model that takes the steps one by one.
  @Test(arguments: [true, false]) func eachDeviceEndsWhereStepsToLaterLinesEnd(isSorted: Bool) {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<4000 {
      let moves = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        (
          device: Int32.random(in: 1...4, using: &random),
          server: Int.random(in: 0...5, using: &random)
        )
      }
      let times = moves.indices.map { isSorted ? $0 : Int.random(in: 0...12, using: &random) }
      let expected = (1...4).map { device in
        guard var line = moves.lastIndex(where: { $0.device == device }) else { return nil as Int? }
        while let further = Self.moveAway(from: moves[line].server, in: moves, at: times),
          further > line, times[further] >= times[line]
        {
          line = further
        }
        return moves[line].server
      }
      #expect(latest(moves, at: times) == expected, "\(moves) at \(times)")
    }
  }

  /// The newest of the last lines of devices that had been at a server and have gone to another.
  private static func moveAway(
    from server: Int, in moves: [(device: Int32, server: Int)], at times: [Int]
  ) -> Int? {
    (1...4).compactMap { device -> Int? in
      guard let last = moves.lastIndex(where: { $0.device == device }),
        moves[last].server != server,
        moves.contains(where: { $0.device == device && $0.server == server })
      else { return nil }
      return last
    }.max { (times[$0], $0) < (times[$1], $1) }
  }
}
