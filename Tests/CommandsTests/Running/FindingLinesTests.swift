import Records
import TestSupport
import Testing

@testable import Commands

/// The lines about findings name what they are about, and the most serious come first.
struct FindingLinesTests {
  private let note = Finding("tombstones", .note, table: "tasks", message: "1 row waits")

  @Test func placeIsNamed() {
    let findings = [
      note, Finding("names-from-fallback", .warning, message: "there is no model"),
      Finding(
        "error-conflict", .error, table: "tasks", itemID: "a\u{1B}", operation: 3, message: "no"),
    ]
    #expect(
      FindingLines(findings).lines == [
        "error: tasks, a\\u{1B}, operation 3: no [error-conflict]",
        "warning: there is no model [names-from-fallback]",
        "note: tasks: 1 row waits [tombstones]",
      ])
  }

  @Test func whatStoresShareIsToldOnce() {
    var lines = FindingLines(isShared: true)
    let other = Finding("tombstones", .note, table: "tags", message: "1 row waits")
    for (number, store) in ["a", "b", "c"].enumerated() {
      for var finding in [note, other, note] {
        finding.source = Int32(number + 1)
        lines.add(finding, about: store)
      }
    }
    #expect(
      lines.lines == [
        "note: a and 2 others: tasks: 1 row waits [tombstones]",
        "note: a and 2 others: tags: 1 row waits [tombstones]",
      ])
  }

  /// The codes of a store of ours are whatever its file says, and there may be many.
  @Test func manyCodesAreFoundWithoutASearch() {
    let clock = ThreadClock()
    var lines = FindingLines(isShared: true)
    for store in ["a", "b"] {
      for number in 0..<20_000 {
        lines.add(Finding("code-\(number)", .note, message: "1 row waits"), about: store)
      }
    }
    let told = lines.lines
    #expect(told.count == 20_000)
    #expect(told.first == "note: a and 1 other: 1 row waits [code-0]")
    #expect(clock.seconds < 15)
  }

  @Test func notesTakeNoPlaceFromErrors() {
    let notes = (1...20).map { Finding("stale-error", .note, operation: $0, message: "old") }
    let lines = FindingLines(notes + [Finding("stale-error", .error, message: "gone")]).lines
    #expect(lines.first == "error: gone [stale-error]")
    #expect(lines.count == FindingLines.limit + 1)
    #expect(lines.last == "… and 11 more of stale-error; --json lists all")
  }
}
