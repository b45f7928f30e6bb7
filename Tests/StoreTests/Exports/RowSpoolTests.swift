import Records
import Testing

@testable import Exports

struct RowSpoolTests {
  /// Spools of other tests, of which there may be many at the same time, count for none of these.
  private let others = SpoolCompany()

  /// A batch of so many rows that have a cell of every kind.
  private func batch(_ rows: ClosedRange<Int64>) -> RecordBatch {
    var batch = RecordBatch(columnCount: 5)
    for key in rows {
      let text = Array(String(repeating: "ü\0", count: 1 + Int(key % 40)).utf8)
      batch.append(.null)
      batch.append(.integer(key &* .min))
      batch.append(.real(Double(key) / 7))
      batch.appendText(text.span)
      batch.appendBinary(text.span)
      batch.endRow(key: -key)
    }
    return batch
  }

  /// The keys and cells of a table as they come back; nil where there is nothing to come back.
  private func rows(_ spool: RowSpool, table: Int) throws -> [String]? {
    var rows: [String] = []
    let isThere = try spool.forEachBatch(ofTable: table, columns: 5) { (batch) in
      for row in 0..<batch.rowCount {
        let cells = batch.cells(ofRow: row).map { cell in
          let value = cell.range.isEmpty ? "\(cell.integer)" : "\(batch.arena[cell.range])"
          return "\(cell.kind) \(value)"
        }
        rows.append("\(batch.keys[row]) \(cells)")
      }
    }
    return isThere ? rows : nil
  }

  @Test func rowsComeBackTableByTable() throws {
    let spool = RowSpool(among: others)
    spool.beginTable()
    spool.keep(batch(1...60))
    spool.keep(batch(61...150))
    spool.beginTable()
    spool.beginTable()
    spool.keep(batch(5...5))
    let whole = try #require(try rows(spool, table: 0))
    #expect(whole.count == 150)
    let alone = RowSpool(among: others)
    alone.beginTable()
    for key in Int64(1)...150 { alone.keep(batch(key...key)) }
    #expect(try rows(alone, table: 0) == whole)
    let kinds = ["null", "integer", "real", "text", "binary"]
    #expect(kinds.allSatisfy { whole[0].contains($0 + " ") }, "\(whole[0])")
    #expect(try rows(spool, table: 1) == [])
    #expect(try rows(spool, table: 2)?.count == 1)
    #expect(try rows(spool, table: 3) == nil)
  }

  @Test func nothingIsKeptOnceItGaveUp() throws {
    let spool = RowSpool(among: others)
    spool.beginTable()
    spool.keep(batch(1...2))
    spool.giveUp()
    spool.keep(batch(4...5))
    #expect(try rows(spool, table: 0) == nil)
  }

  @Test(arguments: [(2, false), (2 << 20, true)])
  func rowsBeyondTheRoomAreNotKept(room: Int, isKept: Bool) throws {
    let spool = RowSpool(among: SpoolCompany(bytes: room))
    spool.beginTable()
    for key in Int64(1)...150 { spool.keep(batch(key...key)) }
    #expect(try rows(spool, table: 0)?.count == (isKept ? 150 : nil))
  }

  /// Each alone would take a part of what the others have left.
  @Test func allSpoolsHaveTheirRoomTogether() throws {
    let company = SpoolCompany(bytes: 1 << 20)
    func isKept(_ spool: RowSpool) throws -> Bool {
      spool.beginTable()
      for _ in 0..<30 { spool.keep(batch(1...150)) }
      return try rows(spool, table: 0) != nil
    }
    let first = RowSpool(among: company)
    let kept = try isKept(first)
    #expect(kept)
    #expect(try !isKept(RowSpool(among: company)))
    first.giveUp()
    #expect(try isKept(RowSpool(among: company)))
  }

  @Test func onlySomeSpoolsKeepTheirRows() throws {
    let spools = (0..<100).map { _ in RowSpool(among: others) }
    for spool in spools {
      spool.beginTable()
      spool.keep(batch(1...1))
    }
    #expect(try rows(spools[99], table: 0) == nil)
  }
}

extension RowSpool {
  /// Keeps a batch as a document's reader does.
  fileprivate func keep(_ batch: RecordBatch) {
    var bytes: [UInt8] = []
    _ = SpooledSpelling().append(batch, to: &bytes)
    write(bytes)
  }
}
