import Bytes
import CommandLineKit
import Foundation
import Records
import Testing

@testable import Commands

/// What a run that goes on takes from the report of an earlier one.
struct StoreReportFileTests {
  private func file(
    _ path: String, resuming: Bool, by words: [String] = ["find", "a"]
  ) throws -> StoreReportFile {
    let arguments = try ArgumentParser.parse(words, with: RehomeCommand.description)
    return try StoreReportFile(path, resuming: resuming, by: StoreReportMaker(arguments))
  }

  @Test func earlierRunIsKnownByWhatDoesNotPass() throws {
    let fixture = try ExportFixture()
    let path = fixture.path("report.ndjson")
    let words = ["encrypted", "damaged", "inputOutput", "limit"]
    var text = ""
    for word in words {
      text +=
        #"{"store":"\#(word)","sha256":"\#(word)","by":["find"],"error":{"code":"\#(word)"}}"#
        + "\n"
    }
    for (name, place) in [("fine", #","ofPlace":{}"#), ("older", "")] {
      text +=
        #"{"store":"\#(name)","sha256":"\#(name)","by":["find"],"waiting":3,"worst":"warning""#
      text += place + "}\n"
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let earlier = try file(path, resuming: true).stores.lines
    #expect(Set(earlier.keys) == ["encrypted", "damaged", "fine"])
    #expect(earlier["fine"]?[0].waiting == 3 && earlier["fine"]?[0].worst == .warning)
    var totals = StoreRound.Totals()
    totals.add(try #require(earlier["fine"]?.first))
    totals.add(try #require(earlier["damaged"]?.first))
    #expect(totals.worst == .warning && totals.waiting == 3 && totals.known == 2)
    #expect(totals.readable == 1 && totals.unreadable == 1 && totals.firstError == .damaged)
    #expect(throws: StoreError.self) { try file(path, resuming: false) }
  }

  /// Of a report only a line that was cut may be taken away.
  @Test(arguments: [
    #"{"my":"document"}"#, "\u{0}\u{1}", #"{"store" :1}"#, "\n\n{}",
    #"{"store":"a"}"# + "\n" + "more", "{}\n",
  ])
  func fileThatIsNoReportStaysAsItIs(text: String) throws {
    let fixture = try ExportFixture()
    let path = fixture.path("report.ndjson")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: StoreError.self) { try file(path, resuming: true) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
  }

  @Test func reportGoesOnBehindWhatIsWholeOfIt() throws {
    let fixture = try ExportFixture()
    let line = #"{"store":"a","sha256":"b","by":["find"]}"# + "\n"
    for cut in 0..<line.utf8.count {
      let path = fixture.path("report-\(cut).ndjson")
      try (line + line.prefix(cut)).write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try Set(file(path, resuming: true).stores.lines.keys) == ["b"])
      #expect(try String(contentsOfFile: path, encoding: .utf8) == line)
    }
  }

  /// Two runs that went on with one file at once would each write a line for every store.
  @Test func reportIsOfOneRunAtATime() throws {
    let fixture = try ExportFixture()
    defer { withExtendedLifetime(fixture) {} }
    let path = fixture.path("report.ndjson")
    do {
      let first = try file(path, resuming: true)
      let late = try file(path, resuming: true)
      try first.begin()
      #expect(try busy { try late.begin() })
      #expect(try busy { _ = try file(path, resuming: true) })
      withExtendedLifetime(first) {}
    }
    let next = try file(path, resuming: true)
    #expect(try busy { _ = try file(path, resuming: true) })
    withExtendedLifetime(next) {}
  }

  private func busy(_ body: () throws -> Void) throws -> Bool {
    let error = try #require(#expect(throws: StoreError.self, performing: body))
    return error.kind == .temporary && error.message == "another run is writing the report"
  }

  /// A line is taken where the same command has made it, with options under which a store is the same.
  @Test(
    arguments: [
      (["find", "a"], ["find", "damaged"]),
      (["find", "-v", "--once", "-j", "2", "b"], ["find", "damaged"]),
      (["find", "a", "--salvage"], ["find", "salvaged"]), (["audit", "a"], ["audit"]),
      (["inspect", "a", "--type", "T.c=text", "--exact"], ["typed"]),
      (["inspect", "a", "--type", "T.c=real", "--exact"], []), (["inspect", "a"], []),
    ] as [([String], Set<String>)])
  func lineIsTakenFromWhoeverWouldMakeIt(words: [String], taken: Set<String>) throws {
    let fixture = try ExportFixture()
    let path = fixture.path("report.ndjson")
    let makers = [
      ("find", #"["find"]"#, "null"), ("damaged", #"["find"]"#, #"{"code":"damaged"}"#),
      ("salvaged", #"["find","--salvage"]"#, "null"), ("audit", #"["audit"]"#, "null"),
      ("typed", #"["inspect","--exact","--type=T.c=text"]"#, "null"), ("old", "null", "null"),
    ]
    let lines = makers.map {
      #"{"store":"s","sha256":"\#($0.0)","by":\#($0.1),"error":\#($0.2)}"# + "\n"
    }
    try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    let report = try file(path, resuming: true, by: words)
    #expect(Set(report.stores.lines.keys) == taken)
    #expect(report.others == makers.count - taken.count)
  }
}
