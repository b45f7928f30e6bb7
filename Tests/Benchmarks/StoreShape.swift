/// A store that is unlike the usual one in what it keeps, to show what leaves the quick ways.
struct StoreShape {
  /// What it keeps, in a word.
  let name: String
  /// The columns behind those of Core Data, as they are declared.
  private let columns: String
  /// Their values in the row with the number `i`.
  private let values: String
  /// What else is done with the store.
  private var end = ""

  private init(_ name: String, columns: String, values: String, end: String = "") {
    self.name = name
    self.columns = columns
    self.values = values
    self.end = end
  }

  /// The shapes, the usual one first.
  static let all = [
    StoreShape(
      "usual", columns: "ZDONE INTEGER, ZDUE TIMESTAMP, ZPRICE FLOAT, ZID VARCHAR, ZTEXT VARCHAR",
      values: "i & 1, 400000000 + i * 7.5, (i * 104729 % 100000) / 100.0, \(id), 'eggs ' || i"),
    StoreShape(
      "decimals", columns: "ZA DECIMAL, ZB DECIMAL, ZC DECIMAL, ZD DECIMAL",
      values: "i * 7 % 100000 / 100.0, i * 31 % 1000000 / 100.0, i, -i / 8.0"),
    StoreShape(
      "reals", columns: "ZA FLOAT, ZB FLOAT, ZC FLOAT, ZD FLOAT",
      values: "i / 7.0, 1000.0 / i, i * 3.14159265358979, 90.0 - i / 3.0e5"),
    StoreShape(
      "days", columns: "ZA TIMESTAMP, ZB TIMESTAMP, ZC TIMESTAMP, ZD TIMESTAMP",
      values: "i * 86400, i * 3600, 400000000 + i, 500000000 - i * 60"),
    StoreShape(
      "bytes", columns: "ZA UUID, ZB BLOB, ZC BLOB",
      values: "randomblob(16), randomblob(40), randomblob(i % 90)"),
    StoreShape(
      "letters", columns: "ZID VARCHAR, ZA VARCHAR, ZB VARCHAR",
      values: "\(id), 'список покупок на неделю ' || i, '漢字とかな交じり文のテキスト ' || i"),
    StoreShape(
      "notes", columns: "ZID VARCHAR, ZTEXT VARCHAR",
      values: "\(id), replace(hex(zeroblob(20)), '00', 'a line of \"text\", ' || i || char(10))"),
    StoreShape(
      "holes", columns: (1...40).map { "ZC\($0) VARCHAR" }.joined(separator: ", "),
      values: (1...40).map { "iif((i + \($0)) % 11, NULL, 'x' || i)" }.joined(separator: ", ")),
    StoreShape(
      "trees", columns: "ZID VARCHAR, ZA VARCHAR, ZB VARCHAR, ZPRICE FLOAT",
      values: "\(id), iif(i & 1, 'a' || i, NULL), iif(i & 1, NULL, 'b' || i), i / 4.0",
      end: """
        INSERT INTO Z_PRIMARYKEY VALUES (2, 'Task', 1, 0), (3, 'Errand', 1, 0);
        UPDATE ZTODOITEM SET Z_ENT = 2 + Z_PK % 2;
        """),
    StoreShape(
      "newer", columns: "ZID VARCHAR, ZTEXT VARCHAR", values: "\(id), 'eggs, water ' || i",
      end: """
        ALTER TABLE ZTODOITEM ADD COLUMN ZLIST VARCHAR DEFAULT 'all of them';
        ALTER TABLE ZTODOITEM ADD COLUMN ZRANK INTEGER DEFAULT 7;
        """),
  ]

  private static let id = "printf('%08x-aaaa-4bbb-8ccc-%012x', i * 2654435761 & 4294967295, i)"

  /// What the shell is told to make the store.
  func script(rows: Int) -> String {
    """
    PRAGMA journal_mode = off; PRAGMA page_size = 4096;
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
      Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns));
    BEGIN;
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'TodoItem', 0, \(rows));
    INSERT INTO Z_METADATA VALUES (1, '5E1F0B1A-0000-4000-8000-000000000001', NULL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
    INSERT INTO ZTODOITEM SELECT i, 1, 1, \(values) FROM n;
    \(end)
    COMMIT;
    """
  }

  /// A document with all rows, their hash, and a new store from them, each against the shell.
  ///
  /// Below the aims a shape has left the quick ways.
  func benchmarks(tool: String, folder: String) -> [Benchmark] {
    let (store, out) = ("\(folder)/store.sqlite", "\(folder)/outputs")
    let select = "'SELECT * FROM ZTODOITEM'"
    let peer = (
      name: "sqlite3 -json", command: "sqlite3 -readonly -json \(store) \(select) > \(out)/out"
    )
    return [
      ("json", "export -q \(store) --to json > \(out)/out", 2),
      ("hash", "hash \(store) > \(out)/out", 3),
      ("convert", "convert -q \(store) -o \(out)/converted.rehome", 2),
    ].map { work, command, aim in
      Benchmark(name: "\(name) \(work)", ours: "\(tool) \(command)", peer: peer, aim: aim)
    }
  }
}
