import Bytes
import TestSupport
import Testing

struct JSONStringTests {
  @Test(arguments: [
    ("", "\"\""), ("plain", "\"plain\""), ("/", "\"/\""), ("\u{7F}é😀", "\"\u{7F}é😀\""),
    ("\"\\", #""\"\\""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
    ("\u{0}\u{1F}\u{B}", #""\u0000\u001f\u000b""#),
  ])
  func escapesOnlyWhatMustBe(text: String, expected: String) {
    #expect(escaped(Array(text.utf8)) == Array(expected.utf8))
  }

  /// Eight bytes are looked at together, so each byte is tried at each place among them.
  @Test func everyByteIsTreatedAlikeAtEveryPlace() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<20 {
        var text = [UInt8](repeating: 0xC3, count: 20)
        text[place] = byte
        let middle = escaped([byte]).dropFirst().dropLast()
        let expected = [0x22] + text[..<place] + middle + text[(place + 1)...] + [0x22]
        #expect(escaped(text) == Array(expected))
      }
    }
  }

  /// A text among others is read in words, which must not take in what follows it.
  @Test func textsInAnArenaAreWrittenAsPythonWritesThem() throws {
    var random = SeededGenerator(seed: 31)
    let pieces = [
      "\"", "\\", "\n", "\u{1}", "\u{1F}", "\u{7F}", "é", "€", "😀", "abcdefgh", "x", " ",
    ]
    let texts = (0..<4000).map { _ in
      (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
    }
    let expected = try Python.answers(
      to: texts.map { text in BytesTests.written { $0.appendHex(text.utf8Span.span) } },
      """
      import json
      def answer(line): return json.dumps(bytes.fromhex(line).decode(), ensure_ascii=False)
      """)
    for suffix in ["", "\"\\", "\"234567", "\"234567890123456", "\"2345678901234567"] {
      #expect(texts.map { written(in: "\"\n" + $0 + suffix, 2, $0.utf8.count) } == expected)
    }
  }

  /// What a text needs at most is room enough, and not a byte of it is left when all are escaped.
  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 511, 512, 513, 2000])
  func theWorstTextFillsItsRoom(count: Int) {
    for byte: UInt8 in [0x00, 0x22] {
      let bytes = [UInt8](repeating: byte, count: count) + [UInt8](repeating: 0x61, count: 16)
      let size = jsonStringSize(of: bytes.span.extracting(..<count))
      var output: [UInt8] = []
      output.append(roomFor: size) { $0.appendJSONString(bytes.span, 0..<count) }
      #expect(output == escaped(Array(bytes[..<count])))
    }
  }

  private func written(in text: String, _ start: Int, _ count: Int) -> String {
    let bytes = Array(text.utf8)
    let range = start..<start + count
    return BytesTests.written { output in
      output.append(roomFor: jsonStringSize(of: bytes.span.extracting(range))) {
        $0.appendJSONString(bytes.span, range)
      }
    }
  }

  @Test func neighboursOfEscapedBytesStay() {
    let text: [UInt8] = [0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA0, 0xA2, 0xDC, 0x9F, 0xFF]
    for start in 0..<4 {
      let part = Array(text[start...])
      #expect(escaped(part) == [0x22] + part + [0x22])
    }
  }

  @Test func whatIsThereAlreadyStays() {
    var output = Array("x".utf8)
    output.appendJSONString(Array("y".utf8).span)
    #expect(output == Array("x\"y\"".utf8))
  }

  /// A string that needed more would end the process, so both the guess and the count are tried.
  @Test(arguments: [1, 7, 8, 511, 512, 513, 2000])
  func thereIsRoomForTheWorstText(count: Int) {
    for byte: UInt8 in [0x00, 0x22, 0x61] {
      let text = [UInt8](repeating: byte, count: count)
      let size = jsonStringSize(of: text.span)
      #expect(size >= escaped(text).count)
      let more = byte == 0x61 ? 0 : byte == 0x22 ? 1 : 5
      if count > 512 { #expect(size == text.count + more * text.count + 2) }
    }
  }

  /// Bytes to escape in any neighbourhood are counted, and hardly any others.
  @Test func longTextsHaveRoomForWhatTheyEscape() {
    var random = SeededGenerator(seed: 32)
    let bytes: [UInt8] = [0x00, 0x01, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0xFF]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 513..<600, using: &random)).map { _ in
        Bool.random(using: &random) ? 0x61 : bytes.randomElement(using: &random) ?? 0x61
      }
      let escapes = text.count { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }
      let controls = text.count { $0 < 0x20 }
      let size = jsonStringSize(of: text.span)
      #expect(size >= text.count + escapes + 4 * controls + 2)
      #expect(size >= escaped(text).count)
      #expect(size <= text.count + 2 * (escapes + 4 * controls) + 2)
    }
  }

  private func escaped(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.appendJSONString(text.span)
    return output
  }
}
