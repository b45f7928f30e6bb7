import Bytes
import TestSupport
import Testing

@testable import Records

/// However long and mixed a journal is, its last line about each operation and target counts.
struct DeliverySortTests {
  private let words = ["sending", "applied", "conflict", "rejected", "held", "pending"]
  private let targets = ["https://b", "rehome:1f", "https://a", nil]

  private func line(
    _ number: Int, of sequence: Int64, _ random: inout SeededGenerator
  ) -> JournalLine {
    let time = Timestamp(wholeSecondsSince1970: Int64(number) - 500, nanoseconds: 1_002_003)
    let event = words.randomElement(using: &random) ?? ""
    var line = JournalLine(sequence: sequence, time: time ?? .epoch, event: event)
    line.target = targets.randomElement(using: &random) ?? nil
    line.status = Bool.random(using: &random) ? nil : Int64(number % 7)
    line.detail = Bool.random(using: &random) ? nil : "words \(number % 1000)"
    return line
  }

  /// The lines of the long journal do not stay in memory.
  @Test(arguments: [60, 200_000]) func lastLineCounts(lines count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    var operations = OperationList()
    for sequence in 1...Int64(count / 4) {
      var operation = PendingOperation()
      operation.sequence = sequence
      operations.append(operation)
    }
    var sort = DeliverySort(of: operations, ofSeveral: false)
    var last: [Int64: [String: Delivery]] = [:]
    var latest: (number: Int, target: String)?
    for number in 1...count {
      let odd: [Int64] = [.min, -1, 0, .max]
      let sequence =
        number % 50 == 0
        ? odd[number / 50 % 4] : Int64.random(in: 1...Int64(count / 4), using: &random)
      let line = line(number, of: sequence, &random)
      try sort.add(line)
      guard let target = line.target, line.event != "held" else { continue }
      last[sequence, default: [:]][target] = Delivery(
        target: target, outcome: ReplayOutcome(rawValue: line.event) ?? .inDoubt, time: line.time,
        status: line.status, detail: line.event == "sending" ? nil : line.detail)
      if target.hasPrefix("https") { latest = (number, target) }
    }
    let deliveries = try sort.deliveries()
    #expect(deliveries.latestTargets == latest.map { [$0.target] })
    for (sequence, expected) in last {
      let expected = expected.sorted { $0.key < $1.key }.map(\.value)
      try #require(deliveries[sequence] == expected, "operation \(sequence)")
    }
    let counted = deliveries.summaries.reduce(0) { $0 + $1.counts.values.reduce(0, +) }
    #expect(counted == last.values.reduce(0) { $0 + $1.count })
  }

  @Test func operationsKeepWhatBecameOfThemUnderNewNumbers() throws {
    let operations = OperationList(
      (1...3 as ClosedRange<Int64>).map { number in
        var operation = PendingOperation()
        operation.sequence = number
        return operation
      })
    var sort = DeliverySort(of: operations, ofSeveral: true)
    for sequence in [3, 1, 2, 9] as [Int64] {
      var line = JournalLine(sequence: sequence, time: .epoch, event: "applied")
      (line.target, line.detail) = ("https://a", "\(sequence)")
      try sort.add(line)
    }
    let renumbered = try sort.deliveries().renumbered { $0 > 3 ? nil : $0 + 10 }
    #expect(renumbered.latestTargets == ["https://a"])
    let details = [1, 9, 11, 12, 13].map { renumbered[$0].map(\Delivery.detail) }
    #expect(details == [[], [], ["1"], ["2"], ["3"]])
  }
}
