import Bytes
import Foundation
import TestSupport
import Testing

@testable import Formats

struct CSVReaderTests {
  /// The fields of all records; nil for an empty field without quotes.
  static func records(ofFileAt path: String) throws -> [[String?]] {
    var reader = CSVReader(try ByteStream(opening: path))
    var records: [[String?]] = []
    while try reader.next() {
      records.append(
        reader.fields.map { field in
          if field.range.isEmpty && !field.isQuoted { return nil }
          return String(decoding: reader.bytes[field.range], as: UTF8.self)
        })
    }
    return records
  }

  @Test(arguments: Fixture.all(in: "csv/accept", extension: "csv"))
  func goodFileIsReadAsPythonReadsIt(_ fixture: Fixture) throws {
    let expected = try Python.rows(
      "import csv, io\nfor record in csv.reader(io.StringIO(inputs[0].decode(), newline=''),"
        + " strict=True): row(*(record or ['']))", input: [try fixture.bytes()])
    let found = try Self.records(ofFileAt: fixture.path)
    #expect(found.map { $0.map { Array(($0 ?? "").utf8) } } == expected)
  }

  @Test(arguments: Fixture.all(in: "csv/reject", extension: "csv"))
  func badFileIsRefused(_ fixture: Fixture) throws {
    let error = #expect(throws: FormatError.self) {
      try Self.records(ofFileAt: fixture.path)
    }
    #expect(error?.code == fixture.expectedCode)
    #expect(error?.message.contains(/line \d/) == true || fixture.name.hasPrefix("mark"))
  }

  @Test func emptyTextIsNotNull() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a,b\n,\"\"\n", to: "x")
    #expect(try Self.records(ofFileAt: path) == [["a", "b"], [nil, ""]])
  }

  @Test func errorNamesLineAndColumn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a,b\n\"1\n2\",3\n4,5\"\n", to: "x")
    let error = #expect(throws: FormatError.self) { try Self.records(ofFileAt: path) }
    #expect(error?.message.contains("line 4, column 4") == true)
  }

  /// Wherever the reader's buffer ends, the records are the same.
  @Test func everyBoundaryOfTheBufferIsCrossed() throws {
    let folder = try TemporaryFolder()
    let body = "\"x\"\"y\",\"1\r\n2\"\r\né,\"\"\r\n,🎉\r\n"
    for pad in (65_536 - body.utf8.count - 8)...65_536 {
      let filler = String(repeating: "f", count: pad)
      let path = try folder.write("\(filler),b\r\n" + body, to: "x")
      let records = try Self.records(ofFileAt: path).dropFirst()
      #expect(records == [["x\"y", "1\r\n2"], ["é", ""], [nil, "🎉"]], "\(pad)")
    }
  }

  @Test func randomTablesComeBackFromPython() throws {
    var chance = SeededGenerator(seed: 71)
    let pieces = ["", "a", "\"", ",", "\n", "\r\n", "\r", " ", "é", "🎉", "\"\"", "x,y"]
    let folder = try TemporaryFolder()
    for round in 0..<8 {
      let width = Int.random(in: 1...5, using: &chance)
      let table = (0..<200).map { _ in
        (0..<width).map { _ in
          (0..<Int.random(in: 1...4, using: &chance)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &chance)]
          }.joined()
        }
      }
      let script = """
        import csv
        width = int(sys.argv[1])
        out = csv.writer(open(sys.argv[2], "w", newline=""), quoting=csv.QUOTE_ALL)
        texts = [text.decode() for text in inputs]
        for start in range(0, len(texts), width): out.writerow(texts[start:start + width])
        """
      let path = folder.path("table\(round)")
      let input = table.joined().map { Data($0.utf8).base64EncodedString() + "\n" }.joined()
      let head = "import sys, base64\ninputs = [base64.b64decode(l) for l in sys.stdin]\n"
      _ = try Python.run(
        head + script, arguments: ["\(width)", path], input: Data(input.utf8))
      #expect(try Self.records(ofFileAt: path) == table, "\(chance) round \(round)")
    }
  }

  @Test func cutAnywhereNeverCrashesAndNeverInvents() throws {
    let folder = try TemporaryFolder()
    let text = Array("a,b\r\n\"x\"\"y\",\"1\r\n2\"\r\né,\"\"\r\n".utf8)
    let whole = try Self.records(ofFileAt: try folder.write(text, to: "whole"))
    for count in 0..<text.count {
      let path = try folder.write(Array(text[..<count]), to: "cut")
      guard let records = try? Self.records(ofFileAt: path) else { continue }
      #expect(records.dropLast() == whole.prefix(max(0, records.count - 1)), "\(count)")
    }
  }
}
