import Testing

@testable import Records

struct ListedFindingsTests {
  @Test func firstOfACodeAreListedAndTheOthersCounted() throws {
    var queue = Queue()
    for number in 0..<1500 {
      let severity = number == 1400 ? Severity.error : .note
      queue.tell(Finding("a", severity, table: "t", itemID: String(number), message: "odd"))
      if number == 1200 { queue.tell(Finding("b", .note, message: "other")) }
    }
    #expect(queue.findings.count == 1002)
    #expect(queue.findings.map(\.code).last == "a")
    let rest = try #require(queue.findings.first { $0.count > 1 })
    #expect(rest.itemID == nil && rest.count == 500 && rest.severity == .error)
    #expect(rest.table == "t")
    #expect(rest.message == "the same in 500 more places")
    #expect(queue.findings.reduce(0) { $0 + $1.count } == 1501)
  }

  @Test func restOfSeveralTablesIsOfNone() throws {
    var queue = Queue()
    for number in 0..<1500 {
      queue.tell(Finding("a", .note, table: number == 1499 ? "u" : "t", message: "odd"))
    }
    let rest = try #require(queue.findings.first { $0.count > 1 })
    #expect(rest.table == nil && rest.count == 500)
  }

  /// Operations are marked and judged by what was found about them.
  @Test func whatIsAboutOperationsIsAllListed() {
    var queue = Queue()
    for number in 0..<1500 {
      queue.tell(Finding("a", .note, operation: Int64(number), message: "odd"))
    }
    #expect(queue.findings.map(\.operation) == (0..<1500).map { Int64($0) })
  }
}
