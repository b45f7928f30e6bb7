import Testing

@testable import Bytes

/// Two spellings of an accented letter are two names.
struct ExactTextTests {
  private static let pairs = [
    ("\u{FC}", "u\u{308}"), ("K", "\u{212A}"), ("a\u{316}\u{301}", "a\u{301}\u{316}"),
  ]

  @Test(arguments: pairs) func onlyTheSameBytesAreEqual(_ left: String, _ right: String) {
    #expect(left == right)
    #expect(!hasSameBytes(left, right) && ExactText(left) != ExactText(right))
    #expect((ExactText(left) < ExactText(right)) != (ExactText(right) < ExactText(left)))
    #expect(Set([left, right, left].map { ExactText($0) }).count == 2)
    #expect(hasSameBytes(left, String(decoding: Array(left.utf8), as: UTF8.self)))
  }

  @Test func caseIsFoldedAndNothingElse() {
    #expect(ExactText(folding: "\u{DC}b") == ExactText(folding: "\u{FC}B"))
    #expect(ExactText(folding: "U\u{308}") != ExactText(folding: "\u{FC}"))
    #expect(ExactText(folding: "straße") != ExactText(folding: "STRASSE"))
  }

  @Test func nothingIsNothingAndNoText() {
    #expect(hasSameBytes(nil, nil) && !hasSameBytes(nil, "") && !hasSameBytes("", nil))
  }

  @Test func propertiesOfTypesThatAreComparedAreTold() {
    struct Named: Hashable {
      @ExactText var name: String
    }
    #expect(Named(name: "\u{FC}") != Named(name: "u\u{308}"))
    #expect(Set([Named(name: "\u{FC}"), Named(name: "u\u{308}")]).count == 2)
  }
}
