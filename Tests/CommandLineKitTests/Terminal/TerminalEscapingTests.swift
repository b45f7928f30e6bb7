import Testing

@testable import CommandLineKit

struct TerminalEscapingTests {
  @Test(arguments: [
    ("plain ~ text", "plain ~ text"), ("", ""), ("Zoë 漢字 🚀", "Zoë 漢字 🚀"),
    ("a\nb\tc\r", "a\\nb\\tc\\u{0D}"), ("\u{1B}[31mred", "\\u{1B}[31mred"),
    ("\u{0}\u{7F}\u{9B}", "\\u{00}\\u{7F}\\u{9B}"),
    ("\u{202E}txt\u{2066}", "\\u{202E}txt\\u{2066}"),
    ("a\u{200B}\u{200D}\u{FEFF}b", "a\\u{200B}\\u{200D}\\u{FEFF}b"), ("so\u{AD}ft", "so\\u{AD}ft"),
    ("\u{2028}\u{2029}\u{E0041}\u{3164}\u{61C}", "\\u{2028}\\u{2029}\\u{E0041}\\u{3164}\\u{61C}"),
    ("❤\u{FE0F} a\u{FE0F}", "❤\u{FE0F} a\\u{FE0F}"), ("e\u{301}", "e\u{301}"), (#"C:\n"#, #"C:\n"#),
  ])
  func nothingThatActsOrHidesIsLeft(text: String, shown: String) {
    #expect(escapedForTerminal(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test(arguments: [
    ("a,b\r\nc\td\n", "a,b\r\nc\td\n"), ("a\rb\r\n", "a\\u{0D}b\r\n"), ("a\r", "a\\u{0D}"),
    ("x\u{1B}]0;t\u{7}\n\n\u{202E}y", "x\\u{1B}]0;t\\u{07}\n\n\\u{202E}y"), ("", ""),
    ("\r\n\r\n", "\r\n\r\n"),
  ])
  func linesOfAFormatStayLines(text: String, shown: String) {
    #expect(escapedLinesForTerminal(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test func noControlCharacterSurvives() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isControl = scalar.properties.generalCategory == .control
      if isControl || scalar.properties.generalCategory == .format {
        #expect(escapedForTerminal(String(scalar)).utf8.first == UInt8(ascii: "\\"))
      }
    }
  }

  @Test(arguments: [
    ("hello", 5, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""), ("", 0, ""),
    ("hello", -1, ""), ("漢字漢字", 8, "漢字漢字"), ("漢字漢字", 7, "漢字漢…"), ("漢字漢字", 6, "漢字…"),
    ("ab\ncd", 4, "ab…"), ("ab\ncd", 5, "ab\\n…"), ("e\u{301}e\u{301}", 2, "e\u{301}e\u{301}"),
  ])
  func limitedTextIsCutBetweenWholePieces(text: String, width: Int, shown: String) {
    let result = escapedForTerminal(text, width: width)
    #expect(result == shown)
    #expect(displayWidth(of: result) <= max(0, width))
  }

  @Test func endlessCombiningMarksAreCut() {
    let pile = "e" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(escapedForTerminal(pile, width: 10).unicodeScalars.count < 200)
  }

  @Test(arguments: [
    ("abc", 3), ("漢字", 4), ("e\u{301}", 1), ("🚀", 2), ("🇩🇪", 2), ("ｶﾅ", 2), ("Ａ", 2), ("한글", 4),
    ("\u{200B}", 0), ("\t", 0),
  ])
  func widthFollowsWhatTerminalsDraw(text: String, width: Int) {
    #expect(displayWidth(of: text) == width)
  }
}
