import Commands
import Foundation
import Testing

struct FindingsManualTests {
  /// Set `REHOME_REWRITE_MANUAL` to write the page anew.
  @Test func pageIsWhatTheCatalogueSays() throws {
    let url = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("man/rehome-findings.7")
    let page = FindingsManual.troff(date: "2026-11-21", version: Tool.version)
    if ProcessInfo.processInfo.environment["REHOME_REWRITE_MANUAL"] != nil {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try page.write(to: url, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == page)
  }
}
