import Bytes
import Foundation
import TestSupport
import Testing

struct Base64Tests {
  private func decoded(_ text: String) -> [UInt8]? {
    var output: [UInt8] = [9]
    let isValid = withBytes(text) { decodeBase64($0, into: &output) }
    #expect(isValid || output == [9], "nothing is appended on failure")
    return isValid ? Array(output.dropFirst()) : nil
  }

  @Test func everyLengthIsWrittenAsFoundationWritesIt() {
    var random = SeededGenerator(seed: 7)
    for size in 0..<300 {
      let bytes = random.bytes(size)
      let text = written { $0.appendBase64(bytes.span) }
      #expect(text == Data(bytes).base64EncodedString())
      #expect(decoded(text) == bytes)
    }
  }

  @Test func onlyCanonicalTextIsRead() throws {
    var random = SeededGenerator(seed: 8)
    let digits = Array("ABCghiXYZ019+/AAA===-_ ")
    let texts = (0..<20_000).map { _ in
      String(
        (0..<4 * Int.random(in: 1...2, using: &random)).map { _ in
          digits.randomElement(using: &random) ?? "A"
        })
    }
    let expected = try Python.answers(
      to: texts,
      """
      import base64
      def answer(line):
        try: value = base64.b64decode(line.encode(), validate=True)
        except Exception: return 'None'
        return value.hex() if base64.b64encode(value) == line.encode() else 'None'
      """)
    let actual = texts.map { text in
      decoded(text).map { bytes in written { $0.appendHex(bytes.span) } } ?? "None"
    }
    #expect(actual == expected)
    #expect(Set(expected).count > 1000, "the corpus must hold readable texts too")
  }

  @Test(arguments: [
    "A", "AA", "AAA", "AA=", "A===", "====", "AB==", "AAB=", "AA==AAAA", "AAA=AAAA", "AAAA=",
    "AA-_", "AA\nAA", " AAAA", "AAAA\n", "ÄAAA", "=AAA", "AA=A",
  ])
  func anythingElseIsRejected(_ text: String) {
    #expect(decoded(text) == nil)
  }

  @Test func whitespaceIsSkippedWhereAsked() {
    var output: [UInt8] = []
    let text = " aGVs\r\nbG8g\td29y\nbGQ =\n"
    #expect(withBytes(text) { decodeBase64(ignoringWhitespace: $0, into: &output) })
    #expect(String(decoding: output, as: UTF8.self) == "hello world")
    #expect(!withBytes("aG-s\n") { decodeBase64(ignoringWhitespace: $0, into: &output) })
  }
}
