import Bytes
import Formats
import Foundation
import TestSupport
import Testing
import XMLFormat

struct XMLSourceTests {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "the cable is cut" }
  }

  @Test func fileIsReadLikeItsBytes() throws {
    let fixture = try #require(XMLReaderTests.accepted.first { $0.name == "rows" })
    var reader = try XMLReader(path: fixture.path)
    #expect(EventDump(&reader) == EventDump(try fixture.bytes()))
  }

  @Test func missingFileIsReportedAsMissing() {
    let error = #expect(throws: XMLError.self) { _ = try XMLReader(path: "/nowhere/at/all.xml") }
    #expect(error?.code == .inputOutput)
    #expect(error?.kind == .missing)
    #expect(error?.path == "/nowhere/at/all.xml")
  }

  @Test func folderIsAnErrorOfTheSource() {
    let error = #expect(throws: XMLError.self) { _ = try XMLReader(path: "/tmp") }
    #expect(error?.code == .inputOutput)
  }

  @Test func errorsInAFileNameIt() throws {
    let fixture = try #require(XMLReaderTests.rejected.first { $0.name == "mismatch" })
    var reader = try XMLReader(path: fixture.path)
    let error = #expect(throws: XMLError.self) { while try reader.next() != nil {} }
    #expect(error?.path == fixture.path)
    #expect(error?.line == 1)
  }

  @Test func whatTheSourceThrowsComesOut() throws {
    var calls = 0
    var reader = try XMLReader { buffer in
      calls += 1
      if calls > 1 { throw Failure() }
      buffer += Array("<a><b/>".utf8)
    }
    let dump = EventDump(&reader)
    #expect(dump.lines == ["start a\n", "start b\n", "end b"])
    #expect(dump.code == .inputOutput)
    #expect(dump.reason == "the cable is cut")
    let again = EventDump(&reader)
    #expect(again.reason == "the cable is cut")
    #expect(calls == 2)
  }

  @Test func errorOfTheSourcesOwnComesOutAsItIs() throws {
    var reader = try XMLReader { _ in throw XMLError(.limit, "enough") }
    let error = #expect(throws: XMLError.self) { _ = try reader.next() }
    #expect(error?.code == .limit)
    #expect(error?.reason == "enough")
  }

  @Test func packedDocumentIsReadThroughTheUnpacker() throws {
    let fixture = try #require(XMLReaderTests.accepted.first { $0.name == "rows" })
    let plain = try fixture.bytes()
    let packed = try #require(
      try Python.rows("row(gzip.compress(inputs[0]))\n", input: [plain]).first?.first)
    var unpacked: [UInt8] = []
    var gzip = try GzipReader()
    var used = 0
    while used < packed.count {
      used += try gzip.unpack(packed.span.extracting(used...), room: 1_000, into: &unpacked)
    }
    try gzip.finish()
    #expect(EventDump(unpacked, pieces: 1_000) == EventDump(plain))
  }

  @Test func sameErrorComesAgain() throws {
    var reader = try XMLReader(bytes: Array("<a></b>".utf8))
    #expect(try reader.next() == .startElement(0))
    for _ in 0..<3 {
      let error = #expect(throws: XMLError.self) { _ = try reader.next() }
      #expect(error?.code == .notWellFormed)
    }
  }

  @Test func nothingComesAfterTheEnd() throws {
    var reader = try XMLReader(bytes: Array("<a/>".utf8))
    while try reader.next() != nil {}
    for _ in 0..<3 { #expect(try reader.next() == nil) }
  }

  @Test func readersOnManyTasksKeepTheirErrorsApart() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let text = String(repeating: "\n", count: number) + "<a></b\(number)>"
          let dump = EventDump(Array(text.utf8))
          return dump.line == number + 1 && dump.code == .notWellFormed
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
