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
}
