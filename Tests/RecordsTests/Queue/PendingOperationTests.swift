import Records
import Testing

struct PendingOperationTests {
  /// What one field of an operation is set to.
  enum Change: Sendable {
    case table(String?)
    case itemID(String?)
    case originalID(String?)
    case originalCode(String?)
    case baseVersion(String?)
    case rowTable(String?)
    case raw(RawValue?)
    case item([UInt8]?)

    func apply(to operation: inout PendingOperation) {
      switch self {
      case .table(let text): operation.table = text
      case .itemID(let text): operation.itemID = text
      case .originalID(let text): operation.originalID = text
      case .originalCode(let text): operation.originalCode = text
      case .baseVersion(let text): operation.baseVersion = text
      case .rowTable(let text): operation.rowTable = text
      case .raw(let raw): operation.raw = raw
      case .item(let item): operation.item = item
      }
    }

    func isSeen(in operation: PendingOperation) -> Bool {
      switch self {
      case .table(let text): operation.table == text
      case .itemID(let text): operation.itemID == text
      case .originalID(let text): operation.originalID == text
      case .originalCode(let text): operation.originalCode == text
      case .baseVersion(let text): operation.baseVersion == text
      case .rowTable(let text): operation.rowTable == text
      case .raw(let raw): operation.raw == raw
      case .item(let item): operation.item == item
      }
    }
  }

  static let long = String(repeating: "ü", count: 20_000)
  static let delete = Array(#"{"type":2,"item":{"id":"a"}}"#.utf8)
  static let item = Array(#"{"id":"a"}"#.utf8)

  static let changes: [[Change]] = [
    [.table("T"), .itemID("i"), .originalID("7"), .originalCode("2"), .baseVersion("v")],
    [.table(long), .itemID(""), .rowTable(String(long.prefix(63))), .baseVersion(long)],
    [.raw(.binary(delete)), .item(item), .itemID("a")],
    [.raw(.text(Array(#"{"item":{"id":"a"},"type":2}"#.utf8))), .item(item), .table("T")],
    [.raw(.text(item)), .item(item), .originalID(String(repeating: "1", count: 127))],
    [.raw(.text(item)), .item(Array("another".utf8)), .originalCode(String(long.prefix(64)))],
    [.raw(.integer(.min)), .item(item)], [.raw(.real(-0.5)), .item([])],
    [.raw(.binary([])), .item([])], [.raw(.text([0xFF])), .item(nil)],
    [.item(Array(long.utf8)), .raw(nil), .table(nil)],
  ]

  static let operations = (changes + changes).map { changes in
    var operation = PendingOperation()
    for change in changes { change.apply(to: &operation) }
    return operation
  }

  @Test func whatIsSetTakesNoMoreMemoryThanItNeeds() {
    let item = Array("{\"text\":\"\(Self.long.prefix(300))\"}".utf8)
    var operation = PendingOperation()
    operation.raw = .binary(Array("{\"type\":2,\"item\":".utf8) + item + Array("}".utf8))
    operation.item = item
    #expect(operation.packed.count < item.count + 64)
    #expect(operation.packed.capacity < operation.packed.count + 64)
  }

  @Test func packedTogetherTheyStayWhatTheyAreAndChangeAlone() {
    var packing = OperationPacking()
    for operation in Self.operations { packing.add(operation) }
    var packed = packing.take()
    #expect(packed == Self.operations)
    packed[1].baseVersion = "new"
    packed[2].itemID = nil
    for place in packed.indices where place != 1 && place != 2 {
      #expect(packed[place] == Self.operations[place])
    }
    #expect(packed[1].baseVersion == "new" && packed[1].table == Self.operations[1].table)
    #expect(packed[2].itemID == nil && packed[2].item == Self.operations[2].item)
    #expect(packing.take().isEmpty)
  }

  @Test(arguments: changes) func everyFieldKeepsItsValueInWhateverOrderTheyAreSet(
    changes: [Change]
  ) {
    var forwards = PendingOperation()
    for change in changes { change.apply(to: &forwards) }
    var backwards = PendingOperation()
    for change in changes.reversed() { change.apply(to: &backwards) }
    #expect(changes.allSatisfy { $0.isSeen(in: forwards) })
    #expect(forwards == backwards)
  }

  @Test(arguments: changes) func aFieldThatIsSetAgainLeavesTheOthersAlone(changes: [Change]) {
    var operation = PendingOperation()
    for change in changes { change.apply(to: &operation) }
    let before = operation
    let (table, version) = (operation.table, operation.baseVersion)
    operation.table = Self.long + "x"
    operation.baseVersion = nil
    #expect(operation != before)
    operation.baseVersion = version
    operation.table = table
    #expect(operation == before)
  }

  @Test func anItemOutlivesThePayloadThatItWasPartOf() {
    var operation = PendingOperation()
    operation.raw = .binary(Self.delete)
    operation.item = Self.item
    operation.raw = .binary(Array("other".utf8))
    #expect(operation.item == Self.item)
    operation.raw = nil
    #expect(operation.item == Self.item)
  }

  @Test func packingTogetherGivesWhatSettingOneByOneGives() {
    var packing = OperationPacking()
    for texts in [["T", "i", "1", "v", "2", "S"], [nil, "", nil, nil, Self.long, nil], []]
      as [[String?]]
    {
      for raw in [nil, .binary(Self.delete), .integer(-2), .real(0.5)] as [RawValue?] {
        for item in [nil, Self.item, []] as [[UInt8]?] {
          let given = texts + Array(repeating: nil, count: 6 - texts.count)
          for text in given {
            if let text { packing.add(text.utf8.span) } else { packing.addNone() }
          }
          packing.addPayload(raw)
          if let item { packing.addItem(item.span) } else { packing.addNone() }
          packing.finish(nil)
          let packed = packing.take()
          var single = PendingOperation()
          (single.table, single.itemID, single.originalID) = (given[0], given[1], given[2])
          (single.baseVersion, single.originalCode) = (given[3], given[4])
          (single.rowTable, single.raw, single.item) = (given[5], raw, item)
          #expect(packed == [single])
        }
      }
    }
  }

  @Test func packingRepairsInvalidTextAndSpellsNumbers() {
    var packing = OperationPacking()
    let bytes: [UInt8] = [0x61, 0xFF]
    packing.add(bytes.span)
    packing.add(.min)
    for _ in 2..<8 { packing.addNone() }
    packing.finish(nil)
    var single = PendingOperation()
    single.table = "a\u{FFFD}"
    single.itemID = "-9223372036854775808"
    #expect(packing.take() == [single])
  }

  @Test func missingAndEmptyTextsStayApart() {
    var operation = PendingOperation()
    #expect(operation.itemID == nil)
    operation.itemID = ""
    #expect(operation.itemID == "")
    #expect(operation != PendingOperation())
    operation.itemID = nil
    #expect(operation == PendingOperation())
  }

  /// What an operation does, how far it has come and its row share a few bits, in which each is kept
  /// whatever becomes of the others.
  @Test func noPartOfAnOperationChangesAnother() {
    var operation = PendingOperation()
    for kind in OperationKind.allCases.map(Optional.some) + [nil] {
      for state in OperationState.allCases {
        for key in [nil, 0, -1, Int64.max] {
          operation.source = state == .failed ? .max : .min
          operation.rowKey = key
          operation.state = state
          operation.kind = kind
          #expect(operation.kind == kind && operation.state == state && operation.rowKey == key)
          #expect(operation.source == (state == .failed ? .max : .min))
        }
      }
    }
  }

  /// An operation is handed on in registers, of which a call has four for it.
  @Test func anOperationTakesFourWords() {
    #expect(MemoryLayout<PendingOperation>.size == 4 * MemoryLayout<Int>.size)
  }
}
