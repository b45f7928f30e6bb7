import Bytes

/// Brings the lines of a journal into the order of their operations, where the last one about each
/// operation and target counts.
///
/// A journal has the order in which things happened, in any number of replays. Few lines stay in
/// memory; many wait in a file, in buckets of operations that follow each other.
package struct DeliverySort {
  private var spool = BucketSpool(most: 4 << 20)
  private var targets: [ExactText] = []
  private var targetNumbers: [ExactText: Int] = [:]
  private var words = RepeatedTexts()
  private var lineCount = 0
  private let operations: OperationList
  private let isOfSeveral: Bool

  /// Has no lines yet, of the operations of a queue, which are of several devices or of one.
  package init(of operations: OperationList, ofSeveral isOfSeveral: Bool) {
    self.operations = operations
    self.isOfSeveral = isOfSeveral
  }

  /// Adds the next line; what tells of no delivery changes nothing.
  package mutating func add(_ line: JournalLine) throws(StoreError) {
    lineCount += 1
    guard let delivery = Delivery(line) else { return }
    let entry = Entry(
      delivery, of: line.sequence, target: number(ofTarget: delivery.target), line: lineCount,
      words: delivery.detail.map { words.add($0) })
    try storeErrors(Self.context) { () throws(FileError) in
      try spool.append(entry.bytes.span, inBucket: bucket(of: line.sequence))
    }
  }

  /// What became of the operations.
  package mutating func deliveries() throws(StoreError) -> Deliveries {
    var deliveries = Deliveries()
    guard !targets.isEmpty else { return deliveries }
    var ranks = [Int](repeating: 0, count: targets.count)
    let order = targets.indices.sorted { targets[$0] < targets[$1] }
    for (rank, target) in order.enumerated() { ranks[target] = rank }
    let devices = DeviceRuns(of: isOfSeveral ? operations : OperationList())
    for bucket in 0..<BucketSpool.bucketCount {
      let entries = try entries(inBucket: bucket).sorted {
        ($0.sequence, ranks[$0.target], $0.line) < ($1.sequence, ranks[$1.target], $1.line)
      }
      for (place, entry) in entries.enumerated() {
        let next = place + 1 < entries.count ? entries[place + 1] : nil
        if entry.sequence == next?.sequence, entry.target == next?.target { continue }
        deliveries.add(
          delivery(entry), of: entry.sequence, device: devices[entry.sequence],
          entry: Int64(entry.line))
      }
    }
    deliveries.settle()
    return deliveries
  }

  /// The number of a target, which several spellings share: older journals have an address as it was
  /// typed.
  private mutating func number(ofTarget typed: String) -> Int {
    if let number = targetNumbers[ExactText(typed)] { return number }
    let target = ExactText(plainServerAddress(typed))
    let number = targetNumbers[target] ?? targets.count
    if number == targets.count { targets.append(target) }
    targetNumbers[target] = number
    targetNumbers[ExactText(typed)] = number
    return number
  }

  /// Whatever number a journal tells, no operation comes into a bucket before that of a lower one.
  private func bucket(of sequence: Int64) -> Int {
    let place = Int(min(max(sequence, 0), Int64(operations.count)))
    return place * BucketSpool.bucketCount / (operations.count + 1)
  }

  private mutating func entries(inBucket bucket: Int) throws(StoreError) -> [Entry] {
    try storeErrors(Self.context) { () throws(FileError) in
      var entries: [Entry] = []
      for number in 0..<(try spool.pieceCount()) {
        let bytes = try spool.piece(number, ofBucket: bucket)
        for start in stride(from: 0, to: bytes.count, by: Entry.size) {
          entries.append(Entry(bytes.span, at: start))
        }
      }
      return entries
    }
  }

  private func delivery(_ entry: Entry) -> Delivery {
    Delivery(
      target: targets[entry.target].wrappedValue, outcome: entry.outcome, time: entry.time,
      status: entry.status, detail: entry.words.map { words[$0] })
  }

  private static let context = "the journal of replays cannot be set aside"
}

/// Whose each operation is: those of a device mostly follow each other.
private struct DeviceRuns {
  /// The number of the last operation of each run, and the device.
  private var runs = PackedPairs()

  init(of operations: OperationList) {
    var last: (sequence: Int64, device: Int32)?
    for operation in operations {
      if let last, last.device != operation.source {
        runs.append(Int(last.sequence), Int(last.device))
      }
      last = (operation.sequence, operation.source)
    }
    if let last { runs.append(Int(last.sequence), Int(last.device)) }
  }

  subscript(sequence: Int64) -> Int32 {
    let place = runs.firstPosition(from: Int(sequence))
    return place < runs.count ? Int32(truncatingIfNeeded: runs[place].1) : 0
  }
}

extension DeliverySort {
  /// What a line tells, as eight numbers.
  private struct Entry {
    private let numbers: InlineArray<8, Int64>

    static let size = 64
    private static let outcomes = ReplayOutcome.allCases

    init(_ delivery: Delivery, of sequence: Int64, target: Int, line: Int, words: Int?) {
      let outcome = Self.outcomes.firstIndex(of: delivery.outcome) ?? 0
      let hasStatus = delivery.status == nil ? 0 : 1
      numbers = [
        sequence, Int64(target), Int64(line), Int64(outcome << 1 | hasStatus),
        delivery.status ?? 0, delivery.time.secondsSince1970, Int64(delivery.time.nanoseconds),
        words.map { Int64($0) + 1 } ?? 0,
      ]
    }

    init(_ bytes: Span<UInt8>, at start: Int) {
      numbers = InlineArray<8, Int64> { place in
        Int64(bitPattern: UInt64(bigEndian: loadWord(from: bytes, at: start + 8 * place)))
      }
    }

    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(Self.size)
      for place in numbers.indices { bytes.appendBigEndian(UInt64(bitPattern: numbers[place])) }
      return bytes
    }

    var sequence: Int64 { numbers[0] }
    var target: Int { Int(numbers[1]) }
    var line: Int { Int(numbers[2]) }
    var outcome: ReplayOutcome { Self.outcomes[Int(numbers[3] >> 1)] }
    var status: Int64? { numbers[3] & 1 == 0 ? nil : numbers[4] }
    var time: Timestamp {
      Timestamp(wholeSecondsSince1970: numbers[5], nanoseconds: Int32(numbers[6])) ?? .epoch
    }
    var words: Int? { numbers[7] == 0 ? nil : Int(numbers[7]) - 1 }
  }
}
