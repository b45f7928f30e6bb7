import CommandLineKit
import Foundation
import Records
import Testing

@testable import Commands

/// What is written piece by piece is what would be printed at once.
struct ReportStreamTests {
  private final class Text {
    var bytes: [UInt8] = []
    var string: String { String(decoding: bytes, as: UTF8.self) }
  }

  @Test(arguments: [0, 1, 3]) func listReadsAsIfPrintedAtOnce(count: Int) throws {
    let elements = (0..<count).map { number -> ReportJSON in
      ["name": .string("n\(number)\n"), "list": .array([.integer(1), .object([])])]
    }
    let text = Text()
    var stream = ReportStream { text.bytes += $0 }
    try stream.beginList("stores")
    for element in elements { try stream.addElement(element) }
    try stream.endList()
    try stream.finish()
    let whole: ReportJSON = ["stores": .array(elements)]
    #expect(text.string == whole.prettyText + "\n")
  }

  @Test func membersAndElementsHaveALineEach() throws {
    let text = Text()
    var stream = ReportStream { text.bytes += $0 }
    try stream.addMembers(["format": .integer(1), "name": nil])
    try stream.addList("steps", linesOf: 0..<4) { $0 == 1 ? nil : .array([.integer(Int64($0))]) }
    try stream.addList("held", linesOf: [Int]()) { _ in nil }
    try stream.finish()
    #expect(
      text.string == """
        {
          "format": 1,
          "name": null,
          "steps": [
            [0],
            [2],
            [3]
          ],
          "held": [
          ]
        }

        """)
  }

  @Test func findingIsOneLine() {
    let finding = Finding("wal-missing", .warning, message: "a\u{1B}b")
    #expect(finding.line.hasSuffix("b [wal-missing]") && !finding.line.contains("\u{1B}"))
    #expect(finding.line(about: "x").hasPrefix("warning: x: a"))
  }
}
