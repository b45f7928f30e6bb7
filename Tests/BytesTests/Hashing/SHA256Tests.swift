import Bytes
import TestSupport
import Testing

struct SHA256Tests {
  private func hash(_ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes.span)
    return hash.finish().hexadecimal
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func publishedVectorsHold(_ text: String, _ digest: String) {
    #expect(hash(Array(text.utf8)) == digest)
  }

  @Test func aMillionLettersHashAsPublished() {
    #expect(
      hash([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000))
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func everySizeHashesAsInPython() throws {
    var random = SeededGenerator(seed: 16)
    let inputs = (Array(0..<260) + [1000, 4096, 5555]).map { random.bytes($0) }
    let expected = try Python.answers(
      to: inputs.map { bytes in written { $0.appendHex(bytes.span) } },
      """
      import hashlib
      def answer(line): return hashlib.sha256(bytes.fromhex(line)).hexdigest()
      """)
    #expect(inputs.map(hash) == expected)
  }

  @Test func piecesOfAnySizeChangeNothing() {
    var random = SeededGenerator(seed: 17)
    let bytes = random.bytes(3000)
    let whole = hash(bytes)
    for _ in 0..<50 {
      var pieces = SHA256()
      var start = 0
      while start < bytes.count {
        let end = min(start + Int.random(in: 0...150, using: &random), bytes.count)
        pieces.update(bytes.span.extracting(start..<end))
        start = end
      }
      #expect(pieces.finish().hexadecimal == whole)
    }
  }

  @Test func finishingStartsAgain() {
    var twice = SHA256()
    twice.update([1, 2, 3].span)
    let first = twice.finish()
    twice.update([1, 2, 3].span)
    #expect(twice.finish() == first)
    #expect(first.bytes.count == 32)
    #expect(written { text in text.appendHex(first.bytes.span) } == first.hexadecimal)
  }

  @Test func filesHashAsTheirBytes() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "0123456789", count: 250_000)
    let path = try folder.write(text, to: "large")
    let (digest, size) = try sha256(ofFileAt: path)
    #expect(digest.hexadecimal == hash(Array(text.utf8)))
    #expect(size == 2_500_000)
  }

  @Test func missingFileHasNoHash() {
    #expect(throws: FileError(operation: "open", path: "/nowhere/at/all", errno: 2)) {
      try sha256(ofFileAt: "/nowhere/at/all")
    }
  }
}
