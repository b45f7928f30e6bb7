import Exports
import Testing

@Suite struct MemberNamesTests {
  @Test(arguments: ["TodoItem", "todo_items", "a-b", "_x", "7up"])
  func harmlessNamesStay(_ name: String) {
    var names = MemberNames()
    #expect(names.claim(name) == name)
  }

  @Test(
    arguments: [
      "", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "CON", "con", "Nul", "COM1", "lpt9",
      "-rf", "a b", "trailing.", "a\nb", "a\0b", "Größe", "manifest", "Operations", "*?<>|:\"",
      String(repeating: "x", count: 65), "a.csv", "%s",
    ])
  func otherNamesBecomeHarmless(_ name: String) {
    var names = MemberNames()
    let claimed = names.claim(name)
    #expect(claimed != name)
    #expect(claimed.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_-]{0,63}/) != nil)
  }

  @Test func caseTwinsGetFilesOfTheirOwn() {
    var names = MemberNames()
    let claimed = ["Item", "item", "ITEM"].map { names.claim($0).lowercased() }
    #expect(Set(claimed).count == 3)
    #expect(claimed[0] == "item")
  }

  @Test func aTableNamedLikeAFileOfAnotherGetsItsOwn() {
    var names = MemberNames()
    let first = names.claim("a b")
    #expect(names.claim(first) != first)
  }

  @Test func theNameDependsOnTheTableAlone() {
    var names = MemberNames()
    var others = MemberNames()
    _ = others.claim("something else")
    #expect(names.claim("a b") == others.claim("a b"))
  }
}
