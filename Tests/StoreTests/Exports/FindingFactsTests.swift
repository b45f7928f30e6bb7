import Formats
import Records
import Testing

@testable import Exports

struct FindingFactsTests {
  /// The number of a source is told only where there are several.
  @Test(arguments: [0, 2] as [Int32]) func findingNamesItsSource(_ source: Int32) throws {
    var finding = Finding("queue-not-read", .error, message: "m")
    finding.source = source
    guard case .object(let facts) = JSONValue.finding(finding) else {
      Issue.record("no object")
      return
    }
    #expect(facts[SourceColumn.name] == (source == 0 ? nil : .count(2)))
  }
}
