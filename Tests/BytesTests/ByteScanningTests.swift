import Bytes
import TestSupport
import Testing

struct ByteScanningTests {
  private enum Kind: CaseIterable {
    case json
    case plainCSV
    case quotedCSV
    case quotedWithCR
    case plainField
    case escapedField
    case backslash

    func end(in bytes: [UInt8], from start: Int) -> Int {
      switch self {
      case .json: endOfPlainJSON(in: bytes.span, from: start)
      case .plainCSV: endOfPlainCSV(in: bytes.span, from: start)
      case .quotedCSV: endOfQuotedCSV(in: bytes.span, from: start)
      case .quotedWithCR: endOfQuotedCSV(in: bytes.span, from: start, lineEnd: 0x0D)
      case .plainField: endOfPlainField(in: bytes.span, from: start, separator: 0x7C)
      case .escapedField: endOfEscapedField(in: bytes.span, from: start, separator: 0x09)
      case .backslash: placeOfBackslash(in: bytes.span, from: start)
      }
    }

    func ends(at byte: UInt8) -> Bool {
      switch self {
      case .json: byte < 32 || byte == 0x22 || byte == 0x5C
      case .plainCSV: [0x2C, 0x22, 0x0A, 0x0D, 0].contains(byte)
      case .quotedCSV: [0x22, 0x0A, 0].contains(byte)
      case .quotedWithCR: [0x22, 0x0D, 0].contains(byte)
      case .plainField: [0x7C, 0x22, 0x0A, 0x0D, 0].contains(byte)
      case .escapedField: [0x09, 0x5C, 0x0A, 0x0D, 0].contains(byte)
      case .backslash: byte == 0x5C
      }
    }
  }

  @Test func everyByteInEveryLaneIsSeenOrPassed() {
    for kind in Kind.allCases {
      for byte in UInt8.min...UInt8.max {
        for place in 0..<19 {
          var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 19)
          bytes[place] = byte
          #expect(kind.end(in: bytes, from: 0) == (kind.ends(at: byte) ? place : 19))
        }
      }
    }
  }

  @Test func randomBytesEndWhereALoopEnds() {
    var random = SeededGenerator(seed: 19)
    for _ in 0..<3000 {
      let bytes = random.bytes(Int.random(in: 0...40, using: &random))
        .map { random.next() & 3 == 0 ? $0 & 0x2F : $0 | 0x40 }
      let start = Int.random(in: 0...bytes.count, using: &random)
      for kind in Kind.allCases {
        let expected = bytes[start...].firstIndex(where: kind.ends) ?? bytes.count
        #expect(kind.end(in: bytes, from: start) == expected, "\(random) \(bytes) from \(start)")
      }
    }
  }

  @Test(arguments: [
    ("false", "false"), ("falsy", "false"), ("fals", "false"), ("false ", "false"), ("", ""),
    ("", "a"), ("Größe", "Größe"),
  ])
  func spansAreEqualByBytesAndCount(_ left: String, _ right: String) {
    let bytes = Array(left.utf8)
    let other = Array(right.utf8)
    let areEqual = bytes.span.isEqual(to: other.span)
    let isFalse = bytes.span.isEqual(to: "false")
    #expect(areEqual == (left == right))
    #expect(isFalse == (left == "false"))
  }

  @Test(arguments: [
    ("", "", true), ("aZ09", "Az09", true), ("a", "ab", false), ("@", "`", false),
    ("[", "{", false), ("Größe", "gRößE", true), ("ö", "Ö", false), ("k", "\u{212A}", false),
  ])
  func onlyTheCaseOfASCIILettersIsIgnored(_ left: String, _ right: String, isEqual: Bool) {
    let (bytes, other) = (Array(left.utf8), Array(right.utf8))
    let areEqual = bytes.span.isEqualIgnoringASCIICase(to: other.span)
    #expect(areEqual == isEqual)
  }
}
