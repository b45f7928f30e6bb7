import Foundation
import TestSupport
import Testing

/// One awkward table as many programs write it, which must load to what they were given.
///
/// Which programs there are is said by `Tests/Oracles/foreign_tables.py`. pandas and DuckDB come
/// from PyPI: `python3 -m venv V && V/bin/pip install pandas duckdb`, then `PATH=V/bin:$PATH` and
/// `REHOME_PYTHON=V/bin/python`; PostgreSQL is a server that `psql` reaches with `PGHOST`.
struct SeedForeignTablesTests {
  private struct Case: Decodable {
    let program: String
    let file: String
    let options: [String]
    let rows: [[Cell]]
  }

  /// A cell as its text, for what the oracle and the store say alike.
  private struct Cell: Decodable, Equatable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self.text = "text \(text)"
      } else if let number = try? value.decode(Double.self) {
        text = "number \(number)"
      } else {
        text = nil
      }
    }
  }

  private static let variables = ProcessInfo.processInfo.environment

  private func cases(in folder: TemporaryFolder) throws -> [Case] {
    let oracle = Project.path("Tests/Oracles/foreign_tables.py")
    let program =
      Self.variables["REHOME_PYTHON"].map { Program(executable: URL(fileURLWithPath: $0)) }
      ?? Program.python
    let server = Self.variables.filter { $0.key.hasPrefix("PG") }
    let outcome = try program.run(["-B", oracle, folder.path], variables: server)
    try #require(outcome.code == 0, "\(outcome.error)")
    return try JSONDecoder().decode([Case].self, from: outcome.output)
  }

  private func rows(of store: String) throws -> [[Cell]] {
    let script = """
      import json, sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      table = base.execute("SELECT name FROM rehome_table").fetchone()[0]
      rows = base.execute('SELECT * FROM "%s" ORDER BY _pk' % table).fetchall()
      print(json.dumps([row[1:] for row in rows]))
      """
    return try JSONDecoder().decode([[Cell]].self, from: Data(try python(script, store).utf8))
  }

  @Test func tablesOfOtherProgramsLoadAsTheyWereGiven() async throws {
    let folder = try TemporaryFolder()
    let cases = try cases(in: folder)
    #expect(cases.contains { $0.program == "python" })
    for known in cases {
      let store = folder.path("store.rehome")
      let outcome = await rehome(["seed", "-f", known.file, "-o", store] + known.options)
      try #require(outcome.code == 0, "\(known.file): \(outcome.error)")
      let found = try rows(of: store)
      #expect(found.count == known.rows.count, "\(known.file)")
      for (row, expected) in zip(found, known.rows) where row != expected {
        Issue.record("\(known.file) \(known.options): \(row) is not \(expected)")
        break
      }
    }
  }
}
