import Bytes
import Testing

@testable import Records

struct MatchedQueueTests {
  @Test(arguments: 0..<24) func theBestRowWinsInWhateverOrderRowsCome(_ order: Int) throws {
    var found: [(match: RowMatches.Match, candidate: Int, key: Int64)] = [
      (.otherSpelling, 0, 1), (.exact, 1, 7), (.exact, 1, 9), (.exact, 2, 3),
    ]
    var rest = order
    var ties = RowMatches(count: 1, candidates: ["A", "B", "C"])
    while !found.isEmpty {
      let (match, candidate, key) = found.remove(at: rest % found.count)
      rest /= found.count + 1
      let version = Array("v\(key)".utf8)
      ties.tie(0, toRow: key, version: version.span, candidate: candidate, match)
    }
    var operation = PendingOperation()
    operation.table = "B"
    operation.kind = .update
    let tied = MatchedQueue(Queue(operations: [operation]), rows: ties)
    let operations = try tied.settled().operations
    #expect(operations.map(\.rowKey) == [7])
    #expect(operations.map(\.rowTable) == [nil])
    #expect(operations.map(\.baseVersion) == ["v7"])
  }

  /// Any key in any table, after many small ones and before others.
  @Test(arguments: [-1, .min, .max, (1 << 28) - 1, 1 << 28, 1 << 40] as [Int64], [0, 31, 32, 299])
  func rowsWithAnyKeyInAnyTableAreFoundAgain(_ key: Int64, _ candidate: Int) throws {
    let count = 5000
    let names = (0..<300).map { "T\($0)" }
    for place in [0, 17, 4096, count - 1] {
      var ties = RowMatches(count: count, candidates: names)
      var expected: [(Int64, Int)] = []
      for index in 0..<count {
        expected.append(index == place ? (key, candidate) : (Int64(index), index % 5))
        // The row that was there before is a worse one.
        let own = expected[index]
        ties.tie(index, toRow: 1, version: "w".utf8Span.span, candidate: 6, .otherSpelling)
        let version = "v\(index)"
        ties.tie(
          index, toRow: own.0, version: version.utf8Span.span, candidate: own.1, .exact)
        ties.tie(index, toRow: 1, version: "w".utf8Span.span, candidate: 300, .exact)
      }
      var operation = PendingOperation()
      (operation.table, operation.kind) = ("T", .update)
      let queue = Queue(operations: Array(repeating: operation, count: count))
      let operations = try MatchedQueue(queue, rows: ties).settled().operations
      #expect(operations.map(\.rowKey) == expected.map(\.0))
      #expect(operations.map(\.rowTable) == expected.map { names[$0.1] })
      #expect(operations.map(\.baseVersion) == expected.indices.map { "v\($0)" })
    }
  }

  /// So many rows that all but the last ones are in a file, each found twice, and some of them the
  /// row of a second operation.
  @Test func manyRowsAreFoundAgain() {
    let count = 300_000
    var ties = RowMatches(count: count, candidates: ["A", "B"])
    let version = { (index: Int) in String(repeating: "v", count: index % 40) }
    for index in 0..<count where index % 3 < 2 {
      let own = version(index)
      ties.tie(
        index, toRow: Int64(index) << 20, version: own.utf8Span.span, candidate: 1, .otherSpelling)
      ties.tie(index, toRow: Int64(index), version: own.utf8Span.span, candidate: 1, .exact)
      ties.tie(index, toRow: 5, version: own.utf8Span.span, candidate: 0, .otherSpelling)
    }
    for index in 0..<count where index % 3 == 2 { ties.follow(index - 1, index) }
    ties.settle()
    var operation = PendingOperation()
    operation.kind = .update
    var wrong = 0
    for index in 0..<count {
      let row = index % 3 == 2 ? index - 1 : index
      let found = ties.row(of: operation, at: index)
      let expected = version(row)
      if found?.key != Int64(row)
        || found?.version != (expected.isEmpty ? nil : Array(expected.utf8))
      {
        wrong += 1
      }
    }
    #expect(wrong == 0)
  }

  /// What one operation leaves out of a row, another on the same row may take.
  @Test func theVersionOfARowIsKeptForThoseThatTakeIt() {
    var ties = RowMatches(count: 3, candidates: ["A"])
    for (index, version) in ["", "v", ""].enumerated() {
      ties.tie(index, toRow: 1, version: version.utf8Span.span, candidate: 0, .exact)
    }
    var operation = PendingOperation()
    operation.kind = .update
    let versions = (0..<3).map { ties.row(of: operation, at: $0)?.version }
    #expect(versions == [nil, Array("v".utf8), nil])
  }

  /// Operations of many kinds, alone and packed with neighbours.
  private static let operations: [PendingOperation] = {
    var packing = OperationPacking()
    var operations: [PendingOperation] = []
    let all = PendingOperationTests.operations
    // Texts of forty thousand bytes are few among many short ones.
    let short = all.filter { ($0.item?.count ?? 0) < 99 && ($0.baseVersion?.count ?? 0) < 99 }
    for round in 0..<60 {
      for operation in (round % 30 > 0 ? short : all).shuffled() {
        packing.add(operation)
        if round % 7 == 0 { operations.append(operation) }
      }
      operations += packing.take()
    }
    for place in operations.indices {
      operations[place].sequence = Int64(place + 1)
      operations[place].kind = OperationKind.allCases[place % 3]
    }
    return operations
  }()

  @Test(arguments: [RecordForm.exported, .stored])
  func operationsAreLaidOutAsTheirFieldsSay(_ form: RecordForm) throws {
    var quick: [[CellValue]] = []
    let queue = Queue(operations: Self.operations)
    try queue.forEachBatch(of: .operations, as: form) { batch in
      for row in 0..<batch.rowCount { quick.append(batch.values(ofRow: row)) }
    }
    var fields = PendingOperation.columns
    if form == .stored { fields.insert(.integer("source", \.source), at: 0) }
    for (place, operation) in Self.operations.enumerated() {
      var operation = operation
      operation.source = 1
      let width = fields.count + (form == .stored ? 0 : 1)
      var batch = RecordBatch(columnCount: width)
      batch.append(operation, fields, as: form, key: operation.sequence)
      #expect(quick[place] == batch.values(ofRow: 0), "operation \(place)")
    }
  }

  @Test(arguments: ["T", "Sub", ""], ["v2", ""])
  func aRowIsWhatItsOperationWouldHaveBeenSetTo(table: String, version: String) throws {
    var ties = RowMatches(count: Self.operations.count, candidates: ["", "T", "Sub"])
    let candidate = ["", "T", "Sub"].firstIndex(of: table) ?? 0
    var expected = Self.operations
    for place in expected.indices where place % 5 > 0 {
      ties.tie(
        place, toRow: Int64(place), version: version.utf8Span.span, candidate: candidate, .exact)
      expected[place].rowKey = Int64(place)
      expected[place].rowTable = expected[place].table == table ? nil : table
      // Only updates go out under the version of their row.
      if !version.isEmpty, expected[place].kind == .update {
        expected[place].baseVersion = version
      }
    }
    let tied = MatchedQueue(Queue(operations: Self.operations), rows: ties)
    #expect(Array(try tied.settled().operations) == expected)
    #expect(cells(of: tied) == expected.map(cells))
  }

  @Test func rowsOfTablesThatAreLeftOutAreGone() throws {
    var operation = PendingOperation()
    (operation.table, operation.kind) = ("T", .update)
    var own = operation
    (own.rowKey, own.rowTable) = (5, "Sub")
    var kept = operation
    kept.rowKey = 6
    var ties = RowMatches(count: 2, candidates: ["T", "Sub"])
    ties.tie(0, toRow: 7, version: "v".utf8Span.span, candidate: 1, .exact)
    ties.tie(1, toRow: 8, version: "v".utf8Span.span, candidate: 0, .exact)
    var queues = [
      MatchedQueue(Queue(operations: [operation, operation]), rows: ties),
      MatchedQueue(Queue(operations: [own, kept])),
    ]
    for place in queues.indices { _ = queues[place].keepRows(ofTables: ["T"], setSenders: []) }
    #expect(cells(of: queues[0]).map { $0[7] } == [nil, "8"])
    #expect(cells(of: queues[1]).map { $0[7] } == [nil, "6"])
    for queue in queues {
      let operations = try queue.settled().operations
      #expect(operations.map(\.rowTable) == [nil, nil])
      #expect(operations.map { $0.rowKey == nil } == [true, false])
    }
  }

  @Test func operationsOfSetSendersStayTied() throws {
    let places: [(Int64, Int32, String)] = [(1, 1, "T"), (2, 2, "T"), (3, 2, "Kept")]
    let operations = places.map { sequence, source, table in
      var operation = PendingOperation()
      operation.table = table
      (operation.sequence, operation.source) = (sequence, source)
      (operation.kind, operation.rowKey) = (.update, 5)
      return operation
    }
    var queue = MatchedQueue(Queue(operations: operations))
    let others = queue.keepRows(ofTables: ["Kept"], setSenders: [1])
    #expect(others == [1, 2])
    #expect(try queue.settled().operations.map(\.rowKey) == [5, nil, 5])
  }

  @Test func itemsThatStandForRowsAreDroppedAndPayloadsAreNot() throws {
    let places: [(Int64, Int32)] = [(1, 1), (2, 2), (3, 1)]
    let operations = places.map { sequence, source in
      var operation = PendingOperation()
      (operation.sequence, operation.source) = (sequence, source)
      operation.item = Array("{}".utf8)
      return operation
    }
    var queue = MatchedQueue(Queue(operations: operations))
    queue.dropItems(of: [1, 2], payloadSources: [2])
    #expect(try queue.settled().operations.map { $0.item == nil } == [true, false, false])
  }

  @Test func operationsThatKnowTheirRowsAreWrittenAsTheyAre() {
    #expect(
      cells(of: MatchedQueue(Queue(operations: Self.operations))) == Self.operations.map(cells))
  }

  /// What the rows of a queue's operations hold, as texts.
  private func cells(of tied: MatchedQueue) -> [[String?]] {
    var rows: [[String?]] = []
    let parts = QueueParts(tied, .operations)
    let reader = parts.makeReader()
    for part in 0..<parts.count {
      try? reader.forEachBatch(ofPart: part) { (batch) throws(StoreError) in
        for row in 0..<batch.rowCount {
          rows.append(
            ["\(batch.keys[row])"] + batch.cells(ofRow: row).map { text(of: $0, in: batch.arena) })
        }
      }
    }
    return rows
  }

  private func text(of cell: Cell, in arena: [UInt8]) -> String? {
    switch cell.kind {
    case .null: nil
    case .integer: "\(cell.integer)"
    case .real: "\(cell.real)"
    case .text, .binary: String(decoding: arena[cell.range], as: UTF8.self)
    }
  }

  /// The same, said by the operation itself.
  private func cells(of operation: PendingOperation) -> [String?] {
    [
      "\(operation.sequence)", operation.table, operation.itemID, operation.kind?.rawValue,
      operation.state.rawValue, operation.item.map { String(decoding: $0, as: UTF8.self) },
      operation.baseVersion, operation.rowKey.map { "\($0)" }, operation.rowTable,
      operation.originalID, operation.originalCode, operation.raw?.asStored.storage,
      operation.raw.map { String(decoding: $0.bytes, as: UTF8.self) },
    ]
  }
}

extension Queue {
  fileprivate init(operations: [PendingOperation]) {
    self.init()
    self.operations = OperationList(operations)
  }
}

/// A cell with its bytes, wherever they lie.
private enum CellValue: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case binary([UInt8])
}

extension RecordBatch {
  fileprivate func values(ofRow row: Int) -> [CellValue] {
    cells(ofRow: row).map { cell in
      switch cell.kind {
      case .null: .null
      case .integer: .integer(cell.integer)
      case .real: .real(cell.real)
      case .text: .text(Array(arena[cell.range]))
      case .binary: .binary(Array(arena[cell.range]))
      }
    }
  }
}
