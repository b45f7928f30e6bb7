import Bytes
import Canonical
import Foundation
import Records
import SQLite
import TestSupport
import Testing

struct StoreLoadTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.url.appending(path: "items.rehome").path
  }

  private static let table = Table(
    name: "Item", columns: [Column(name: "id", type: .text), Column(name: "size", type: .integer)])

  private func begin() throws -> StoreLoad {
    let load = try StoreLoad(destination: path, replacing: false)
    try load.begin(
      SourceDescription(name: "a", layout: Layout(named: "azure-mobile-ios")),
      catalogue: Catalogue(tables: [Self.table], nameOrigin: .schema), at: .now,
      toolVersion: "test")
    try load.beginTable(Self.table)
    return load
  }

  private func send(_ keys: Range<Int64>, to load: borrowing StoreLoad) throws {
    var batch = RecordBatch(columnCount: 2)
    for key in keys {
      batch.appendText { arena in arena.append(utf8: "item \(key)") }
      batch.reject(column: 1, code: .valueOfWrongType, raw: .text([0xFF]))
      batch.endRow(key: key)
      if batch.isFull { try load.insert(&batch) }
      #expect(!batch.isFull)
    }
    try load.insert(&batch)
    #expect(batch.rowCount == 0)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
  }

  @Test func rowsAndRejectsOfManyBatchesAreThere() throws {
    let load = try begin()
    try send(0..<5000, to: load)
    try load.endTable(counted: 5000)
    let balances = try load.balances()
    #expect(balances.map(\.written) == [5000])
    #expect(balances.map(\.rejectedCells) == [5000])
    try load.publish()
    let store = try Connection(opening: path, mode: .immutable)
    let sum = try store.integer(
      "SELECT sum(_pk) FROM Item WHERE id = 'item ' || _pk AND size IS NULL")
    #expect(sum == 4999 * 2500)
    let rejects = try store.integer(
      """
      SELECT count(*) FROM rehome_reject WHERE source = 1 AND id = "row" + 1 AND raw = x'FF'
        AND storage = 'text' AND "table" = 'Item' AND "column" = 'size'
      """)
    #expect(rejects == 5000)
    #expect(try names == ["items.rehome"])
  }

  @Test func booksThatDoNotBalanceStopTheLoad() throws {
    let load = try begin()
    try send(0..<10, to: load)
    try load.endTable(counted: 11)
    let error = #expect(throws: StoreError.self) { _ = try load.balances() }
    #expect(error?.kind == .internalError)
    #expect(error?.message.contains("do not balance: 11 rows counted, 10 read") == true)
    // Whoever goes on hears the same.
    let again = #expect(throws: StoreError.self) { try send(10..<9000, to: load) }
    #expect(again == error)
  }

  @Test func loadThatIsGivenUpLeavesNothing() throws {
    do {
      let load = try begin()
      try send(0..<3000, to: load)
    }
    #expect(try names == [])
  }

  @Test func destinationInTheWayIsToldBeforeAnythingIsRead() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) {
      _ = try StoreLoad(destination: path, replacing: false)
    }
    #expect(error?.kind == .exists)
  }

  @Test func takenKeyIsToldWithTheDestination() throws {
    let load = try begin()
    try send(0..<10, to: load)
    try send(5..<6, to: load)
    let error = #expect(throws: StoreError.self) { _ = try load.balances() }
    #expect(error?.path == path)
  }
}
