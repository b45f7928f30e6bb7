import Testing

@testable import Records

/// Rows whose entity is none of the store's, in a table that several entities share.
struct UnclaimedRowsTests {
  private func reader(_ rows: String, lastKey: Int = 9) throws -> any StoreReader {
    try SQLStore(
      CoreDataTables.bookkeeping + """
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Item', 0, \(lastKey)), (2, 'Todo', 1, 0);
        CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
        INSERT INTO ZITEM VALUES \(rows);
        """
    ).reader()
  }

  /// The keys of the rows that no table takes, table by table.
  private func lostKeys(_ reader: any StoreReader) throws -> [[Int64]] {
    try reader.catalogue.tables.indices.map { place in
      var keys: [Int64] = []
      try reader.forEachLostRow(besideTable: place) { keys.append($0.row) }
      return keys
    }
  }

  @Test func rowsThatNoEntityClaimsAreToldOnce() throws {
    let reader = try reader("(1, 1, 1, 'a'), (2, 2, 1, 'b'), (3, 7, 1, 'c'), (4, NULL, 1, 'd')")
    let told = reader.findings.filter { $0.code == "rows-of-unknown-entity" }
    #expect(told.map(\.table) == ["ZITEM"] && told.first?.message.hasPrefix("2 rows ") == true)
    #expect(try lostKeys(reader) == [[3, 4], []])
  }

  @Test func rowsThatAreAllClaimedAreNotTold() throws {
    let reader = try reader("(1, 1, 1, 'a'), (2, 2, 1, 'b')")
    #expect(!reader.findings.contains { $0.code == "rows-of-unknown-entity" })
    #expect(try lostKeys(reader) == [[], []])
  }

  /// The keys of all entities of a tree are given by that at its root.
  @Test(arguments: [(1, true), (2, false)])
  func keyThatNobodyGaveIsTold(lastKey: Int, isTold: Bool) throws {
    let reader = try reader("(1, 1, 1, 'a'), (2, 2, 1, 'b')", lastKey: lastKey)
    let told = reader.findings.filter { $0.code == "wal-missing" }
    #expect(told.map(\.table) == (isTold ? ["Item"] : []))
    // Once is enough.
    #expect(try !reader.examineRows().contains { $0.code == "wal-missing" })
  }
}
