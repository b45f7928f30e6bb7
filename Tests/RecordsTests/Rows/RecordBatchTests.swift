import Bytes
import Records
import TestSupport
import Testing

struct RecordBatchTests {
  @Test func cellsComeBackRowByRow() {
    var batch = RecordBatch(columnCount: 3)
    batch.append(.integer(.min))
    append("Größe", to: &batch)
    batch.append(.null)
    batch.endRow(key: -5)
    batch.append(.real(-0.0))
    append("", to: &batch)
    batch.appendBinary([0, 255].span)
    batch.endRow(key: .max)

    #expect(batch.rowCount == 2)
    #expect(batch.keys == [-5, .max])
    #expect(batch.columnCount == 3)
    let first = Array(batch.cells(ofRow: 0))
    #expect(first.map(\.kind) == [.integer, .text, .null])
    #expect(first[0].integer == .min)
    #expect(batch.arena[first[1].range] == Array("Größe".utf8)[...])
    #expect(first[2] == .null)
    let second = Array(batch.cells(ofRow: 1))
    #expect(second.map(\.kind) == [.real, .text, .binary])
    #expect(second[0].real.sign == .minus)
    #expect(second[1].range.isEmpty)
    #expect(batch.arena[second[2].range] == [0, 255])
    #expect(batch.rejects.isEmpty)
  }

  @Test func textWrittenInPlaceIsOneCell() {
    var batch = RecordBatch(columnCount: 2)
    append("before", to: &batch)
    batch.appendText { arena in
      arena += Array("12".utf8)
      arena += Array("34".utf8)
    }
    batch.endRow(key: 1)
    let cells = Array(batch.cells(ofRow: 0))
    #expect(batch.arena[cells[1].range] == Array("1234".utf8)[...])
    #expect(batch.arena[cells[0].range] == Array("before".utf8)[...])
  }

  @Test func cellsWithoutBytesHaveNoRange() {
    for cell in [Cell.null, .integer(77), .integer(-1), .real(.nan), .real(.infinity)] {
      #expect(cell.range.isEmpty)
    }
  }

  @Test func batchIsFullAfter1024Rows() {
    var batch = RecordBatch(columnCount: 1)
    for key in 0..<1024 {
      #expect(!batch.isFull)
      batch.append(.integer(Int64(key)))
      batch.endRow(key: Int64(key))
    }
    #expect(batch.isFull)
  }

  @Test func batchIsFullAfter256KiB() {
    var batch = RecordBatch(columnCount: 1)
    batch.appendBinary([UInt8](repeating: 1, count: (256 << 10) - 1).span)
    batch.endRow(key: 1)
    #expect(!batch.isFull)
    batch.appendBinary([1].span)
    batch.endRow(key: 2)
    #expect(batch.isFull)
  }

  @Test func valueLongerThanTheLimitIsTakenWhole() {
    var batch = RecordBatch(columnCount: 1)
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    batch.appendBinary(bytes.span)
    batch.endRow(key: 1)
    #expect(batch.isFull)
    #expect(batch.cells(ofRow: 0).first?.range == 0..<3 << 20)
    #expect(batch.arena == bytes)
  }

  @Test func batchWithoutColumnsCountsRows() {
    var batch = RecordBatch(columnCount: 0)
    batch.endRow(key: 3)
    batch.endRow(key: 4)
    #expect(batch.rowCount == 2)
    #expect(batch.cells(ofRow: 1).isEmpty)
  }

  @Test func rejectLeavesTheCellEmptyAndKeepsItsPlace() {
    var batch = RecordBatch(columnCount: 2)
    for row in 0..<3 {
      batch.append(.integer(Int64(row)))
      if row == 1 {
        batch.reject(column: 1, code: .invalidText, raw: .text([0x80]))
      } else {
        batch.append(.integer(0))
      }
      batch.endRow(key: Int64(10 + row))
    }
    #expect(batch.rejects.count == 1)
    let reject = batch.rejects.first
    #expect(reject?.row == 1)
    #expect(reject?.column == 1)
    #expect(reject?.code == .invalidText)
    #expect(reject?.raw == .text([0x80]))
    #expect(batch.cells(ofRow: 1).map(\.kind) == [.integer, .null])
    #expect(batch.rowCount == 3)
  }

  @Test func emptiedBatchIsAsNew() {
    var batch = RecordBatch(columnCount: 1)
    append("text", to: &batch)
    batch.endRow(key: 1)
    batch.reject(column: 0, code: .valueOfWrongType, raw: .real(.nan))
    batch.endRow(key: 2)
    batch.removeAll()
    #expect(batch.rowCount == 0)
    #expect(batch.cells.isEmpty && batch.arena.isEmpty && batch.rejects.isEmpty)
    append("next", to: &batch)
    batch.endRow(key: 9)
    #expect(batch.keys == [9])
    #expect(batch.cells(ofRow: 0).first?.range == 0..<4)
  }

  @Test func randomRowsComeBack() {
    var random = SeededGenerator(seed: 40)
    var batch = RecordBatch(columnCount: 4)
    var expected: [[[UInt8]?]] = []
    while !batch.isFull {
      var row: [[UInt8]?] = []
      for _ in 0..<4 {
        let count = Int.random(in: -1...300, using: &random)
        let bytes = count < 0 ? nil : random.bytes(count)
        if let bytes { batch.appendBinary(bytes.span) } else { batch.append(.null) }
        row.append(bytes)
      }
      batch.endRow(key: Int64(expected.count))
      expected.append(row)
    }
    let found = (0..<batch.rowCount).map { row in
      batch.cells(ofRow: row).map { $0.kind == .null ? nil : Array(batch.arena[$0.range]) }
    }
    #expect(found == expected, "\(random)")
  }

  private func append(_ text: String, to batch: inout RecordBatch) {
    let bytes = Array(text.utf8)
    batch.appendText(bytes.span)
  }
}
