import Bytes
import Foundation
import TestSupport
import Testing

@testable import Formats

/// The streaming reader agrees with the one that holds a document whole.
struct JSONReaderTests {
  private static func value(ofFileAt path: String) throws -> JSONValue {
    var reader = JSONReader(try ByteStream(opening: path))
    let token = try #require(try reader.next())
    let value = try reader.readValue(from: token)
    #expect(try reader.next() == nil)
    return value
  }

  private static func countLines(
    ofFileAt path: String, _ framing: JSONReader.Framing = .fullLines
  ) throws -> Int {
    var reader = JSONReader(try ByteStream(opening: path), framing: framing)
    var count = 0
    while let token = try reader.next() {
      _ = try reader.readValue(from: token)
      count += 1
    }
    return count
  }

  @Test(arguments: Fixture.all(in: "json/accept", extension: "json"))
  func goodDocumentIsReadTheSame(_ fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let expected = try JSONValue(parsing: bytes.span)
    #expect(try Self.value(ofFileAt: fixture.path) == expected)
  }

  /// Editors put a mark before a file, which is no value's; there only is it allowed.
  @Test(arguments: Fixture.all(in: "json/reject", extension: "json"))
  func badDocumentIsRefused(_ fixture: Fixture) throws {
    if fixture.name == "byte-order-mark" {
      #expect(try Self.value(ofFileAt: fixture.path) == JSONValue(parsing: Array("{}".utf8).span))
    } else {
      #expect(throws: (any Error).self) { try Self.value(ofFileAt: fixture.path) }
    }
  }

  /// Wherever the reader's buffer ends, the value is the same.
  @Test func everyBoundaryOfTheBufferIsCrossed() throws {
    let folder = try TemporaryFolder()
    let text = #"{"a\n\u00e9":[-1.5e+3,true,null,"\ud83c\udf89é🎉\\"],"b":{},"c":[]}"#
    let bytes = Array(text.utf8)
    let expected = try JSONValue(parsing: bytes.span)
    for pad in (65_536 - text.utf8.count - 1)...65_536 {
      let path = try folder.write(String(repeating: " ", count: pad) + text, to: "x")
      #expect(try Self.value(ofFileAt: path) == expected, "\(pad)")
    }
  }

  @Test func cutDocumentIsTruncated() throws {
    let folder = try TemporaryFolder()
    let text = Array(#"{"a":[1,"\u00e9é",true,{"b":null}]}"#.utf8)
    for count in 1..<text.count {
      let path = try folder.write(Array(text[..<count]), to: "x")
      #expect(throws: FormatError.self, "\(count)") { try Self.value(ofFileAt: path) }
    }
  }

  @Test(arguments: [
    ("{\"a\":1}\n{\"a\":2}\n", 2), ("{\"a\":1}\r\n{\"a\":2}", 2), ("1\n\"x\"\nnull\n", 3), ("", 0),
  ])
  func linesAreCounted(_ text: String, _ count: Int) throws {
    let folder = try TemporaryFolder()
    #expect(try Self.countLines(ofFileAt: try folder.write(text, to: "x")) == count)
  }

  @Test(arguments: ["", "1\n\n2\n", "\n1\n", "1\n2", " \r\n1\r\n\r\n\t\n2\n\n"])
  func emptyLinesSayNothingWhereTheyMayBe(_ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "x")
    #expect(try Self.countLines(ofFileAt: path, .lines) == text.filter(\.isNumber).count)
  }

  @Test(arguments: ["1\n\n2\n", "1 2\n", "{\"a\":\n1}\n", "[1,\n2]\n", "1,\n2\n", "\n1\n"])
  func linesThatAreNoSequenceAreRefused(_ text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "x")
    #expect(throws: FormatError.self) { try Self.countLines(ofFileAt: path) }
  }
}
