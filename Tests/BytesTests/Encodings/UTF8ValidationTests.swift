import Bytes
import TestSupport
import Testing

struct UTF8ValidationTests {
  @Test func randomBytesAreJudgedAsPythonJudgesThem() throws {
    var random = SeededGenerator(seed: 9)
    let scalars = [
      "a", "é", "€", "😀", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10FFFF}", "abcdefghi",
      "жизнь", "漢字", "\u{D7FF}\u{E000}",
    ]
    let odd: [UInt8] = [
      0x80, 0xBF, 0xC0, 0xC1, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF, 0xA0, 0x9F, 0x8F,
    ]
    let inputs = (0..<20_000).map { _ in
      var bytes = (0..<Int.random(in: 0..<9, using: &random)).flatMap { _ in
        Array((scalars.randomElement(using: &random) ?? "").utf8)
      }
      for _ in 0..<Int.random(in: 0..<3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = odd.randomElement(using: &random) ?? 0
      }
      return Array(bytes.prefix(Int.random(in: 0...40, using: &random)))
    }
    let expected = try Python.answers(
      to: inputs.map { bytes in written { $0.appendHex(bytes.span) } },
      """
      def answer(line):
        try: bytes.fromhex(line).decode('utf-8')
        except UnicodeDecodeError: return 'false'
        return 'true'
      """)
    #expect(inputs.map { String(isValidUTF8($0.span)) } == expected)
    #expect(Set(expected).count == 2)
  }

  @Test(
    arguments: [
      [0xC0, 0xAF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF],
      [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3], [0xC3, 0x28],
    ] as [[UInt8]])
  func illFormedSequencesAreRejectedWhereverTheyStand(_ sequence: [UInt8]) {
    for neighbour in ["a", "\u{80}", "é", "\u{800}", "\u{D7FF}", "漢", "\u{10000}"] {
      for count in 0..<40 {
        let others = Array(String(repeating: neighbour, count: count).utf8)
        let isValid = isValidUTF8(others.span)
        #expect(isValid)
        for bytes in [others + sequence, others + sequence + others] {
          let isValid = isValidUTF8(bytes.span)
          #expect(!isValid)
        }
      }
    }
  }
}

extension UTF8ValidationTests {
  @Test func charactersAreThoseOfTheText() {
    let text = "a\u{7F}\u{80}é\u{7FF}\u{800}€\u{D7FF}\u{E000}\u{FFFF}😀\u{10FFFF}\0z"
    let bytes = Array(text.utf8)
    var scalars: [Unicode.Scalar] = []
    var place = 0
    while place < bytes.count {
      let (scalar, size) = unicodeScalar(in: bytes.span, at: place)
      scalars.append(scalar)
      place += size
    }
    #expect(scalars == Array(text.unicodeScalars) && place == bytes.count)
  }
}
