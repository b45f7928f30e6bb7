import Bytes
import TestSupport
import Testing

/// Names keep their bytes, whatever these are.
struct KeptBytesTests {
  @Test func bytesComeBackAsTheyWere() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let bytes = random.bytes(Int.random(in: 0...12, using: &random))
      #expect(String(keepingBytes: bytes).keptBytes == bytes)
    }
    let mark = "\u{10FFFE}"
    for text in ["", "name", "über", "日本🙂", mark, mark + "\u{10FFFC}", mark + mark + "x"] {
      #expect(String(keepingBytes: Array(text.utf8)).keptBytes == Array(text.utf8))
    }
  }

  /// A name of any catalogue is asked for as it is.
  @Test(arguments: ["\u{10FF80}x", "a\u{10FFFF}", "\u{10FFFE}", "\u{10FFFE}a\u{10FFFE}"])
  func rarestTextIsNoKeptBytes(_ text: String) {
    #expect(!text.hasKeptBytes && text.keptBytes == Array(text.utf8) && text.mended == text)
  }

  @Test func onlyWhatIsNoTextIsChanged() {
    #expect(String(keepingBytes: Array("über 日本🙂".utf8)) == "über 日本🙂")
    let name = String(keepingBytes: [0xFC, 0x62, 0xC3, 0xBC, 0xC3])
    #expect(name.hasKeptBytes)
    #expect(name.mended == "\u{FFFD}bü\u{FFFD}")
    #expect(name.withKeptBytesSpelled == "\\xFCbü\\xC3")
    #expect("über".mended == "über")
  }

  @Test func namesThatLookAlikeOnceMendedAreTwo() {
    let names = [[0x78, 0xFC], [0x78, 0xFD]].map { String(keepingBytes: $0) }
    #expect(ExactText(names[0]) != ExactText(names[1]))
    #expect(names[0].mended == names[1].mended)
  }
}
