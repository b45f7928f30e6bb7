/// The store that is measured: one table of ten columns and a queue, as a phone leaves them.
///
/// The `sqlite3` shell makes it, so that nothing of the tool is needed to measure the tool.
struct BenchmarkStore {
  /// How many rows the table has.
  let rows: Int
  /// How many operations wait.
  let operations: Int
  /// How many rows the stores of other devices have, whose items come before these.
  var earlier = 0

  /// The columns of the table in the shell's own words, the key first.
  static let columns =
    "Z_PK, ZCOMPLETE, ZSORT, ZCREATEDAT, ZUPDATEDAT, ZPRICE, ZID, ZNOTES, ZOWNER, ZTEXT, ZVERSION"

  /// What the shell is told to make the store.
  var script: String {
    """
    PRAGMA journal_mode = off; PRAGMA page_size = 4096;
    CREATE TABLE ZMS_TABLECONFIG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZKEYTYPE INTEGER, ZID VARCHAR, ZKEY VARCHAR, ZTABLE VARCHAR, ZVALUE VARCHAR);
    CREATE TABLE ZMS_TABLEOPERATIONERRORS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZOPERATIONID INTEGER, ZTABLEKIND INTEGER, ZID VARCHAR, ZPROPERTIES BLOB);
    CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZID INTEGER, ZTABLEKIND INTEGER, ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
    CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZCOMPLETE INTEGER, ZSORT INTEGER, ZCREATEDAT TIMESTAMP, ZUPDATEDAT TIMESTAMP, ZPRICE FLOAT,
      ZID VARCHAR, ZNOTES VARCHAR, ZOWNER VARCHAR, ZTEXT VARCHAR, ZVERSION VARCHAR);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
      Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    BEGIN;
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableConfig', 0, 0),
      (2, 'MS_TableOperationErrors', 0, 0), (3, 'MS_TableOperations', 0, \(operations)),
      (4, 'TodoItem', 0, \(rows));
    INSERT INTO Z_METADATA VALUES (1, printf('5E1F0B1A-0000-4000-8000-%012x', \(earlier + 1)), NULL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
    INSERT INTO ZTODOITEM SELECT i, 4, 1, i & 1, i, 400000000 + i * 7 - 1000.5,
      400000000 + i * 7 + (i * 7919 % 1000) / 1000.0, (i * 104729 % 100000) / 100.0, \(id("i")),
      'milk bread Größe prüfen "' || (i % 977) || '" call the office',
      'user' || (i % 1000), 'eggs, water ' || (i % 4001),
      printf('AAAAAAA%05x=', i & 1048575) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(operations)),
      places(i, k) AS (SELECT i, i * 5 % \(rows) + 1 FROM n)
    INSERT INTO ZMS_TABLEOPERATIONS SELECT i, 3, 1, i, 0, \(id("k")), 'TodoItem',
      CAST(CASE i % 3 WHEN 2 THEN '{"type":2,"item":{"id":"' || \(id("k"))
        || '","version":"AAAA"}}' ELSE '{"type":' || (i % 3) || '}' END AS BLOB) FROM places;
    COMMIT;
    """
  }

  /// The id of the row with a number, in SQL.
  private func id(_ number: String) -> String {
    let number = "(\(number) + \(earlier))"
    return "printf('%08x-aaaa-4bbb-8ccc-%012x', (\(number) * 2654435761) & 4294967295, \(number))"
  }
}
