import Bytes
import Records
import Testing

@testable import Commands

/// Patterns of names, as a shell reads them.
struct TableSelectionTests {
  @Test(arguments: [
    ("*", ""), ("*", "Todo"), ("T*o", "Todo"), ("T*o", "To"), ("T?do", "Todo"),
    ("[A-T]odo", "Todo"),
    ("[!a-t]odo", "Todo"), ("[^xyz]*", "Todo"), ("*a*b*c", "xaxbxbc"), ("[", "["), ("a[bc-]", "a-"),
    ("*[0-9]", "Item7"), ("Å*", "Åre"),
  ])
  func patternMatches(pattern: String, name: String) {
    #expect(Glob(pattern).matches(name))
  }

  @Test(arguments: [
    ("", "T"), ("T", ""), ("Todo", "todo"), ("T?do", "Tdo"), ("[!A-T]odo", "Todo"),
    ("[^T]*", "Todo"),
    ("*a*b*c", "xaxbxb"), ("[a-c]", "d"), ("[a-c]", "ab"), ("Todo?", "Todo"),
  ])
  func patternMatchesNothingElse(pattern: String, name: String) {
    #expect(!Glob(pattern).matches(name))
  }

  @Test func nameOfItsOwnBytesGoesBeforeAnotherSpelling() {
    let names = Set(["\u{E9}", "e\u{301}", "x"].map { ExactText($0) })
    for name in names { #expect(Glob.matches(of: [name.wrappedValue], in: names) == [name]) }
    #expect(Glob.matches(of: ["?"], in: names) == names)
    // Where there is only one of them, a keyboard need not spell it as the store does.
    let one: Set = [ExactText("e\u{301}")]
    #expect(Glob.matches(of: ["\u{E9}"], in: one) == one)
  }

  @Test(arguments: [
    (["Foo"], ["Foo"]), (["T*"], ["Todo", "Told"]), (["TodoItem"], ["Foo"]), (["Gone"], ["Gone"]),
    // What has the name now goes before what had it.
    (["Todo"], ["Todo"]), (["Todo", "Gone"], ["Gone", "Todo"]),
  ])
  func namesOfSourcesCountWhereNothingElseIsMeant(
    patterns: [String], meant: [String]
  ) {
    let tables = [("Foo", "TodoItem"), ("Todo", "A"), ("Told", "Todo")].map { name, source in
      var table = Table(name: name, columns: [])
      table.sourceName = source
      return table
    }
    let names = patterns.flatMap {
      TableSelection.names(matching: $0, among: tables, and: [ExactText("Gone")])
    }
    #expect(names.map(\.wrappedValue).sorted() == meant)
    #expect(TableSelection.names(matching: "Else", among: tables, and: []).isEmpty)
  }
}
