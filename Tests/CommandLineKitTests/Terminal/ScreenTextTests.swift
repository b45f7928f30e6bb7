import CommandLineKit
import Testing

struct ScreenTextTests {
  @Test(arguments: [
    ("one two three", 8, "one two\n  three"),
    ("fits as it is", 13, "fits as it is"),
    ("  try: this and that", 12, "  try: this\n    and that"),
    ("unbreakableword x", 5, "unbreakableword\n  x"),
    ("a  b   c", 4, "a  b   c"), ("a b  c d", 5, "a\n  b  c\n  d"),
    ("some words ", 5, "some\n  words "),
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

  /// What was broken can be put together again: each break took the place of one blank.
  @Test(arguments: 1...40)
  func noBlankIsLost(width: Int) {
    let text = "it is in a  folder   with blanks, which are its own , and  not ours"
    let shown = fitted(text, to: width)
    let joined = shown.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(joined == text)
  }

  @Test(arguments: [nil, 10, 100])
  func namesStayWhole(width: Int?) {
    let name = "a folder/of  two words\u{1F}\u{1B}"
    let shown = #"a folder/of  two words\u{1F}\u{1B}"#
    let style = TextStyle(usesColor: true)
    let text = "there is " + style.bold(escapedAsOneWord(name)) + ": a store"
    let gap = width == 10 ? "\n  " : " "
    #expect(fitted(text, to: width) == "there is\(gap)\(style.bold(shown)):\(gap)a store")
    #expect(displayWidth(ofMarked: escapedAsOneWord("a b")) == 3)
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
