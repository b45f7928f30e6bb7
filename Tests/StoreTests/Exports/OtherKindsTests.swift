import Testing

@testable import Exports

struct OtherKindsTests {
  @Test(
    arguments: [
      ([], nil), (["1"], "1 number"), (["1", "-2.5"], "2 numbers"), (["true"], "1 truth value"),
      (["false", "7", "[]"], "1 number, 1 truth value and 1 list or object"),
      (["{}", "[true]"], "2 lists or objects"),
    ] as [([String], String?)])
  func kindsAreCountedByTheirSpelling(values: [String], words: String?) {
    var kinds = OtherKinds()
    for value in values {
      let text = Array(value.utf8)
      kinds.count(text.span, isContainer: value.hasPrefix("[") || value.hasPrefix("{"))
    }
    #expect(kinds.words == words)
    #expect(OtherKinds().adding(kinds).words == words)
  }
}
