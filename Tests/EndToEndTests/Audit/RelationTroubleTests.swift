import Foundation
import TestSupport
import Testing

/// References that contradict each other, planted into stores that had none such.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RelationTroubleTests {
  /// Gives two parents one child; prints whether the store has the tables for it.
  private static let contest = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    names = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    if {"ZPARENT", "ZCHILD"} <= names:
        parents = [row[0] for row in db.execute("SELECT Z_PK FROM ZPARENT ORDER BY 1 LIMIT 2")]
        child = db.execute("SELECT min(Z_PK) FROM ZCHILD").fetchone()[0]
        if len(parents) == 2 and child:
            db.execute("UPDATE ZPARENT SET ZCHILD = NULL")
            db.execute("UPDATE ZCHILD SET ZPARENT = NULL")
            db.execute("UPDATE ZPARENT SET ZCHILD = ? WHERE Z_PK IN (?, ?)", [child, *parents])
            db.commit()
            print("planted")
    """

  /// Adds a pair to a join table whose one side is not there.
  private static let dangle = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    for name, in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'Z!_%LABELS' "
                            "ESCAPE '!' AND type = 'table'").fetchall():
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({name})")]
        db.execute(f"INSERT OR REPLACE INTO {name} VALUES "
                   f"({', '.join('?' for _ in columns)})", [987654] * len(columns))
        db.commit()
        print("planted")
    """

  @Test(arguments: [(contest, "contested-reference"), (dangle, "dangling-reference")])
  func plantedTroubleIsFoundAndWasNotThereBefore(script: String, code: String) async throws {
    let folder = try TemporaryFolder()
    var planted = 0
    for store in try RandomStores.make("wild_ios_stores.py", seed: 5, count: 30, in: folder) {
      let situations = try RandomStores.situations(of: store)
      guard !situations.contains("dangling-reference") else { continue }
      #expect(try await !codes(of: store).contains(code), "\(store)")
      guard try python(script, store).contains("planted") else { continue }
      planted += 1
      #expect(try await codes(of: store).contains(code), "\(store)")
    }
    #expect(planted > 0)
  }

  private func codes(of store: String) async throws -> Set<String> {
    let outcome = await rehome("inspect", "--json", "--fail-on", "never", store)
    let stores = try #require(try outcome.json()["stores"] as? [[String: any Sendable]])
    let findings = try #require(stores.first?["findings"] as? [[String: any Sendable]])
    return Set(findings.compactMap { $0["code"] as? String })
  }
}
