import Foundation
import TestSupport
import Testing

/// `ops show` tells who decided what about an operation, when and why.
struct MarkHistoryTests {
  @Test func everyDecisionIsShownInOrder() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let store = folder.path("items.rehome")
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    let why = "see\u{1B}[31m case 1"
    #expect(await rehome("ops", "drop", "-q", "--who", "Ann", "--why", why, store, "3").code == 0)
    #expect(await rehome("ops", "keep", "-q", "--who", "Bob", store, "3").code == 0)
    let text = await rehome("ops", "show", store, "3").text
    let marks = text.split(separator: "\n").filter { $0.hasPrefix("  marked: ") }
    #expect(marks.count == 2)
    #expect(marks.first?.contains("drop at 20") == true && marks.first?.contains("Ann") == true)
    #expect(marks.first?.contains("case 1") == true && !text.contains("\u{1B}"))
    #expect(marks.last?.contains("keep at 20") == true && marks.last?.hasSuffix("Bob") == true)
    let report = await rehome("ops", "show", "--json", store, "3")
    let operations = try #require(
      try JSONSerialization.jsonObject(with: report.output) as? [[String: Any]])
    let told = try #require(operations.first?["marks"] as? [[String: Any]])
    #expect(told.map { $0["mark"] as? String } == ["drop", "keep"])
    #expect(told.map { $0["who"] as? String } == ["Ann", "Bob"])
    #expect(told.first?["why"] as? String == why)
  }

  @Test(arguments: ["drop", "keep"]) func aDryRunMarksNothing(_ mark: String) async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let store = folder.path("items.rehome")
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    let before = try Data(contentsOf: URL(filePath: store))
    let run = await rehome("ops", mark, "-n", "--json", store, "3", "1")
    #expect(run.code == 0)
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
    let told = try #require(
      try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    #expect(told["store"] as? String == "items.rehome")
    #expect(told["mark"] as? String == mark)
    #expect(told["sequences"] as? [Int] == [3, 1])
    #expect(told["dryRun"] as? Bool == true)
    #expect(await rehome("ops", mark, "-n", store, "99").code == 64)
  }
}
