import Formats
import Replay
import Testing

@testable import Commands

/// What is kept of many operations in a file comes back as it was.
struct KeptDetailsTests {
  private static func details(_ number: Int) -> ReplayDetails {
    var details = ReplayDetails()
    let length = [0, 1, 13, 252, 253, 254, 255, 256, 4000, 70_000][number % 10]
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) }
    if number & 1 > 0 { details.version = String(repeating: "v", count: number % 300) }
    if number & 2 > 0 { details.words = "é \(number)" }
    if number & 4 > 0 { details.item = bytes }
    if number & 8 > 0 { details.serverItem = bytes.reversed() }
    if number & 16 > 0 {
      details.changes = [
        ServerChange(field: "a\"\u{0}", sent: .string("\(number)"), kept: nil),
        ServerChange(field: "", sent: .null, kept: .null),
        ServerChange(field: "n", sent: .array([.boolean(true)]), kept: .object(JSONObject())),
      ]
    }
    return details
  }

  @Test func detailsComeBackInAnyOrder() {
    var kept = KeptDetails()
    let places = (0..<640).map { kept.add(Self.details($0), areOfSeveral: $0 % 64 == 32) }
    for number in places.indices.reversed() {
      let details = kept[places[number]]
      #expect(details == Self.details(number), "\(number)")
      #expect(places[number].isNone == (number & 63 == 0), "\(number)")
    }
  }

  /// Queues have millions of operations.
  @Test func placeTakesFourBytes() {
    #expect(MemoryLayout<KeptDetails.Place>.size == 4)
  }
}
