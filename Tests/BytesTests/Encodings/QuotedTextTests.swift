import Bytes
import Testing

struct QuotedTextTests {
  /// A quote and an accent behind it are one character, and a quote all the same.
  @Test(arguments: [
    ("", "''"), ("it's", "'it''s'"), ("'", "''''"), ("it'\u{301}s", "'it''\u{301}s'"),
    ("12'\u{FE0F}", "'12''\u{FE0F}'"),
  ])
  func everyQuoteIsDoubled(text: String, expected: String) {
    #expect(hasSameBytes(enclosed(text, in: UInt8(ascii: "'")), expected))
  }

  @Test(arguments: ["a\0b\0\u{301}", "\0", "ab"])
  func everyByteIsReplaced(text: String) {
    let replaced = text.replacing(byte: 0, with: "..")
    #expect(Array(replaced.utf8) == text.utf8.flatMap { $0 == 0 ? Array("..".utf8) : [$0] })
  }

  @Test func pathIsSplitAtEverySlash() {
    let parts = Paths.parts(of: "/../\u{301}a//b/\u{FE0F}/")
    #expect(
      parts.map { Array($0.utf8) } == ["..", "\u{301}a", "b", "\u{FE0F}"].map { Array($0.utf8) })
  }
}
