import Formats
import Testing

/// Half a character in JSON is replaced, and nothing else is touched.
struct JSONRepairTests {
  @Test(arguments: [
    (#"{"a":"x\ud83d"}"#, #"{"a":"x\uFFFD"}"#),
    (#"["\uDE00\ud83d\ude00"]"#, #"["\uFFFD\ud83d\ude00"]"#),
    (#"["\ud83d\ud83d\ude00"]"#, #"["\uFFFD\ud83d\ude00"]"#), (#"["\ud83d\n"]"#, #"["\uFFFD\n"]"#),
    (#"{"\ud800":1}"#, #"{"\uFFFD":1}"#), (#"["\\\udfff"]"#, #"["\\\uFFFD"]"#),
  ])
  func halvesOfPairsAreReplaced(_ json: String, _ repaired: String) throws {
    let bytes = try #require(Self.repaired(json))
    #expect(String(decoding: bytes, as: UTF8.self) == repaired)
    #expect(!Self.isStrict(Array(json.utf8)) && Self.isStrict(bytes))
  }

  @Test(arguments: [
    #"["\ud83d\ude00","\\ud83d","\u0041"]"#, "[]", "", #"["\"#, #"["\u12"#, #"["\uzzzz"]"#, "\\u",
  ])
  func whatHasNoneIsLeftAlone(_ json: String) {
    #expect(Self.repaired(json) == nil)
  }

  @Test func bytesThatAreNoTextAreReplaced() {
    let json: [UInt8] = [0x22, 0x61, 0xF0, 0x9F, 0x22]
    let repaired = replacingHalfCharacters(in: json.span)
    #expect(repaired.map { String(decoding: $0, as: UTF8.self) } == "\"a\u{FFFD}\"")
  }

  private static func repaired(_ json: String) -> [UInt8]? {
    replacingHalfCharacters(in: Array(json.utf8).span)
  }

  private static func isStrict(_ json: [UInt8]) -> Bool {
    (try? JSONValue(parsing: json.span)) != nil
  }
}
