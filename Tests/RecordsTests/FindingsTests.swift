import Testing

@testable import Records

/// Findings of which there are more than stay in memory.
struct FindingsTests {
  private static let count = 10_000

  private static func finding(_ number: Int) -> Finding {
    var finding = Finding(
      number % 3 == 0 ? "a" : "b", Severity.allCases[number % 3],
      table: number % 5 == 0 ? nil : "table \(number % 7)",
      itemID: number % 11 == 0 ? nil : "item \(number)",
      operation: number % 13 == 0 ? nil : Int64(number) - 100,
      message: number % 17 == 0 ? String(repeating: "long ä ", count: 50) : "odd",
      count: number % 19 == 0 ? number + 1 : 1)
    finding.source = Int32(number % 4)
    return finding
  }

  @Test func allComeBackInTheirOrder() {
    let array = (0..<Self.count).map(Self.finding)
    let findings = Findings(array)
    #expect(findings.count == array.count)
    #expect(findings.first == array.first)
    #expect(Array(findings) == array)
    #expect(findings == Findings(array))
    #expect(findings != Findings(array.dropLast()))
  }

  @Test func copiesGrowApart() {
    var first = Findings((0..<Self.count).map(Self.finding))
    var second = first
    first.append(contentsOf: (0..<Self.count).map { Self.finding($0 + 1) })
    second.append(contentsOf: (0..<Self.count).map { Self.finding($0 + 2) })
    #expect(Array(first.dropFirst(Self.count)) == (0..<Self.count).map { Self.finding($0 + 1) })
    #expect(Array(second.dropFirst(Self.count)) == (0..<Self.count).map { Self.finding($0 + 2) })
  }

  @Test(arguments: [0, 3, 4095, 4096, 5000], [0, 2, 4096, 9000])
  func listsFollowEachOther(first: Int, second: Int) {
    let one = (0..<first).map(Self.finding)
    let other = (0..<second).map { Self.finding($0 + 7) }
    var both = Findings(one) + Findings(other)
    #expect(both.count == first + second)
    #expect(Array(both) == one + other)
    both.append(Self.finding(1))
    #expect(Array(both) == one + other + [Self.finding(1)])
    #expect(both.changed { $0.table = "t" }.allSatisfy { $0.table == "t" })
  }
}
