import Bytes
import Records
import Testing

struct TableBalanceTests {
  @Test func booksBalanceWhenEveryRowIsAccountedFor() {
    var balance = TableBalance(name: "t")
    #expect(balance.isBalanced)
    balance.read = 10
    #expect(!balance.isBalanced)
    balance.written = 6
    balance.rejected = 1
    balance.filtered = 3
    #expect(balance.isBalanced)
    balance.written += 1
    #expect(!balance.isBalanced)
  }

  @Test func emptiedCellsDoNotUnbalanceTheBooks() {
    var balance = TableBalance(name: "t")
    (balance.read, balance.written) = (2, 2)
    let codes: [RejectCode] = [.invalidText, .valueOfWrongType, .invalidText]
    balance.count(codes.map { CellReject(row: 0, column: 0, code: $0, raw: .text([255])) })
    #expect(balance.isBalanced)
    #expect(balance.rejectedCells == 3)
    #expect(balance.rejectedCellsByCode == [.invalidText: 2, .valueOfWrongType: 1])
  }

  @Test func rowCountsOnceHoweverManyOfItsValuesAreRejected() {
    func reject(_ row: Int, _ column: Int) -> CellReject {
      CellReject(row: row, column: column, code: .invalidText, raw: .text([255]))
    }
    var balance = TableBalance(name: "t")
    (balance.read, balance.written, balance.rejected) = (5, 4, 1)
    balance.count([reject(0, 0), reject(0, 1), reject(1, 0)])
    #expect(balance.rowsWithRejectsOrRejected == 3)
    var batch = RecordBatch(columnCount: 1)
    batch.reject(column: 0, code: .invalidText, raw: .text([255]))
    batch.endRow(key: 1)
    var tally = RowTally()
    tally.count(batch)
    balance.count(tally)
    #expect(balance.rowsWithRejectsOrRejected == 4)
    var other = TableBalance(name: "t")
    (other.read, other.written, other.rejected) = (1, 0, 1)
    other.count([reject(0, 0)])
    #expect(other.rowsWithRejectsOrRejected == 1)
    balance.add(other)
    balance.count(rejectsOfMergedRows: ["invalid-text", "invalid-text"], rows: 1)
    #expect(balance.read == 7 && balance.rowsWithRejectsOrRejected == 7)
  }

  @Test func errorNamesTheTableAndAllCounts() {
    var balance = TableBalance(name: "TodoItem")
    (balance.read, balance.written, balance.rejected, balance.filtered) = (11, 12, 13, 14)
    let error = StoreError(balance, counted: 10)
    #expect(error.kind == .internalError)
    for part in ["TodoItem", "10 ", "11 ", "12 ", "13 ", "14 "] {
      #expect(error.message.contains(part))
    }
  }
}
