import Foundation
import TestSupport
import Testing

@testable import Records

/// However its tables are read, a queue is tied to the same rows.
@Suite struct PreparedQueueTests {
  /// Which parts of the tables are read between `prepareQueue` and `readQueue`.
  enum Reading: CaseIterable {
    case none, all, backwards, half, twice
  }

  private func read(_ reader: any StoreReader, _ reading: Reading) throws {
    for table in reader.catalogue.tables.indices {
      guard let parts = try reader.parts(ofTable: table) else { continue }
      var order = Array(0..<parts.count)
      switch reading {
      case .none: order = []
      case .all: break
      case .backwards: order.reverse()
      case .half: order.removeAll { $0 % 2 == 0 }
      case .twice: order += order
      }
      let partReader = parts.makeReader()
      for part in order { try partReader.forEachBatch(ofPart: part) { (_) throws(StoreError) in } }
    }
  }

  @Test(arguments: Reading.allCases) func rowsAreFoundByTheWay(_ reading: Reading) throws {
    let store = try SQLStore(Self.script)
    let expected = try store.reader().readQueue().operations
    #expect(expected.count == 4000)
    #expect(expected.count { $0.rowKey != nil } > 1000)
    #expect(expected.contains { $0.kind == .update && $0.baseVersion != nil })
    let reader = try store.reader()
    try reader.prepareQueue()
    try read(reader, reading)
    #expect(try reader.readQueue().operations == expected)
    // Nothing of it is left for the next time.
    #expect(try reader.readQueue().operations == expected)
  }

  /// What is found about the queue's SDK comes with the store, however it was recognised.
  @Test func bothSpellingsOfTheSDKAreTold() throws {
    let reader: any StoreReader = try SQLStore(Self.script).reader()
    #expect(reader.findings.map(\.code).contains("two-sdk-generations"))
  }

  /// Many rows, twins and ids that differ in case among them, and operations on most.
  private static let script = """
    CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID INTEGER,
      ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
    CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, ZOPERATIONID INTEGER,
      ZID VARCHAR, ZPROPERTIES BLOB);
    CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, ZTABLE VARCHAR, ZKEY VARCHAR,
      ZVALUE VARCHAR);
    CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZPAD VARCHAR, ZID VARCHAR,
      ZVERSION VARCHAR);
    CREATE TABLE ZVISIT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID VARCHAR,
      ZMS_VERSION VARCHAR);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
      Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, 'X', NULL);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableConfig', 0, 0),
      (2, 'MS_TableOperationErrors', 0, 0), (3, 'MS_TableOperations', 0, 0),
      (4, 'TodoItem', 0, 0), (5, 'Visit', 0, 0);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
    INSERT INTO ZTODOITEM SELECT i, 4, hex(zeroblob(200)),
      CASE WHEN i % 3 = 0 THEN 'ID-' ELSE 'id-' END || (i % 2500),
      CASE WHEN i % 5 THEN 'v' || i END FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO ZVISIT SELECT i, 5, 'id-' || i, 'w' || i FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
    INSERT INTO ZMS_TABLEOPERATIONS SELECT i, 3, i, 0, 'id-' || (i * 7 % 3500),
      CASE WHEN i % 4 THEN 'TodoItem' ELSE 'Visit' END, '{"type":' || (i % 3) || '}' FROM n;
    """
}
