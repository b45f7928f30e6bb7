import Testing
import XMLFormat

struct MutationTests {
  static let seeds = Array(UInt64(1)...40)

  @Test(arguments: seeds)
  func damagedDocumentsAreReadAlikeInPiecesOfAnySize(seed: UInt64) throws {
    var generator = SplitMix(seed)
    let fixtures = TruncationTests.documents + XMLReaderTests.rejected
    let options = XMLOptions(allowingDoctype: true)
    for _ in 0..<50 {
      let fixture = try #require(fixtures.randomElement(using: &generator))
      var bytes = try fixture.bytes()
      for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes, &generator) }
      let whole = EventDump(bytes, pieces: .max / 2, options)
      let pieces = Int.random(in: 1...40, using: &generator)
      let dump = EventDump(bytes, pieces: pieces, options)
      #expect(dump == whole, "\(fixture.name), pieces of \(pieces): \(bytes)")
    }
  }
}

/// Changes, removes or repeats some bytes.
func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix) {
  let telling = Array("<>&;'\"=!?-[]/x: \n\0#a".utf8) + [0x80, 0xC3, 0xFF]
  let place = Int.random(in: 0...bytes.count, using: &generator)
  let byte = telling.randomElement(using: &generator) ?? 0
  switch Int.random(in: 0..<4, using: &generator) {
  case 0: bytes.insert(byte, at: place)
  case 1 where place < bytes.count: bytes[place] = byte
  case 2 where place < bytes.count: bytes.remove(at: place)
  default:
    let other = Int.random(in: 0...bytes.count, using: &generator)
    bytes.insert(
      contentsOf: bytes[min(place, other)..<min(max(place, other), min(place, other) + 20)],
      at: place)
  }
}

/// A generator whose numbers follow from one seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
