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

  /// Two messages take turns as long as both have blocks, so every pair of block counts is tried.
  @Test func messagesInPairsHashAsAlone() {
    var random = SeededGenerator(seed: 19)
    for first in 0...6 {
      for second in 0...6 {
        let (ones, others) = (random.bytes(first * 64), random.bytes(second * 64))
        var states = (SHA256State(), SHA256State())
        SHA256State.compress(ones.span, into: &states.0, others.span, into: &states.1)
        var alone = (SHA256State(), SHA256State())
        alone.0.compressPortably(ones.span)
        alone.1.compressPortably(others.span)
        let isSame = states == alone
        #expect(isSame, "\(first) and \(second) blocks")
      }
    }
  }

  @Test(.enabled("the processor works on sixteen words at once") { SHA256Lanes.areAvailable })
  func lanesHashAsMessagesAlone() {
    var random = SeededGenerator(seed: 20)
    let bytes = random.bytes(9000)
    var lanes = SHA256Lanes()
    var alone = Array(repeating: SHA256State(), count: SHA256Lanes.count)
    for (step, blocks) in [1, 3, 0, 7].enumerated() {
      let places = alone.map { _ in Int.random(in: 0...9000 - blocks * 64, using: &random) }
      lanes.compress(bytes.span, at: places, blocks: blocks, areFirst: step == 0)
      for (lane, place) in places.enumerated() {
        alone[lane].compressPortably(bytes.span.extracting(place..<place + blocks * 64))
      }
      #expect(alone.indices.map { lanes[$0] } == alone, "after step \(step)")
    }
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
