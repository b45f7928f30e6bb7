import Bytes
import Foundation
import TestSupport
import Testing

struct HexadecimalTests {
  @Test func everyByteHasTwoLowerCaseDigits() {
    let all = (0...255).map { UInt8($0) }
    let expected = all.map { String(format: "%02x", Int($0)) }.joined()
    #expect(written { $0.appendHex(all.span) } == expected)
  }

  @Test func nothingGivesNothing() {
    let none: [UInt8] = []
    #expect(written { $0.appendHex(none.span) } == "")
  }

  @Test func identifiersAreSpelledAsFoundationSpellsThem() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<1000 {
      let b = random.bytes(16)
      let expected = UUID(
        uuid: (
          b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7],
          b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
        )
      ).uuidString
      #expect(written { $0.appendUUID(b.span) } == expected)
    }
  }

  @Test(arguments: [
    "0f8fad5b-D9CB-469f-a165-70867728950e", "0f8fad5bd9cb469fa16570867728950e",
    "{0f8fad5b-d9cb-469f-a165-70867728950e}", "(0F8FAD5B-D9CB-469F-A165-70867728950E)",
  ])
  func identifierInAnyFormGetsTheUsualOne(_ text: String) {
    let expected = "0F8FAD5B-D9CB-469F-A165-70867728950E"
    #expect(written { $0.appendUUID(spelledAs: text.utf8Span.span) } == expected)
  }

  @Test(arguments: [0, 15, 17])
  func identifierOfOtherLengthIsACallersMistake(_ size: Int) async {
    await #expect(processExitsWith: .failure) { [size] in
      var output: [UInt8] = []
      output.appendUUID([UInt8](repeating: 0, count: size).span)
    }
  }
}
