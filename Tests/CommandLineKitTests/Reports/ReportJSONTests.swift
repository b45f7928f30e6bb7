import CommandLineKit
import Foundation
import TestSupport
import Testing

struct ReportJSONTests {
  private static let sample: ReportJSON = [
    "zebra": "last letter first", "numbers": [1, -2], "empty": [], "none": [:],
    "nested": ["yes": true, "no": false, "nothing": nil], "raw": .encoded(#"{"a":1}"#),
  ]

  @Test func compactTextKeepsTheOrder() {
    #expect(
      Self.sample.compactText
        == #"{"zebra":"last letter first","numbers":[1,-2],"empty":[],"none":{},"#
        + #""nested":{"yes":true,"no":false,"nothing":null},"raw":{"a":1}}"#)
  }

  @Test func prettyTextIsIndentedByTwo() {
    let report: ReportJSON = ["a": [1, ["b": "c"]], "d": [], "e": [:]]
    #expect(
      report.prettyText == """
        {
          "a": [
            1,
            {
              "b": "c"
            }
          ],
          "d": [],
          "e": {}
        }
        """)
  }

  /// A list is written as an array is, and in parts.
  @Test func listsAreWrittenPartByPart() {
    let elements = (0..<10_000).map { ["a": .integer(Int64($0)), "b": []] as ReportJSON }
    let list: ReportJSON = [
      "all": .list(ReportList { elements }), "none": .list(ReportList { [] }),
    ]
    let array: ReportJSON = ["all": .array(elements), "none": []]
    #expect(list.compactText == array.compactText)
    var parts: [String] = []
    list.writePretty { parts.append($0) }
    #expect(parts.joined() == array.prettyText)
    #expect(parts.count > 2)
    #expect(parts.allSatisfy { $0.utf8.count < 100_000 })
    var nested = "[\n    "
    elements[0].writePretty(depth: 2) { nested += $0 }
    #expect(nested + "\n  ]" == "[\n    {\n      \"a\": 0,\n      \"b\": []\n    }\n  ]")
  }

  @Test(arguments: [
    ("\"\\/", #""\"\\/""#), ("\n\r\t\u{8}\u{0}", #""\n\r\t\u0008\u0000""#), ("Zoë 🚀", "\"Zoë 🚀\""),
    ("\u{7F}\u{9B}\u{202E}\u{E0041}", #""\u007f\u009b\u202e\udb40\udc41""#), ("\r\n", #""\r\n""#),
  ])
  func stringsAreEscaped(text: String, json: String) {
    #expect(ReportJSON.string(text).compactText == json)
  }

  @Test func optionalsBecomeNull() {
    #expect(ReportJSON(nil as String?) == nil)
    #expect(ReportJSON(5 as Int?) == 5)
    #expect(ReportJSON(["a", "b"]) == ["a", "b"])
  }

  @Test(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
  func anotherReaderReadsTheSame() throws {
    let text = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init))) + "🚀"
    let report: ReportJSON = ["text": .string(text), "sample": Self.sample]
    let program = """
      import json, sys
      text = sys.stdin.buffer.read().decode()
      value = json.loads(text, parse_constant=lambda name: sys.exit(name))
      assert value["text"] == "".join(map(chr, range(0x3000))) + "\\U0001F680"
      assert list(value["sample"]) == ["zebra", "numbers", "empty", "none", "nested", "raw"]
      """
    for json in [report.compactText, report.prettyText] {
      let outcome = try SystemProgram.python.run(["-c", program], input: json)
      #expect(outcome.code == 0, "\(outcome.output)")
    }
  }
}
