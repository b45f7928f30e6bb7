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
