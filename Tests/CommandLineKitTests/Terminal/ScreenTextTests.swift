import CommandLineKit
import Testing

struct ScreenTextTests {
  @Test(arguments: [
    ("one two three", 8, "one two\n  three"),
    ("fits as it is", 13, "fits as it is"),
    ("  try: this and that", 12, "  try: this\n    and that"),
    ("unbreakableword x", 5, "unbreakableword\n  x"),
    ("a  b   c", 4, "a  b\n  c"),
    ("a\n\nlonger line\n", 7, "a\n\nlonger\n  line\n"),
    ("漢字 漢字 漢字", 10, "漢字 漢字\n  漢字"),
    ("  {\"a\": \"b c d e f\"}", 6, "  {\"a\": \"b c d e f\"}"),
    ("  payload: {\"a\": \"b c d e f\"}", 6, "  payload: {\"a\": \"b c d e f\"}"),
    ("          deep text", 8, "          deep\n    text"),
    ("", 3, ""), ("     ", 3, "     "),
  ])
  func longLinesAreBrokenAtBlanksAndGoOnFurtherIn(text: String, width: Int, shown: String) {
    #expect(fitted(text, to: width) == shown)
  }

  @Test(arguments: [nil, 0, -4])
  func withoutAScreenNothingIsBroken(width: Int?) {
    #expect(fitted("one two three", to: width) == "one two three")
  }

  @Test func marksTakeNoRoom() {
    let style = TextStyle(usesColor: true)
    let text = style.bold("title") + ": " + style.red("wrong")
    #expect(displayWidth(ofMarked: text) == 12)
    #expect(fitted(text, to: 12) == text)
    #expect(fitted(text, to: 11) == style.bold("title") + ":\n  " + style.red("wrong"))
  }
}
