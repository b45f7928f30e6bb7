import Testing

@testable import Records

/// What is told of values that a store keeps follows from these values.
struct RejectCountsTests {
  private func reject(_ column: String, _ code: String, source: Int32 = 0) -> RejectedValue {
    var reject = RejectedValue(table: "Todo", row: 1, column: column, code: code, raw: nil)
    reject.source = source
    return reject
  }

  private func findings(_ rejects: [RejectedValue]) -> [Finding] {
    var counts = RejectCounts()
    for reject in rejects { counts.add(reject) }
    return counts.findings
  }

  @Test func valuesAreCountedByColumnAndReason() {
    let found = findings([
      reject("n", "value-of-wrong-type"), reject("d", "value-out-of-range"),
      reject("n", "value-of-wrong-type"), reject("d", "row-json-unreadable"),
      reject("f", "external-data-missing"), reject("f", "of-another-version"),
      reject("n", "value-of-wrong-type", source: 2),
    ])
    #expect(
      found.map { "\($0.source) \($0.severity) \($0.message)" } == [
        "0 error column d: 1 row holds no JSON object",
        "0 warning column d: 1 value is out of range",
        "0 warning column n: 2 values are not of the column's type",
        "2 warning column n: 1 value is not of the column's type",
      ])
  }

  @Test func columnsWithoutEndAreCountedTogether() throws {
    let found = findings((0..<ListedFindings.limit + 5).map { reject("c\($0)", "invalid-text") })
    #expect(found.count == ListedFindings.limit + 1)
    let rest = try #require(found.last)
    #expect(rest.message == "columns that are not listed: 5 texts are not UTF-8" && rest.count == 5)
  }

  /// What an earlier run told of them is told anew, and nothing else is left out.
  @Test(arguments: RejectCode.allCases)
  func whatARunToldIsKnown(_ code: RejectCode) {
    let messages =
      [code.words(1, inColumn: "d"), code.words(2, inColumn: nil)]
      + [1, 2].map { RejectCode.words($0, keptIn: "rejects") }
      + ["4 values of Todo could not be taken over and became NULL; what they were is in rejects"]
    for message in messages {
      var finding = Finding(code.rawValue, .warning, table: "Todo", message: message)
      #expect(finding.followsFromRejects)
      finding.operation = 1
      #expect(!finding.followsFromRejects)
    }
    let other = Finding(code.rawValue, .warning, table: "Todo", message: "the file a is missing")
    #expect(!other.followsFromRejects)
    #expect(Findings([other]).withoutRejects.count == 1)
  }
}
