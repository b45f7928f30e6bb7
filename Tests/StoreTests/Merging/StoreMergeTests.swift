import Bytes
import Foundation
import Records
import SQLite
import TestSupport
import Testing

@testable import Merging

struct StoreMergeTests {
  private let folder: TemporaryFolder
  private let merge: StoreMerge

  init() throws {
    folder = try TemporaryFolder()
    merge = StoreMerge(
      temporaryFolder: NSTemporaryDirectory(), interruption: Interruption { false })
  }

  /// A source with one table, each row of which refers to one.
  private final class ListReader: StoreReader {
    var source = SourceDescription(name: "list", layout: .sqlite)
    let catalogue: Catalogue
    let findings: Findings = []
    let inputFiles: [String]
    private let rows: [(key: Int64, id: String?, next: Int64)]
    private let operations: Int
    private let emptyColumns: Int

    init(
      _ path: String, _ rows: [(key: Int64, id: String?, next: Int64)], table: String = "Item",
      operations: Int = 0, emptyColumns: Int = 0
    ) {
      let empty = (0..<emptyColumns).map { Column(name: "c\($0)", type: .text, role: .value) }
      catalogue = Catalogue(
        tables: [
          Table(
            name: table,
            columns: [
              Column(name: "id", type: .text, role: .id),
              Column(name: "next", type: .reference, role: .reference, target: table),
            ] + empty)
        ], nameOrigin: .schema)
      inputFiles = [path]
      self.rows = rows
      self.operations = operations
      self.emptyColumns = emptyColumns
    }

    func isSourceUnchanged() throws(StoreError) -> Bool { true }
    func countRows(inTable table: Int) throws(StoreError) -> Int { rows.count }

    func readQueue() throws(StoreError) -> Queue {
      var queue = Queue()
      for number in 0..<operations {
        var operation = PendingOperation()
        operation.sequence = Int64(number) + 1
        queue.operations.append(operation)
      }
      return queue
    }

    func rows(
      ofTable table: Int, wanting cells: WantedCells?
    ) throws(StoreError) -> TableRows.Form {
      var batch = RecordBatch(columnCount: 2 + emptyColumns)
      for row in rows {
        batch.append(text: row.id)
        batch.append(.integer(row.next))
        for _ in 0..<emptyColumns { batch.append(.null) }
        batch.endRow(key: row.key)
      }
      let all = batch
      return .batches { (body) throws(StoreError) in
        var batch = all
        try body(&batch)
      }
    }
  }

  private func survey(_ reader: ListReader, _ number: Int, _ label: String) throws {
    try merge.survey.look(at: reader, number: number, label: label) { (piece) throws(StoreError) in
      try merge.take(piece)
    }
  }

  private func rows(of reader: MergedReader) throws -> [[Int64]] {
    var rows: [[Int64]] = []
    try reader.forEachBatch(inTable: 0) { (batch) throws(StoreError) in
      for row in 0..<batch.rowCount {
        rows.append([batch.keys[row], batch.cells[row * batch.columnCount + 1].integer])
      }
    }
    return rows
  }

  @Test func keysInDisorderAreFollowed() throws {
    let path = folder.path("a")
    let first = ListReader(path, [(5, nil, 1), (1, nil, 3), (3, "x", 5)])
    let second = ListReader(path, [(2, "x", 9), (9, nil, 2), (4, nil, 4)])
    for (number, reader) in [first, second].enumerated() { try survey(reader, number, "list") }
    let settled = try merge.settle()
    #expect(try rows(of: settled.merged(first, source: 0)) == [[5, 1], [1, 3], [3, 5]])
    // The keys 2, 4 and 9 have become 6, 8 and 13; the item of the first leads to the other's.
    #expect(try rows(of: settled.merged(second, source: 1)) == [[13, 3], [8, 8]])
  }

  @Test func sourceThatChangesBetweenItsReadingsIsRefused() throws {
    let path = folder.path("a")
    try Data("before".utf8).write(to: URL(fileURLWithPath: path))
    let reader = ListReader(path, [(1, "x", 1)])
    try survey(reader, 0, "the list")
    let settled = try merge.settle()
    _ = try settled.merged(reader, source: 0)
    try Data("and afterwards".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { _ = try settled.merged(reader, source: 0) }
    #expect(error?.kind == .temporary && error?.path == "the list")
  }

  /// The queue of a source waits for those of the sources before, on whatever threads, unless all of
  /// it ends.
  @Test(arguments: [false, true])
  func queueWaitsForTheSourcesBefore(isStopped: Bool) throws {
    let path = folder.path("a")
    let reader = { @Sendable (number: Int) in
      ListReader(path, [(1, "\(number)", 1)], operations: number + 2)
    }
    for number in 0..<3 { try survey(reader(number), number, "some") }
    let settled = try merge.settle()
    let sequences = { @Sendable (number: Int) in
      Result { () throws(StoreError) in
        try settled.merged(reader(number), source: number).readQueue().operations.map(\.sequence)
      }
    }
    let later = [2, 1].map { number in Background(threads: 2) { sequences(number) } }
    if isStopped {
      settled.stop()
      for end in later {
        let error = #expect(throws: StoreError.self) { _ = try end.value.get() }
        #expect(error?.kind == .interrupted)
      }
    } else {
      #expect(try sequences(0).get() == [1, 2])
      #expect(try later.map { try $0.value.get() } == [[6, 7, 8, 9], [3, 4, 5]])
    }
  }

  /// Of a table that others make much wider fewer rows are in memory at once.
  @Test func rowsOfANarrowTableBecomeWideOnesFewAtATime() throws {
    let path = folder.path("a")
    let narrow = ListReader(path, (1...1000).map { ($0, "item \($0)", $0) })
    let wide = ListReader(path, [(2000, nil, 2000)], emptyColumns: 500)
    for (number, reader) in [narrow, wide].enumerated() { try survey(reader, number, "list") }
    let merged = try merge.settle().merged(narrow, source: 0)
    var ids: [String] = []
    try merged.forEachBatch(inTable: 0) { (batch) throws(StoreError) in
      #expect(batch.columnCount > 500 && batch.rowCount < 100)
      for row in 0..<batch.rowCount {
        let range = batch.cells[row * batch.columnCount].range
        ids.append(String(decoding: batch.arena[range], as: UTF8.self))
      }
    }
    #expect(ids == (1...1000).map { "item \($0)" })
  }

  @Test func rowThatGaveWayIsLentWithItsContent() throws {
    let path = folder.path("a")
    let reader = ListReader(path, [(7, "x", 7)])
    for (number, label) in ["one", "two"].enumerated() { try survey(reader, number, label) }
    let settled = try merge.settle()
    let merged = try settled.merged(reader, source: 1)
    #expect(try rows(of: merged).isEmpty)
    var lent: [MergedRow] = []
    try merged.forEachMergedBatch(besideTable: 0) { (rows) throws(StoreError) in lent += rows }
    #expect(lent.map(\.item) == [Array(#"{"_pk":7,"id":"x","next":7}"#.utf8)])
    #expect(lent.first?.finding.itemID == "x")
    #expect(lent.first?.finding.message.contains("came with one") == true)
  }

  /// A source that turns out to be unreadable after some of its rows were seen is as if it had never
  /// been there: no row gives way to one of its own, and no table or key is taken by it.
  @Test func sourceThatIsGivenUpLeavesNothing() throws {
    let path = folder.path("a")
    let kept = ListReader(path, [(5, "x", 5)])
    let lost = ListReader(path, [(1, "x", 1), (2, "y", 1)], table: "Lost")
    let alike = ListReader(path, [(5, "x", 5), (6, "y", 5)])
    for (number, reader) in [lost, alike].enumerated() {
      try merge.survey.look(at: reader, number: number, label: "lost") {
        (piece) throws(StoreError) in
        if case .end = piece { merge.giveUp() } else { try merge.take(piece) }
      }
    }
    try survey(kept, 2, "kept")
    let settled = try merge.settle()
    #expect(settled.tables.map(\.name) == ["Item"])
    #expect(try rows(of: settled.merged(kept, source: 2)) == [[5, 5]])
    #expect(throws: StoreError.self) { _ = try settled.merged(alike, source: 1) }
  }
}
