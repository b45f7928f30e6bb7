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
    for text in ["", "name", "über", "\u{10FF7F}", "\u{10FF80}", "\u{10FFFF}x", "日本🙂"] {
      #expect(String(keepingBytes: Array(text.utf8)).keptBytes == Array(text.utf8))
    }
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
