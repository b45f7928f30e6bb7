import Testing

@testable import Records

struct LayoutTests {
  @Test func nameOfANewerToolIsKept() {
    #expect(Layout(rawValue: "future-sdk-7")?.rawValue == "future-sdk-7")
    #expect(Layout(rawValue: "core-data") == .coreData)
  }

  /// Names come from stores, and go to terminals and pages as they are.
  @Test(arguments: ["", "a b", "A", "<b>", "a\u{1B}[0m", "ä", String(repeating: "a", count: 65)])
  func oddTextIsNoName(_ text: String) {
    #expect(Layout(rawValue: text) == nil)
  }
}
