import Bytes
import Testing

struct UTF16TextTests {
  private func utf8(_ units: [UInt16]) -> [UInt8] {
    var text: [UInt8] = []
    text.append(utf16: units.span)
    return text
  }

  @Test func everyScalarIsSpelledAsSwiftSpellsIt() {
    for number in UInt32(0)...0x10FFFF where number < 0x900 || number % 37 == 0 || number > 0x10FFF0
    {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let text = "a\(Character(scalar))b"
      guard utf8(Array(text.utf16)) == Array(text.utf8) else {
        Issue.record("\(number) differs")
        return
      }
    }
  }

  @Test(arguments: [
    [0xD800], [0xDC00], [0x61, 0xDBFF, 0x61], [0xDC00, 0xD800], [0xD800, 0xD800],
  ])
  func halfAPairIsNoUTF8(units: [UInt16]) {
    let isValid = isValidUTF8(utf8(units).span)
    #expect(!isValid)
  }
}
