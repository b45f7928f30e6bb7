import Testing

@testable import Records

struct RowsWithGapsTests {
  private func operation(_ row: Int64, source: Int32 = 0) -> PendingOperation {
    var operation = PendingOperation()
    operation.kind = .update
    operation.table = "Item"
    operation.rowKey = row
    operation.source = source
    return operation
  }

  @Test func veryManyRowsAreAllKnown() {
    var gaps = RowsWithGaps()
    for row in 0..<200_000 as Range<Int64> { gaps.add(2 * row, ofTable: "Item") }
    gaps.add(7, ofTable: "Other")
    gaps.pack()
    for row in [0, 131_070, 131_072, 399_998] as [Int64] {
      #expect(gaps.isSent(by: operation(row)))
      #expect(!gaps.isSent(by: operation(row + 1)))
    }
    #expect(!gaps.isSent(by: operation(7)))
  }

  @Test func rowOfOneDeviceIsNotThatOfAnother() {
    var gaps = RowsWithGaps()
    gaps.add(5, ofTable: "Item", source: 2)
    gaps.pack()
    #expect(gaps.isSent(by: operation(5, source: 2)))
    #expect(!gaps.isSent(by: operation(5, source: 1)))
  }
}
