import TestSupport
import Testing

@testable import Bytes

struct SHA256StateTests {
  @Test(.enabled("the processor has instructions for it") { processorHashes })
  func instructionsGiveWhatTheStandardSays() {
    var random = SeededGenerator(seed: 18)
    var fast = SHA256State()
    var plain = SHA256State()
    for size in 0...300 {
      let bytes = random.bytes(size)
      fast.compressByInstructions(bytes.span)
      plain.compressPortably(bytes.span)
      #expect(fast == plain, "after \(size) bytes")
    }
    #expect(fast != SHA256State())
  }

  @Test func portableRoundsHashAsPublished() {
    var state = SHA256State()
    var block = [UInt8](repeating: 0, count: 64)
    block.replaceSubrange(0..<4, with: [0x61, 0x62, 0x63, 0x80])
    block[63] = 24
    state.compressPortably(block.span)
    #expect(
      state.digest.hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }
}
