import Bytes
import Foundation
import TestSupport
import Testing

@testable import Formats

/// Records as other programs write them.
struct CSVDialectTests {
  private func records(
    _ text: String, separator: Character = ",", isEscaped: Bool = false, nulls: [String] = [],
    hasHeader: Bool = true
  ) throws -> [[String?]] {
    var dialect = CSVDialect()
    dialect.separator = separator.asciiValue ?? 0
    dialect.isEscaped = isEscaped
    dialect.nulls = nulls.map { Array($0.utf8) }
    dialect.hasHeader = hasHeader
    return try Self.records(CSVReader(ByteStream(Array(text.utf8)), dialect))
  }

  static func records(_ given: consuming CSVReader) throws -> [[String?]] {
    var reader = given
    var records: [[String?]] = []
    while try reader.next() {
      records.append(
        reader.fields.map { field in
          field.isNull ? nil : String(decoding: reader.bytes[field.range], as: UTF8.self)
        })
    }
    return records
  }

  /// Tables of awkward texts, in every separator and line end, against Python's writer.
  @Test(arguments: [",", ";", "\t", "|", "~"], ["\r\n", "\n", "\r"])
  func tablesComeBackFromPython(separator: String, end: String) throws {
    var chance = SeededGenerator(seed: 72)
    let pieces = ["a", "\"", ",", ";", "\t", "|", "~", "\n", "\r\n", "\r", " ", "é", "🎉", "\\N"]
    let width = 3
    let table = (0..<300).map { _ in
      (0..<width).map { _ in
        (0..<Int.random(in: 1...4, using: &chance)).map { _ in
          pieces[Int.random(in: 0..<pieces.count, using: &chance)]
        }.joined()
      }
    }
    let folder = try TemporaryFolder()
    let path = folder.path("table")
    _ = try Python.rows(
      """
      import csv
      out = csv.writer(open('\(path)', 'w', newline=''), delimiter=chr(\(separator.utf8.first ?? 0)),
                       lineterminator=\(end.debugDescription), quoting=csv.QUOTE_ALL)
      texts = [text.decode() for text in inputs]
      for start in range(0, len(texts), \(width)): out.writerow(texts[start:start + \(width)])
      """, input: table.joined().map { Array($0.utf8) })
    var dialect = CSVDialect()
    dialect.separator = try #require(separator.utf8.first)
    let found = try Self.records(CSVReader(try ByteStream(opening: path), dialect))
    #expect(found == table)
  }

  @Test func lineEndsAreToldFromTheFirst() throws {
    #expect(try records("a,b\r1,2\r\"x\ry\",3") == [["a", "b"], ["1", "2"], ["x\ry", "3"]])
    #expect(throws: FormatError.self) { try records("a,b\r1,2\r\n") }
    #expect(throws: FormatError.self) { try records("a,b\n1,2\r") }
  }

  @Test func blankLinesSayNothingAmongSeveralColumns() throws {
    #expect(try records("\na,b\n\n1,2\n\n\n") == [["a", "b"], ["1", "2"]])
    #expect(try records("a\n\n1\n") == [["a"], [nil], ["1"]])
    #expect(throws: FormatError.self) { try records("a,b\n\"\"\n") }
  }

  @Test func emptyFieldsAtTheEndFollowTheHeader() throws {
    #expect(
      try records("a,b,,\n1,2,,\n3,4\n5,6,\n") == [
        ["a", "b", nil, nil], ["1", "2", nil, nil], ["3", "4", nil, nil], ["5", "6", nil, nil],
      ])
    #expect(try records("a,b\n1,2,,\n") == [["a", "b"], ["1", "2"]])
    for text in ["a,b\n1,2,3\n", "a,b\n1\n", "a,b\n1,2,\"\"\n", "a,b,\n1,2,,x\n"] {
      #expect(throws: FormatError.self) { try records(text) }
    }
    // The file is cut off where its last record alone lacks what another has a value for.
    for (text, line) in [
      ("a,\n1,2\n3", 3), ("a,b,,\n1,2,3,\n\n4,5", 4), ("a,\n1,\"\"\n2", 3),
    ] {
      let error = #expect(throws: FormatError.self) { try records(text) }
      #expect(error?.message.hasPrefix("line \(line): the record has ") == true, "\(text)")
    }
    #expect(try records("a,\n1,2\n3\n") == [["a", nil], ["1", "2"], ["3", nil]])
    // Spreadsheets leave out empty fields at the end of many records.
    #expect(
      try records("a,b,\n1,x,remark\n2,y\n3,z\n") == [
        ["a", "b", nil], ["1", "x", "remark"], ["2", "y", nil], ["3", "z", nil],
      ])
    #expect(try records("a,\n1\n2,3\n") == [["a", nil], ["1", nil], ["2", "3"]])
    #expect(
      try records("a,,,\n1,2\n3,4,\n") == [
        ["a", nil, nil, nil], ["1", "2", nil, nil], ["3", "4", nil, nil],
      ])
    // Without a header, no record says which fields may be missing.
    #expect(throws: FormatError.self) { try records("a,\nb\n", hasHeader: false) }
  }

  /// There an empty field is a text, but one behind a separator too many is none.
  @Test func emptyFieldAtTheEndOfEscapedTextIsNoValue() throws {
    var dialect = CSVDialect()
    dialect.separator = UInt8(ascii: "\t")
    dialect.isEscaped = true
    var reader = CSVReader(ByteStream(Array("id\tname\t\n1\tA\\tb\t\n2\t\\N\n".utf8)), dialect)
    var widths: [Int] = []
    while try reader.next() { widths.append(reader.fields.count { !$0.isNull }) }
    #expect(widths == [3, 3, 1])
  }

  @Test func toldTextsMeanNoValueWithoutQuotes() throws {
    #expect(
      try records("a,b\nNA,\n\"NA\",x\n", nulls: ["NA"]) == [["a", "b"], [nil, ""], ["NA", "x"]])
    #expect(try records("a,b\nNA,\n", nulls: ["NA", ""]) == [["a", "b"], [nil, nil]])
  }

  @Test func escapedTextIsResolvedAsPostgreSQLWritesIt() throws {
    let text =
      ["a\tb", #"\N"# + "\t" + #"\\N"#, #"\\"# + "\t" + #"\x41\101\tx"#].joined(separator: "\n")
      + "\n\\\n\t\"q\n"
    #expect(
      try records(text, separator: "\t", isEscaped: true) == [
        ["a", "b"], [nil, "\\N"], ["\\", "AA\tx"], ["\n", "\"q"],
      ])
    #expect(
      try records("a\tb\n\\Nx\tNULL\n", separator: "\t", isEscaped: true, nulls: ["NULL"])
        == [["a", "b"], ["Nx", nil]])
    #expect(
      try records("a\tb\n1\t\n\\.\n", separator: "\t", isEscaped: true)
        == [["a", "b"], ["1", ""]])
    for text in ["a\tb\n1\t2\n\\.\n3\t4\n", "a\tb\n1\t\\", "a\tb\n1\t\\0\n"] {
      #expect(throws: FormatError.self) { try records(text, separator: "\t", isEscaped: true) }
    }
  }

  /// What MySQL and PostgreSQL write comes back, byte for byte.
  @Test func everyTextComesBackEscaped() throws {
    var chance = SeededGenerator(seed: 73)
    let escapes: [UInt8: String] = [
      8: #"\b"#, 9: #"\t"#, 10: #"\n"#, 11: #"\v"#, 12: #"\f"#, 13: #"\r"#, 92: #"\\"#,
    ]
    let rows = (0..<200).map { _ in
      (0..<2).map { _ in
        (0..<Int.random(in: 0...6, using: &chance)).map { _ in
          UInt8.random(in: 1..<127, using: &chance)
        }
      }
    }
    let text = rows.map { row in
      row.map { $0.map { escapes[$0] ?? String(UnicodeScalar($0)) }.joined() }
        .joined(separator: "\t") + "\n"
    }.joined()
    let found = try records("a\tb\n" + text, separator: "\t", isEscaped: true).dropFirst()
    let expected = rows.map { $0.map { String(decoding: $0, as: UTF8.self) } }
    #expect(Array(found) == expected)
  }

  @Test func separatorLineIsPassedOver() throws {
    var dialect = CSVDialect()
    dialect.separator = UInt8(ascii: ";")
    dialect.hasLeadingLine = true
    for end in ["\n", "\r\n", "\r"] {
      let text = "sep=;\(end)a;b\(end)1;2\(end)"
      var reader = CSVReader(ByteStream(Array(text.utf8)), dialect)
      #expect(try reader.next() && reader.recordLine == 2)
      #expect(try reader.next() && reader.fields.count == 2)
      #expect(try !reader.next())
    }
  }

  @Test func cutAnywhereNeverCrashesAndNeverInvents() throws {
    let text = Array("a\tb\r\n\\N\t\\x41\\\n\r\nx\\\\\t\\101\r\n\\.\r\n".utf8)
    var dialect = CSVDialect()
    dialect.separator = 9
    dialect.isEscaped = true
    let whole = try Self.records(CSVReader(ByteStream(text), dialect))
    for count in 0..<text.count {
      let reader = CSVReader(ByteStream(Array(text[..<count])), dialect)
      guard let records = try? Self.records(reader) else { continue }
      #expect(records.dropLast() == whole.prefix(max(0, records.count - 1)), "\(count)")
    }
  }
}
