import Foundation
import TestSupport
import Testing

/// So many times as much of something takes about so many times as long, and not their square.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct GrowthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func columnsOfCSVTakeTimeInProportion() throws {
    func seconds(_ columns: Int) throws -> Double {
      let names = (0..<columns).map { "c\($0)" }.joined(separator: ",")
      let row = (0..<columns).map(String.init).joined(separator: ",")
      let file = try folder.write(
        names + String(repeating: "\n" + row, count: 300) + "\n", to: "wide\(columns).csv")
      return try RunCosts(of: ["seed", "-qf", file, "-o", folder.path("wide.rehome")], times: 2)
        .seconds
    }
    let (few, many) = (try seconds(450), try seconds(1800))
    #expect(many < 6 * few + 0.1, "\(few) s and \(many) s")
  }

  /// A queue on as many tables as there are operations.
  @Test func tablesOfAQueueTakeTimeInProportion() throws {
    func seconds(_ tables: Int) throws -> Double {
      let path = folder.path("queue\(tables).db")
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as db:
            db.executescript('''\(QueueTables.dotNet)''')
            for number in range(int(sys.argv[2])):
                db.execute(f"CREATE TABLE T{number} (id TEXT PRIMARY KEY, version TEXT)")
                db.execute(f"INSERT INTO T{number} VALUES ('a', 'V')")
                db.execute("INSERT INTO __operations VALUES(?, 1, 0, ?, 0, 'a', NULL, NULL, ?, 1)",
                           (f'o{number}', f'T{number}', number))
        """, path, "\(tables)")
      return try RunCosts(of: ["export", "-q", path, "--to", "json"]).seconds
    }
    let (few, many) = (try seconds(1000), try seconds(6000))
    #expect(many < 9 * few + 0.1, "\(few) s and \(many) s")
  }
}
