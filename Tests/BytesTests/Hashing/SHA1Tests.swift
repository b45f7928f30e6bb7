import TestSupport
import Testing

@testable import Bytes

/// The examples of FIPS 180-4, and lengths around the size of a block, as Python's `hashlib` says.
struct SHA1Tests {
  @Test(arguments: [
    ("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    ("a", 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"),
    ("a", 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"),
    ("a", 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ("a", 1000, "291e9a6c66994949b57ba5e650361e98fc36b1ba"),
  ])
  func hashIsThatOfTheStandard(text: String, count: Int, expected: String) {
    var digits: [UInt8] = []
    digits.appendHex(SHA1.hash(of: Array(String(repeating: text, count: count).utf8)).span)
    #expect(String(decoding: digits, as: UTF8.self) == expected)
  }

  /// A file is read piece by piece.
  @Test(arguments: [0, 1, 63, 64, 65, 65_535, 65_536, 65_537, 200_000])
  func fileHasTheHashOfItsBytes(count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let path = try folder.write(bytes, to: "f")
    #expect(try SHA1.hash(ofFileAt: path) == SHA1.hash(of: bytes))
  }
}
