import Foundation
import TestSupport
import Testing

/// Tables and columns whose names differ only in how an accented letter is spelled, which SQLite
/// tells apart.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct SpelledNamesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a store by statements about `sql`; `E1` and `U1` are spelled as one letter, `E2` and `U2`
  /// as a letter and a mark.
  private func make(_ name: String, _ statements: String) throws -> String {
    let path = folder.path(name)
    _ = try python(
      """
      import sqlite3, sys
      E1, E2, U1, U2 = '\\u00e9', 'e\\u0301', '\\u00fc', 'u\\u0308'
      database = sqlite3.connect(sys.argv[1])
      sql = database.execute
      \(statements)
      database.commit()
      """, path)
    return path
  }

  /// A store with two such tables, of which one has two such columns.
  private func makeTwins(_ name: String, without: String = "") throws -> String {
    try make(
      "\(name).sqlite",
      """
      sql(f'CREATE TABLE "{E1}" (id TEXT PRIMARY KEY, "{U1}" TEXT, "{U2}" TEXT) \(without)')
      sql(f'CREATE TABLE "{E2}" (id TEXT PRIMARY KEY, x INTEGER)')
      sql(f'INSERT INTO "{E1}" VALUES (?, ?, ?)', ('\(name)', 'a', 'b'))
      sql(f'INSERT INTO "{E2}" VALUES (?, ?)', ('\(name)', 7))
      """)
  }

  /// The app's tables of a canonical store: names, columns and rows, as Python writes them.
  private func contents(_ store: String) throws -> String {
    try python(
      """
      import sqlite3, sys
      sql = sqlite3.connect(sys.argv[1]).execute
      for (name,) in sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE "
          "'rehome%' ORDER BY rowid").fetchall():
          columns = [row[1] for row in sql('SELECT * FROM pragma_table_info(?)', (name,))]
          shown = [place for place, column in enumerate(columns) if not column.startswith('_')
              and not column.startswith('rehome')]
          print(ascii(name), *[ascii(columns[place]) for place in shown], sep='|')
          for row in sql(f'SELECT * FROM "{name}" ORDER BY _pk').fetchall():
              print(*[row[place] for place in shown], sep='|')
      """, store)
  }

  private let heads = [#"'\xe9'|'id'|'\xfc'|'u\u0308'"#, #"'e\u0301'|'id'|'x'"#]

  @Test(arguments: ["", "WITHOUT ROWID"])
  func everyColumnAndTableKeepsItsOwnValues(_ without: String) async throws {
    let store = try makeTwins("k", without: without)
    let made = folder.path("k.rehome")
    let outcome = await rehome("convert", "-q", store, "-o", made)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try contents(made) == "\(heads[0])\nk|a|b\n\(heads[1])\nk|7\n")
    #expect(await rehome("verify", store, made).code == 0)
    let again = folder.path("again.rehome")
    #expect(await rehome("convert", "-q", made, "-o", again).code == 0)
    #expect(try contents(again) == contents(made))
    for path in [store, made] {
      let first = await rehome("export", path, "--to", "csv", "--table", "\u{E9}")
      #expect(first.text.contains(",k,a,b\r\n"), "\(first.text)\(first.error)")
      let second = await rehome("export", path, "--to", "csv", "--table", "e\u{301}")
      #expect(second.text.contains(",k,7\r\n"), "\(second.text)\(second.error)")
    }
  }

  @Test(arguments: ["", "WITHOUT ROWID"])
  func mergeKeepsThemApart(_ without: String) async throws {
    let stores = [
      try makeTwins("k", without: without), try makeTwins("l", without: without),
    ]
    let merged = folder.path("merged.rehome")
    let outcome = await rehome(["convert", "-q"] + stores + ["-o", merged])
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(
      try contents(merged) == "\(heads[0])\nk|a|b\nl|a|b\n\(heads[1])\nk|7\nl|7\n")
    // What was merged is merged once more.
    let third = folder.path("third.rehome")
    let again = await rehome("convert", "-q", merged, try makeTwins("m"), "-o", third)
    #expect(again.code == 0, "\(again.error)")
    #expect(
      try contents(third) == "\(heads[0])\nk|a|b\nl|a|b\nm|a|b\n\(heads[1])\nk|7\nl|7\nm|7\n")
  }

  @Test func salvageMixesNoRows() async throws {
    let store = try make(
      "s.sqlite",
      """
      sql(f'CREATE TABLE "{E1}" (id TEXT PRIMARY KEY, x TEXT)')
      sql(f'CREATE TABLE "{E2}" (id TEXT PRIMARY KEY, y TEXT)')
      database.executemany(
          f'INSERT INTO "{E1}" VALUES (?, ?)', [(f'a{k}', 'X' * 50) for k in range(300)])
      database.executemany(
          f'INSERT INTO "{E2}" VALUES (?, ?)', [(f'b{k}', 'Y' * 50) for k in range(200)])
      database.commit()
      data = bytearray(open(sys.argv[1], 'rb').read())
      size = data[16] << 8 | data[17]
      page = next(place for place in range(0, len(data), size)
          if data[place] == 13 and b'X' * 20 in data[place:place + size])
      data[page] = 77
      open(sys.argv[1], 'wb').write(data)
      """)
    let made = folder.path("s.rehome")
    let outcome = await rehome("convert", "-q", "--salvage", store, "-o", made)
    #expect(outcome.code == 2, "\(outcome.error)")
    let rows = try python(
      """
      import sqlite3, sys
      sql = sqlite3.connect(sys.argv[1]).execute
      for name, column, mark in (('\\u00e9', 'x', 'a'), ('e\\u0301', 'y', 'b')):
          print(*sql(f'SELECT count(*), total(id LIKE ? AND length({column}) = 50) FROM "{name}"',
              (mark + '%',)).fetchone())
      """, made
    ).split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(rows.count == 2 && rows[0][0] == rows[0][1] && rows[0][0] < 300, "\(rows)")
    #expect(rows.last == [200, 200])
  }

  @Test func choiceOfOperationsTellsItemsApart() async throws {
    let rehearsal = try await Rehearsal(operations: 4)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          for id, sequence in (('\\u00e9', 1), ('e\\u0301', 2)):
              database.execute('UPDATE __operations SET itemId = ? WHERE sequence = ?', (id, sequence))
      """, rehearsal.device)
    for id in ["\u{E9}", "e\u{301}", "E\u{301}"] {
      let listed = await rehome("ops", "list", rehearsal.device, "--json", "--item", id)
      #expect(listed.text.components(separatedBy: "\"sequence\"").count == 2, "\(listed.text)")
    }
  }
}
