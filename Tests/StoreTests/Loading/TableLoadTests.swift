import Bytes
import Records
import SQLite
import TestSupport
import Testing

@testable import Tables

/// Tables that are built page by page, against the same rows inserted by the engine.
struct TableLoadTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let columns = "a, b, c, d"

  private func makeFile(pageSize: Int) throws -> StoreFile {
    let path = try folder.write("", to: "built")
    let connection = try Connection(opening: path, mode: .readWrite)
    try connection.execute(
      """
      PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE built (k INTEGER PRIMARY KEY, \(Self.columns));
      CREATE TABLE other (k INTEGER PRIMARY KEY, \(Self.columns));
      CREATE TABLE expected (k INTEGER PRIMARY KEY, \(Self.columns));
      """)
    return try StoreFile(connection)
  }

  private func batches(_ keys: [Int64], _ cells: (inout RecordBatch) -> Void) -> [RecordBatch] {
    var batches: [RecordBatch] = []
    var batch = RecordBatch(columnCount: 4)
    for key in keys {
      cells(&batch)
      batch.endRow(key: key)
      guard batch.isFull else { continue }
      batches.append(batch)
      batch.removeAll()
    }
    return batches + [batch]
  }

  private func expectEqual(_ file: inout StoreFile, rows: Int, table: String = "built") throws {
    try file.useEngine()
    try file.connection.execute("COMMIT")
    let list = "k, " + ["a", "b", "c", "d"].map { "\($0), typeof(\($0))" }.joined(separator: ", ")
    for (left, right) in [(table, "expected"), ("expected", table)] {
      let difference = "SELECT \(list) FROM \(left) EXCEPT SELECT \(list) FROM \(right)"
      #expect(try file.connection.integer("SELECT count(*) FROM (\(difference))") == 0)
    }
    #expect(try file.connection.integer("SELECT count(*) FROM \(table)") == rows)
    var check = try file.connection.prepare("PRAGMA integrity_check")
    #expect(try check.step())
    #expect(check.text(at: 0) == "ok")
  }

  private func build(
    _ batches: [RecordBatch], pageSize: Int, rows: Int
  ) throws {
    var file = try makeFile(pageSize: pageSize)
    var load = try TableLoad("built", valueCount: 4, into: &file)
    var written = 0
    for batch in batches { written += try load.insert(batch, into: &file) }
    try load.finish(&file)
    #expect(written == rows)
    try file.useEngine()
    var insert = try BulkInsert(into: "expected", valueCount: 4, of: file.connection)
    for batch in batches { _ = try insert.insert(batch, from: 0) }
    try expectEqual(&file, rows: rows)
  }

  @Test(arguments: [512, 1024, 8192, 65536], [0, 1, 2, 40, 3000, 60_000])
  func treesOfAnyHeightHoldTheRows(pageSize: Int, rows: Int) throws {
    var random = SeededGenerator(seed: 31)
    var key: Int64 = -5000
    let keys = (0..<rows).map { _ in
      key += Int64.random(in: 1...300, using: &random)
      return key
    }
    try build(
      batches(keys) { batch in
        batch.append(.integer(Int64(truncatingIfNeeded: random.next() >> (random.next() & 63))))
        batch.appendText(Array("row \(random.next() & 0xffff)".utf8).span)
        batch.append(random.next() & 1 == 0 ? .null : .real(Double(random.next() & 0xffff) / 8))
        batch.appendBinary(random.bytes(Int(random.next() & 15)).span)
      }, pageSize: pageSize, rows: rows)
  }

  @Test(arguments: [512, 8192])
  func rowsOfEverySizeHaveTheirRestOnPagesOfTheirOwn(pageSize: Int) throws {
    var random = SeededGenerator(seed: 32)
    var size = 0
    let rows = 2 * pageSize / 8 + 40
    try build(
      batches((1...Int64(rows)).map { $0 }) { batch in
        batch.append(.null)
        batch.appendBinary(random.bytes(size).span)
        batch.append(.integer(Int64(size)))
        batch.appendText(Array(repeating: UInt8(ascii: "x"), count: size * 3 % 1000).span)
        size += size % 50 == 0 ? 1 : 7
      }, pageSize: pageSize, rows: rows)
  }

  @Test func everyWidthOfNumberIsKept() throws {
    var numbers: [Int64] = [.min, .max, 0, 1, 2, -1]
    for bit in 3..<63 {
      let border = Int64(1) << Int64(bit)
      numbers += [border - 1, border, -border, -border - 1]
    }
    let reals: [Double] = [
      0, -0.0, .nan, .infinity, -.infinity, 1, -1, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, 0.1,
    ]
    let nothing: [UInt8] = []
    var place = 0
    let keys = numbers.sorted()
    try build(
      batches(keys) { batch in
        batch.append(.integer(numbers[place]))
        batch.append(.real(reals[place % reals.count]))
        batch.append(.integer(keys[place]))
        batch.appendText(nothing.span)
        place += 1
      }, pageSize: 512, rows: numbers.count)
  }

  @Test func keysOutOfOrderGoThroughTheEngine() throws {
    let keys = (0..<5000).map { Int64($0) } + (7000..<9000).map { Int64($0) }.reversed()
    try build(
      batches(keys) { batch in for _ in 0..<4 { batch.append(.integer(7)) } },
      pageSize: 1024, rows: keys.count)
  }

  @Test(arguments: [[1, 2, 2], [5, 6, 1, 5]])
  func takenKeyIsRefused(_ keys: [Int64]) throws {
    var file = try makeFile(pageSize: 512)
    var load = try TableLoad("built", valueCount: 4, into: &file)
    let all = batches(keys) { batch in for _ in 0..<4 { batch.append(.null) } }
    #expect(throws: StoreError.self) { try load.insert(all[0], into: &file) }
  }

  @Test func treesGrowSideBySideWithTheEngineInBetween() throws {
    var file = try makeFile(pageSize: 512)
    var built = try TableLoad("built", valueCount: 4, into: &file)
    var other = try TableLoad("other", valueCount: 4, into: &file)
    for round in 0..<20 as Range<Int64> {
      let keys = (0..<300).map { round * 1000 + $0 }
      let all = batches(keys) { batch in
        for place in 0..<4 { batch.append(.integer(round * 10 + Int64(place))) }
      }
      for batch in all {
        _ = try built.insert(batch, into: &file)
        if round & 1 == 0 { _ = try other.insert(batch, into: &file) }
        try file.useEngine()
        var insert = try BulkInsert(into: "expected", valueCount: 4, of: file.connection)
        _ = try insert.insert(batch, from: 0)
      }
    }
    try other.finish(&file)
    try built.finish(&file)
    try expectEqual(&file, rows: 6000)
    #expect(try file.connection.integer("SELECT count(*) FROM other") == 3000)
  }

  @Test func tableThatWasNotMadeCannotBeLoaded() throws {
    var file = try makeFile(pageSize: 512)
    #expect(throws: StoreError.self) { _ = try TableLoad("none", valueCount: 1, into: &file) }
  }
}
