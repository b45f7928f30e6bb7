import Bytes
import TestSupport
import Testing

@testable import Records

/// A correction for each of many inputs.
struct ManyCorrectionsTests {
  /// Each correction held against each table would be nine hundred million comparisons.
  @Test func eachTableFindsItsOwn() {
    let clock = ThreadClock()
    let tables = (0..<30_000).map { "page\($0)" }
    let all = Set(tables.map { ExactText($0) })
    let corrections = Corrections(
      types: tables.map { "\($0).n=text" }, names: tables.map { "\($0)=T\($0.utf8.count)" })
    #expect(
      tables.allSatisfy {
        corrections.name(ofTable: $0, among: all) == "T\($0.utf8.count)"
      })
    #expect(corrections.stranger(to: tables) == nil)
    #expect(corrections.stranger(to: tables.dropLast(1)) == "page29999.n=text")
    let byTable = CorrectionsByTable(corrections)
    #expect(tables.allSatisfy { byTable.about([ExactText($0)]).types == ["\($0).n=text"] })
    #expect(clock.seconds < 20)
  }

  /// A name may hold the signs that end it, and the first correction counts.
  @Test func namesMayHoldWhatEndsThem() {
    let corrections = Corrections(
      types: ["a.b.c=text"], names: ["a=b=c", "a=d", "a.b=e", "é=f"], drops: ["b.x"],
      mentions: ["a", "b.y"])
    func name(_ table: String) -> String { corrections.name(ofTable: table, among: []) }
    #expect(["a", "a=b", "a.b", "b", "e\u{301}"].map(name) == ["b=c", "c", "e", "b", "e\u{301}"])
    func about(_ tables: ExactText...) -> [[String]] {
      let about = CorrectionsByTable(corrections).about(Set(tables))
      return [about.types, about.names, about.drops + about.mentions]
    }
    #expect(about("a.b") == [["a.b.c=text"], ["a.b=e"], []])
    #expect(about("a") == [["a.b.c=text"], ["a=b=c", "a=d", "a.b=e"], []])
    #expect(about("b") == [[], [], ["b.x", "b.y"]])
    #expect(about("a.b", "é", "a") == [["a.b.c=text"], ["a=b=c", "a=d", "a.b=e", "é=f"], []])
  }
}
