import Bytes
import TestSupport
import Testing

struct SHA256MessagesTests {
  /// The hashes of messages that are added one after the other, hashed whenever it is time.
  private func hashes(_ texts: [[UInt8]]) -> [String] {
    var messages = SHA256Messages()
    var found: [String] = []
    for (place, text) in texts.enumerated() {
      let isFull = messages.add { bytes in
        bytes.append(roomFor: text.count + sha256EndSize) { room in
          room.append(text.span, 0..<text.count)
          room.endSHA256Message(ofSize: text.count)
        }
      }
      guard isFull || place + 1 == texts.count else { continue }
      let before = found.count
      messages.hashAll { number, digest in
        #expect(before + number == found.count, "hashes come in the order of the messages")
        found.append(digest.hexadecimal)
      }
    }
    return found
  }

  private func expectedHashes(_ texts: [[UInt8]]) throws -> [String] {
    try Python.answers(
      to: texts.map { bytes in written { $0.appendHex(bytes.span) } },
      """
      import hashlib
      def answer(line): return hashlib.sha256(bytes.fromhex(line)).hexdigest()
      """)
  }

  /// What is hashed together depends on how many messages there are, and on how many blocks.
  @Test(arguments: [1, 2, 11, 12, 13, 31, 32, 33, 44, 45, 64, 300])
  func messagesHashAsInPython(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    for most in [40, 200, 1000, 9000] {
      let texts = (0..<count).map { _ in random.bytes(Int.random(in: 0...most, using: &random)) }
      #expect(hashes(texts) == (try expectedHashes(texts)), "up to \(most) bytes")
    }
  }

  @Test func oneLongMessageAmongShortOnesHashesAsInPython() throws {
    var random = SeededGenerator(seed: 21)
    for place in [0, 7, 40] {
      var texts = (0..<41).map { _ in random.bytes(100) }
      texts[place] = random.bytes(200_000)
      #expect(hashes(texts) == (try expectedHashes(texts)))
    }
  }

  @Test func noMessagesHaveNoHashes() {
    var messages = SHA256Messages()
    messages.hashAll { _, _ in Issue.record("there is nothing to hash") }
  }
}
