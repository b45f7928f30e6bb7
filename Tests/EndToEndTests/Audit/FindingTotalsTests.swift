import Foundation
import TestSupport
import Testing

/// Where only the first findings of a kind are listed, reports tell how many there are.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct FindingTotalsTests {
  @Test func idsOfSeveralRowsAreAllCounted() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("store.sqlite")
    _ = try python(Self.script, store)
    let report = try await rehome("audit", "--json", store).json()
    #expect(try Self.places("duplicate-item-id", in: report) == 1300)
    #expect(try Self.places("item-id-case-twins", in: report) == 1200)
    let text = await rehome("audit", store).text
    #expect(text.contains("… and 1,290 more of duplicate-item-id"), "\(text)")
    #expect(text.contains("… and 1,190 more of item-id-case-twins"), "\(text)")
    // More rows than are looked at one by one are counted, too.
    let messages = try Self.findings(of: report).compactMap { $0["message"] as? String }
    #expect(messages.contains("20 rows have this id"))
    let page = folder.path("page.html")
    _ = await rehome("audit", "-q", "--html", page, store)
    let html = try #require(folder.text("page.html"))
    let isTold = html.contains("<code>duplicate-item-id</code> <small>1,300</small>")
    #expect(isTold)
  }

  @Test func rowsWithoutVersionAreAllCounted() async throws {
    let rehearsal = try await Rehearsal(operations: 30)
    try rehearsal.alter(
      rehearsal.device,
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO TodoItem (id, text) SELECT 'new-' || i, 'x' FROM n;
      """)
    let code = "row-without-version-or-operation"
    let report = try await rehome("audit", "--json", rehearsal.device).json()
    #expect(try Self.places(code, in: report) == 1200)
    let text = await rehome("audit", rehearsal.device).text
    #expect(text.contains("… and 1,190 more of \(code)"), "\(text)")
  }

  @Test func rowsThatGaveWayAreAllCounted() async throws {
    let folder = try TemporaryFolder()
    var stores: [String] = []
    for name in ["a", "b"] {
      let rows = (0..<1200).map { "\($0),\(name)\n" }.joined()
      let file = try folder.write("id,text\n" + rows, to: "Item.csv")
      stores.append(folder.path("\(name).rehome"))
      _ = await rehome("seed", "-q", file, "-o", folder.path("\(name).rehome"))
    }
    let merged = folder.path("merged.rehome")
    let report = try await rehome(["convert", "--json"] + stores + ["-o", merged]).json()
    let findings = try #require(report["findings"] as? [[String: any Sendable]])
    let code = try #require(
      findings.compactMap { $0["code"] as? String }.first { $0.contains("several-devices") })
    #expect(Self.places(code, in: findings) == 1200)
    #expect(try Self.places(code, in: try await rehome("audit", "--json", merged).json()) == 1200)
    #expect(try Self.places(code, in: try await rehome("inspect", "--json", merged).json()) == 1200)
    #expect(await rehome("audit", merged).text.contains("… and 1,190 more of \(code)"))
  }

  /// How many places the findings of a code stand for.
  private static func places(_ code: String, in report: [String: any Sendable]) throws -> Int {
    places(code, in: try findings(of: report))
  }

  private static func findings(
    of report: [String: any Sendable]
  ) throws -> [[String: any Sendable]] {
    let store = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    return try #require(store["findings"] as? [[String: any Sendable]])
  }

  private static func places(_ code: String, in findings: [[String: any Sendable]]) -> Int {
    findings.filter { $0["code"] as? String == code }
      .reduce(0) { $0 + ($1["count"] as? Int ?? 1) }
  }

  private static let script = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    db.executescript('''
      PRAGMA synchronous = OFF;
      CREATE TABLE ZMS_TABLEOPERATIONS (Z_PK INTEGER PRIMARY KEY, ZID INTEGER, ZTABLEKIND INTEGER,
        ZITEMID VARCHAR, ZTABLE VARCHAR, ZPROPERTIES BLOB);
      CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID VARCHAR);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR, Z_PLIST BLOB);
      INSERT INTO Z_METADATA VALUES (1, 'X', NULL);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'MS_TableOperations', 0, 0), (2, 'TodoItem', 0, 6000);
    ''')
    ids = [f'same-{i}' for i in range(1300) for _ in range(20 if i % 2 else 2)]
    ids += [f'{word}-{i}' for i in range(1200) for word in ('case', 'CASE')]
    db.executemany('INSERT INTO ZTODOITEM (Z_ENT, ZID) VALUES (2, ?)', [(id,) for id in ids])
    db.commit()
    """
}
