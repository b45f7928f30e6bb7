import Foundation
import TestSupport
import Testing

/// Rows that the rules of an app's store do not let in are in the file of rejects, each with its rule,
/// and take their places once they are corrected.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SeedRefusalsInFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes rows of which one has no id and one that of another, with Python's own writers.
  private static let make = """
    import csv, json, sys
    names = ['id', 'title', 'count']
    rows = [['a', 'one', '1'], ['b', 'two', 'x'], ['a', 'again', '3'], ['', 'none', '4'],
            ['c', 'last', '5']]
    path = sys.argv[1]
    with open(path, 'w', newline='') as file:
        if path.endswith('.csv'):
            csv.writer(file).writerows([names] + rows)
        else:
            for row in rows:
                cells = {n: v for n, v in zip(names, row) if v}
                file.write(json.dumps(cells) + '\\n')
    """

  /// Prints why each row is in the file of rejects, and corrects them there.
  private static let correct = """
    import csv, json, sys
    path = sys.argv[1]
    isCSV = path.endswith('.csv')
    with open(path, newline='') as file:
        rows = list(csv.DictReader(file)) if isCSV else [json.loads(line) for line in file]
    for row in rows:
        print(row['_pk'], row['title'], row['_reject'])
        if row['title'] in ('again', 'none'): row['id'] = row['title']
        if row['count'] == 'x': row['count'] = '2'
    with open(path, 'w', newline='') as file:
        if isCSV:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        else:
            for row in rows: file.write(json.dumps(row) + '\\n')
    """

  @Test(arguments: ["csv", "ndjson"])
  func refusedRowsAreCorrected(_ format: String) async throws {
    let (file, bad) = (folder.path("items.\(format)"), folder.path("bad.\(format)"))
    _ = try python(Self.make, file)
    let arguments = [
      "seed", file, "--into", "toolkit", "--type", "items.count=integer", "-fo",
      folder.path("app.db"),
    ]
    let outcome = await rehome(arguments + ["--rejects", bad])
    #expect(outcome.code == 2, "\(outcome.error)")
    #expect(
      outcome.error.contains("1 row with rejected values, and 2 rows that the store refuses"),
      "\(outcome.error)")
    #expect(
      try python(Self.correct, bad) == """
        2 two count: value-of-wrong-type
        3 again row-refused: UNIQUE constraint failed: items.id
        4 none row-refused: NOT NULL constraint failed: items.id

        """)
    let again = await rehome(arguments + ["--corrected", bad])
    #expect(again.code == 0, "\(again.error)")
    #expect(
      try Devices.query(folder.path("app.db"), "SELECT * FROM items ORDER BY count")
        == "a|one|1\nb|two|2\nagain|again|3\nnone|none|4\nc|last|5\n")
  }

  /// A file of rejects is of the input's format, whatever it is called.
  @Test(arguments: [
    ("csv", "bad.json", 64 as Int32), ("csv", "bad.xlsx", 64), ("csv", "bad.txt", 2),
    ("ndjson", "bad.csv", 64), ("ndjson", "bad.json", 2),
  ])
  func nameOfAnotherFormatIsRefused(_ format: String, _ name: String, _ code: Int32) async throws {
    let file = folder.path("items.\(format)")
    _ = try python(Self.make, file)
    let outcome = await rehome(
      "seed", file, "--type", "items.count=integer", "-o", folder.path("a.rehome"), "--rejects",
      folder.path(name))
    #expect(outcome.code == code, "\(outcome.error)")
    #expect(outcome.error.contains("as the input is") == (code == 64), "\(outcome.error)")
  }

  /// Nothing is published where a limit stops the run, and the rows are there to be corrected.
  @Test func aRunThatStopsHasTheRowsInItsFile() async throws {
    let (file, bad) = (folder.path("items.csv"), folder.path("bad.csv"))
    _ = try python(Self.make, file)
    let outcome = await rehome(
      "seed", file, "--into", "toolkit", "--max-rejects", "1", "--rejects", bad, "-o",
      folder.path("app.db"))
    #expect(outcome.code == 3, "\(outcome.error)")
    #expect(folder.names == ["bad.csv", "items.csv"])
    let lines = try #require(folder.text("bad.csv")).split(separator: "\r\n")
    #expect(lines.count == 3)
  }

  /// Of pages that overlap, and with references by id, the file has what the run counts.
  @Test func theFileHasAsManyRowsAsAreCounted() async throws {
    for name in ["one", "two", "bad"] { try folder.makeFolder(name) }
    let pages = [
      try folder.write("id,owner\n1,\n2,1\n3,7\n", to: "one/Item.csv"),
      try folder.write("id,owner\n2,1\n3,1\n,1\n", to: "two/Item.csv"),
    ]
    let outcome = await rehome(
      ["seed"] + pages + [
        "--reference", "Item.owner=Item", "--into", "toolkit", "--rejects", folder.path("bad"),
        "--json", "-o", folder.path("app.db"),
      ])
    #expect(outcome.code == 2, "\(outcome.error)")
    let report = try outcome.json()
    let table = try #require((report["tables"] as? [[String: any Sendable]])?.first)
    let files = try #require(report["rejectFiles"] as? [[String: any Sendable]])
    let refused = try #require(table["rejected"] as? Int)
    let cells = try #require(table["rejectedCells"] as? Int)
    let rows = files.compactMap { $0["rows"] as? Int }.reduce(0, +)
    #expect((refused, cells, rows) == (2, 1, 3), "\(outcome.text)")
  }
}
