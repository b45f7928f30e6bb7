import Bytes
import TestSupport
import Testing

@testable import Commands

struct TableGroupsTests {
  private static func groups(_ inputs: [[Int]]) -> [[Int]] {
    var groups = TableGroups()
    for tables in inputs { groups.add(Set(tables.map { ExactText("T\($0)") })) }
    return groups.all
  }

  @Test(arguments: [
    ([[]], [[0]]), ([[], []], [[0], [1]]), ([[1], [2], [1]], [[0, 2], [1]]),
    // What held others together comes behind them, in the order of the first of each.
    ([[1], [2], [1], [1, 2]], [[0, 2, 1, 3]]),
    ([[1], [2], [3], [3, 2], [2, 1]], [[0, 1, 2, 3, 4]]),
    ([[1, 1], [2], [], [2, 3], [3]], [[0], [1, 3, 4], [2]]),
  ])
  func inputsWithATableTogetherAreOneGroup(_ inputs: [[Int]], _ groups: [[Int]]) {
    #expect(Self.groups(inputs) == groups)
  }

  @Test func groupsHaveNoTableTogether() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let inputs = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Int.random(in: 0..<12, using: &random)
        }
      }
      let groups = Self.groups(inputs)
      #expect(groups.joined().sorted() == Array(inputs.indices))
      #expect(groups.map { $0.min() } == groups.map(\.first))
      #expect(groups.map { $0[0] } == groups.map { $0[0] }.sorted())
      var seen: Set<Int> = []
      for group in groups {
        let tables = group.map { Set(inputs[$0]) }
        #expect(seen.isDisjoint(with: tables.joined()))
        seen.formUnion(tables.joined())
        // Whatever is found from one input by way of tables is the whole group.
        var (found, rest) = (tables[0], tables.dropFirst().filter { !$0.isEmpty })
        while let next = rest.firstIndex(where: { !$0.isDisjoint(with: found) }) {
          found.formUnion(rest.remove(at: next))
        }
        #expect(rest.isEmpty)
      }
    }
  }

  /// Pages that tie the last of many files to the one before, and so on to the first.
  @Test(.timeLimit(.minutes(1))) func groupsThatAreTiedFromTheBackTakeNoSquare() {
    let count = 60_000
    let ties = (1..<count).reversed().map { [$0, $0 - 1] }
    #expect(Self.groups((0..<count).map { [$0] } + ties).count == 1)
  }
}
