import Bytes
import Exports
import Foundation
import Records
import Testing

/// Spellings that are fixed to the byte; whole records are left to Python in `ExportTests`.
@Suite struct SpellingTests {
  private func spelled(_ format: ExportFormat, _ texts: [String?], csv style: CSVStyle = .plain)
    -> String
  {
    let table = Table(
      name: "T", columns: texts.indices.map { Column(name: "c\($0)", type: .text) })
    var batch = RecordBatch(columnCount: texts.count)
    for text in texts {
      let bytes = Array((text ?? "").utf8)
      if text == nil { batch.append(.null) } else { batch.appendText(bytes.span) }
    }
    batch.endRow(key: 7)
    let spelling = format.spelling(of: table, csv: style)
    var output: [UInt8] = []
    let rows = spelling.append(batch, to: &output)
    #expect(rows == 1)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func csvTellsMissingFromEmpty() {
    #expect(spelled(.csv, [nil, "", " ", "NULL"]) == "7,,\"\", ,NULL\r\n")
  }

  /// Rows are written into room that is reckoned before, so what takes most of it is tried.
  @Test(arguments: ["\"", "\u{1}", "&", "\r", "\u{FFFF}", "ü", "'\"", "=\"\""])
  func everyFormatHasRoomForTheWorstRow(_ unit: String) throws {
    for count in [1, 3, 8, 100, 511, 513, 5000] {
      let text = String(repeating: unit, count: count)
      let row = [text, nil, text]
      let json = try JSONSerialization.jsonObject(with: Data(spelled(.ndjson, row).utf8))
      #expect((json as? [String: Any])?["c2"] as? String == text)
      let quoted = "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
      let field = text.utf8.contains { "\",\r\n".utf8.contains($0) } ? quoted : text
      #expect(spelled(.csv, row) == "7,\(field),,\(field)\r\n")
      let cell = spelled(.xml, [text]).dropFirst("<row pk=\"7\">".count).dropLast("</row>\n".count)
      #expect(spelled(.xml, row) == "<row pk=\"7\">\(cell)<n/>\(cell)</row>\n")
    }
  }

  @Test func csvQuotesOnlyWhatNeedsIt() {
    #expect(
      spelled(.csv, ["a,b", "\"", "\r", "\n", "'"])
        == "7,\"a,b\",\"\"\"\",\"\r\",\"\n\",'\r\n")
  }

  @Test(arguments: ["=1", "+1", "-1", "@a", "\t", "\r", "'", "'=1"])
  func safeCSVMarksWhatLooksLikeAFormula(_ text: String) {
    #expect(spelled(.csv, [text], csv: .safe).contains("'" + text))
    #expect(!spelled(.csv, [text]).contains("'" + text))
  }

  @Test(arguments: ["a=1", " =1", "1'", "a"])
  func safeCSVLeavesTheRestAlone(_ text: String) {
    #expect(spelled(.csv, [text], csv: .safe) == "7,\(text)\r\n")
  }

  @Test(
    arguments: [
      ("007", #""=""007""""#), ("0", "0"), ("0.5", "0.5"), ("-0.5", "-0.5"), ("-5", "-5"),
      ("+5", #""=""+5""""#), ("1.10", #""=""1.10""""#), ("5.", #""=""5.""""#),
      ("1e5", #""=""1e5""""#), ("123456789012345", "123456789012345"),
      ("1234567890123456", #""=""1234567890123456""""#), ("-007", #""=""-007""""#),
      ("-", "'-"), ("=1+1", "'=1+1"), (#"="007""#, #""'=""007""""#), ("'", "''"),
      ("1-2", #""=""1-2""""#),
      ("e5", "e5"), ("1e", "1e"), (".", "."), ("", "\"\""), ("0x1", "0x1"), (" ", " "),
      ("-0", #""=""-0""""#), ("-0.0", #""=""-0.0""""#), ("-.00", #""=""-.00""""#),
      ("0.5 ", #""=""0.5 """"#),
      (" 5", #""="" 5""""#), ("5 6", "5 6"), (" -0 ", #""="" -0 """"#), ("- 0", "'- 0"),
    ])
  func spreadsheetsGetTextsThatTheyWouldChangeAsFormulas(_ text: String, _ field: String) {
    #expect(spelled(.csv, [text], csv: .spreadsheet) == "7,\(field)\r\n")
  }

  @Test(arguments: ["0", "1", "=", "\"", "'"])
  func spreadsheetsHaveRoomForTheWorstRow(_ unit: String) {
    for count in [1, 3, 16, 255, 256, 1365, 5000] {
      let text = String(repeating: unit, count: count)
      let row = spelled(.csv, [text, text, text], csv: .spreadsheet)
      #expect(row.utf8.count >= 3 * count + 6)
    }
    let key = CSVRows(of: Table(name: "T", columns: []), style: .spreadsheet)
    var batch = RecordBatch(columnCount: 0)
    batch.endRow(key: .min)
    var output: [UInt8] = []
    #expect(key.append(batch, to: &output) == 1)
    #expect(String(decoding: output, as: UTF8.self) == "\"=\"\"-9223372036854775808\"\"\"\r\n")
  }

  @Test func jsonEscapesControlCharacters() {
    #expect(
      spelled(.ndjson, ["\u{1}\"\\/\n", nil])
        == "{\"_pk\":7,\"c0\":\"\\u0001\\\"\\\\/\\n\",\"c1\":null}\n")
  }

  @Test func xmlEscapesMarkupAndCarriageReturns() {
    #expect(
      spelled(.xml, ["<&>\"]]>\r\n", "", nil])
        == "<row pk=\"7\"><v>&lt;&amp;&gt;\"]]&gt;&#13;\n</v><v></v><n/></row>\n")
  }

  @Test(arguments: ["\u{0}", "\u{1F}", "a\u{B}b", "\u{FFFE}", "12345678\u{FFFF}"])
  func xmlPacksWhatItCannotCarry(_ text: String) {
    var packed: [UInt8] = []
    let bytes = Array(text.utf8)
    packed.appendBase64(bytes.span)
    let expected = String(decoding: packed, as: UTF8.self)
    #expect(spelled(.xml, [text]) == "<row pk=\"7\"><v e=\"base64\">\(expected)</v></row>\n")
  }

  @Test(arguments: ["\u{FFFD}", "\u{F000}", "\u{10FFFF}", "\u{7F}\u{85}", "\t\n"])
  func xmlCarriesTheRestAsItIs(_ text: String) {
    #expect(spelled(.xml, [text]) == "<row pk=\"7\"><v>\(text)</v></row>\n")
  }
}
