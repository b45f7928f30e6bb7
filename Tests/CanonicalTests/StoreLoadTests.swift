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
    let balances = try load.takeBalances()
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

  @Test func rowThatIsLeftOutForWantOfAValueHasNone() throws {
    let load = try begin()
    try load.write([
      RejectedValue(
        table: "Item", row: 7, column: "Z_ENT", code: "rows-of-unknown-entity", raw: nil)
    ])
    try load.endTable(counted: 0)
    try load.publish()
    let store = try Connection(opening: path, mode: .immutable)
    let rejects = try store.integer(
      "SELECT count(*) FROM rehome_reject WHERE storage = 'null' AND raw IS NULL")
    #expect(rejects == 1)
  }

  /// Parts of 700 rows each, some of which are longer than a page.
  private struct Parts: RowParts {
    let count = 9
    /// The part that cannot be read.
    var broken = -1

    func makeReader() -> any PartReader { Reader(broken: broken) }

    private final class Reader: PartReader {
      private let broken: Int
      init(broken: Int) { self.broken = broken }

      func forEachBatch(
        ofPart part: Int, _ body: (inout RecordBatch) throws(StoreError) -> Void
      ) throws(StoreError) {
        guard part != broken else { throw StoreError(.inputOutput, "part \(part) is lost") }
        for first in stride(from: 0, to: 700, by: 100) {
          var batch = RecordBatch(columnCount: 2)
          for row in first..<first + 100 {
            let key = part * 700 + row
            batch.appendText { arena in
              arena.append(
                utf8: "item \(key)" + String(repeating: ".", count: key % 50 == 7 ? 20_000 : 0))
            }
            batch.append(.integer(Int64(key)))
            batch.endRow(key: Int64(key))
          }
          try body(&batch)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 5])
  func rowsOfPartsAreThereInTheirOrder(threads: Int) throws {
    let load = try begin()
    var noted: [Int] = []
    try load.insert(Parts(), threads: threads) { noted.append($0.read) }
    #expect(noted == Array(repeating: 100, count: 63))
    try load.endTable(counted: 6300)
    #expect(try load.takeBalances().map(\.written) == [6300])
    try load.publish()
    let store = try Connection(opening: path, mode: .immutable)
    let rows = try store.integer(
      """
      SELECT count(*) FROM Item WHERE size = _pk
        AND id = 'item ' || _pk || iif(_pk % 50 = 7, printf('%.20000c', '.'), '')
      """)
    #expect(rows == 6300)
    #expect(
      try store.integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'")
        == 0)
  }

  @Test(arguments: [1, 2])
  func partThatCannotBeReadStopsTheLoad(threads: Int) throws {
    let load = try begin()
    let error = #expect(throws: StoreError.self) {
      try load.insert(Parts(broken: 5), threads: threads) { _ in }
    }
    #expect(error?.message == "part 5 is lost")
  }

  @Test func booksThatDoNotBalanceStopTheLoad() throws {
    let load = try begin()
    try send(0..<10, to: load)
    try load.endTable(counted: 11)
    let error = #expect(throws: StoreError.self) { _ = try load.takeBalances() }
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
    let error = #expect(throws: StoreError.self) { _ = try load.takeBalances() }
    #expect(error?.path == path)
  }

  // MARK: - Sources that other threads load

  /// Gives a source whose only table has rows with some keys.
  private static func give(_ keys: Range<Int64>, to load: borrowing StoreLoad) throws(StoreError) {
    try load.begin(
      SourceDescription(name: "from \(keys.lowerBound)", layout: Layout(named: "azure-mobile-ios")),
      catalogue: Catalogue(tables: [numbered], nameOrigin: .schema), at: .now,
      toolVersion: "test")
    try load.beginTable(numbered)
    var batch = RecordBatch(columnCount: 3)
    for key in keys {
      batch.append(text: "item \(key)")
      batch.append(.integer(key))
      batch.append(.integer(1))
      batch.endRow(key: key)
      if batch.isFull { try load.insert(&batch) }
    }
    try load.insert(&batch)
    try load.endTable(counted: keys.count)
  }

  private static let numbered = Table(
    name: "Item", columns: table.columns + [Column(name: "_source", type: .integer, role: .source)])

  @Test func sourcesOfOtherThreadsComeInTheOrderInWhichTheyAreFollowed() throws {
    let load = try StoreLoad(destination: path, replacing: false, merging: true)
    let site = load.site
    // Each source has more rows than wait for the builder, so each thread must be followed to end.
    let sources: [Range<Int64>] = [0..<200_000, 200_000..<400_000, 400_000..<600_000]
    let given = sources.map { _ in Channel<LoadSteps>(capacity: 1) }
    let threads = sources.indices.reversed().map { number in
      Background(threads: 2) { () -> StoreError? in
        let own = StoreLoad(at: site, storesBefore: Int64(number), isAhead: true)
        _ = given[number].send(own.steps)
        do throws(StoreError) {
          try Self.give(sources[number], to: own)
          return nil
        } catch {
          return error
        }
      }
    }
    for steps in given {
      try load.follow(#require(steps.receive()))
      #expect(try load.takeBalances().map(\.written) == [200_000])
    }
    #expect(threads.compactMap(\.value).isEmpty)
    try load.publish()
    let store = try Connection(opening: path, mode: .immutable)
    #expect(
      try store.integer("SELECT count(*) FROM Item WHERE _source = 1 + _pk / 200000") == 600_000)
    #expect(
      try store.integer(
        "SELECT count(*) FROM rehome_source WHERE name = 'from ' || (200000 * (id - 1))") == 3)
  }

  @Test func whoReadsAheadHearsWhyTheStoreEnded() throws {
    let load = try StoreLoad(destination: path, replacing: false, merging: true)
    let site = load.site
    // Nobody ever follows it.
    let ahead = Background(threads: 2) { () -> StoreError? in
      let own = StoreLoad(at: site, storesBefore: 0, isAhead: true)
      do throws(StoreError) {
        try Self.give(0..<200_000, to: own)
        return nil
      } catch {
        return error
      }
    }
    let lost = StoreLoad(at: site, storesBefore: 0, isAhead: true)
    try load.follow(lost.steps)
    try Self.give(0..<10, to: lost)
    // Books that do not balance end the builder, which is where all of them hear of it.
    try lost.beginTable(Self.numbered)
    try lost.endTable(counted: 1)
    let error = #expect(throws: StoreError.self) { _ = try load.takeBalances() }
    #expect(error?.message.contains("do not balance") == true)
    #expect(ahead.value == error)
    let late = StoreLoad(at: site, storesBefore: 0, isAhead: true)
    let same = #expect(throws: StoreError.self) { try Self.give(0..<10, to: late) }
    #expect(same == error)
  }
}
