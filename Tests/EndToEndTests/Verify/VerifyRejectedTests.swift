import Foundation
import TestSupport
import Testing

/// `verify --by-id` compares a value that no column could take where neither store could take it.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct VerifyRejectedTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A plain store of items, each with a value in a column of numbers.
  private func store(_ name: String, _ values: [String]) throws -> String {
    let path = folder.path(name)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute('CREATE TABLE T (id TEXT PRIMARY KEY, n INTEGER)')
          for id, value in zip('abcdefgh', sys.argv[2:]):
              database.execute(f"INSERT INTO T VALUES ('{id}', {value})")
      """, [path] + values)
    return path
  }

  /// A device's store whose update of an item waits, and that has set a value aside.
  private func device(_ values: [String], updating id: String) async throws -> String {
    let path = folder.path("device.rehome")
    _ = await rehome("convert", "-q", try store("device.db", values), "-o", path)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute('''
              INSERT INTO rehome_operation
                (sequence, source, "table", itemId, kind, state, rowKey, originalId, originalCode)
              SELECT 1, 1, 'T', id, 'update', 'pending', _pk, '1', '1' FROM T WHERE id = ?
              ''', sys.argv[2:])
      """, [path, id])
    return path
  }

  /// What waits explains what it changes, a rejected value among it, and nothing else.
  @Test(arguments: [("b", 0), ("a", 5)])
  func whatWaitsExplainsItsOwnItemsOnly(_ id: String, _ code: Int32) async throws {
    let device = try await device(["1", "'no'", "3"], updating: id)
    let server = try store("server.db", [id == "a" ? "9" : "1", "'yes'", "3"])
    for stores in [[device, server], [server, device]] {
      let outcome = await rehome(["verify", "--by-id", "--pending"] + stores)
      #expect(outcome.code == code, "\(outcome.text)")
      #expect(outcome.text.contains("item b, n: \"") && outcome.text.contains("explains it"))
    }
    #expect(await rehome("verify", "-q", "--by-id", device, server).code == 5)
  }

  /// Items that differ are named, up to the limit.
  @Test func itemsThatDifferAreNamed() async throws {
    let first = try store(
      "first.db", ["'no'", "x'00'", "'same'", "NULL", "1", "2", "3", "4"])
    let second = try store(
      "second.db", ["'yes'", "x'01'", "'same'", "'more'", "1", "2", "3", "4"])
    let outcome = await rehome("verify", "--by-id", first, second)
    #expect(outcome.code == 5)
    for words in [
      "item a, n: \"no\" is not \"yes\"", "item b, n: \"AA==\" is not \"AQ==\"",
      "3 values of the first and 4 of the second not of the column's type",
    ] { #expect(outcome.text.contains(words), "\(outcome.text)") }
    #expect(!outcome.text.contains("item c") && !outcome.text.contains("item d"))
    let few = await rehome("verify", "--by-id", "--limit", "1", first, second)
    #expect(few.text.contains("and 1 more: of 2 rows"), "\(few.text)")
  }

  /// A store that has lost more is no more equal than one that has lost less: NULL is as good as such
  /// a value, another one is not, and no other value is, whatever other items have.
  @Test(arguments: [
    (["'bad'", "'worse'"], nil), (["'bad'", "NULL"], nil), (["NULL", "NULL"], nil),
    (["NULL", "'worse'"], nil), (["'bad'", "'bad'"], "\"worse\" is not \"bad\""),
    (["NULL", "'bad'"], "\"worse\" is not \"bad\""), (["'bad'", "7"], "\"worse\" is not \"7\""),
    (["NULL", "7"], "\"worse\" is not \"7\""),
  ])
  func cellsDecideWhatIsCompared(_ values: [String], _ difference: String?) async throws {
    let rest = ["3", "4", "5", "6"]
    let stores = try [
      store("first.db", ["'bad'", "'worse'"] + rest), store("second.db", values + rest),
    ]
    var kept: [String] = []
    for store in stores {
      kept.append(store + ".rehome")
      _ = await rehome("convert", "-q", store, "-o", store + ".rehome")
    }
    for pair in [stores, kept, [stores[0], kept[1]], [kept[0], stores[1]]] {
      let outcome = await rehome(["verify", "--by-id"] + pair)
      #expect(outcome.code == (difference == nil ? 0 : 5), "\(outcome.text)")
      let whole = await rehome(["verify"] + pair)
      #expect(whole.code == outcome.code, "\(whole.text)")
      if values.contains("NULL") { #expect(!whole.text.contains(", the same in both")) }
      let lines = outcome.text.split(separator: "\n").filter { $0.contains("item ") }
      #expect(lines == (difference.map { ["  item b, n: \($0)"] } ?? []), "\(outcome.text)")
      let back = await rehome(["verify", "-q", "--by-id"] + pair.reversed())
      #expect(back.code == outcome.code)
    }
  }

  /// Rows that are known by no id are told apart by such values, too, and so are those whose ids are.
  @Test(arguments: ["text TEXT", "id INTEGER"])
  func rowsWithoutIDsAreToldApart(_ column: String) async throws {
    func store(_ name: String, _ rows: String) throws -> String {
      let path = folder.path(name)
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as database:
            database.execute(f'CREATE TABLE T ({sys.argv[2]}, n INTEGER)')
            database.execute('INSERT INTO T VALUES (1, 1), (2, 2), (3, 3), (4, 4), ' + sys.argv[3])
        """, path, column, rows)
      return path
    }
    let first = try store("first.db", "(x'01', 'bad'), (x'02', 'worse')")
    let same = try store("same.db", "(x'02', 'worse'), (x'01', 'bad')")
    let other = try store("other.db", "(x'01', 'worse'), (x'02', 'bad')")
    let empty = try store("empty.db", "(NULL, NULL), (NULL, NULL)")
    for (second, code) in [(same, 0), (other, 5), (empty, 0)] as [(String, Int32)] {
      let outcome = await rehome("verify", "--by-id", first, second)
      #expect(outcome.code == code, "\(outcome.text)")
    }
  }

  /// What an earlier run has set aside is found whatever the order in which a store keeps it.
  @Test func orderOfWhatWasSetAsideMakesNoDifference() async throws {
    let source = try store("source.db", ["'a'", "2", "'c'", "'d'", "5", "6", "7", "8"])
    let stores = (folder.path("first.rehome"), folder.path("second.rehome"))
    _ = await rehome("convert", "-q", source, "-o", stores.0)
    _ = try python(
      """
      import shutil, sqlite3, sys
      shutil.copy(*sys.argv[1:])
      with sqlite3.connect(sys.argv[2]) as database:
          database.execute('UPDATE rehome_reject SET id = -id')
      """, stores.0, stores.1)
    #expect(await rehome("verify", "-q", "--by-id", stores.0, stores.1).code == 0)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute("UPDATE rehome_reject SET raw = 'z' WHERE raw = 'c'")
      """, stores.1)
    let outcome = await rehome("verify", "--by-id", stores.0, stores.1)
    #expect(outcome.code == 5 && outcome.text.contains("item c, n: \"c\" is not \"z\""))
  }

  /// How two stores that set one value aside are changed, how they compare then, and what is said.
  struct Change: Sendable, CustomTestStringConvertible {
    let first: String
    let second: String
    let code: Int32
    /// With --by-id.
    let codeByID: Int32
    let words: String?

    init(
      _ first: String, _ second: String, _ code: Int32, byID: Int32? = nil, _ words: String? = nil
    ) {
      (self.first, self.second, self.code, self.words) = (first, second, code, words)
      codeByID = byID ?? code
    }

    var testDescription: String { "\(first) / \(second)" }

    /// One more value that was set aside of the first row.
    static func adding(_ column: String, _ value: String) -> String {
      """
      INSERT INTO rehome_reject (source, "table", row, "column", code, storage, raw)
      SELECT source, 'T', row, '\(column)', code, storage, '\(value)' FROM rehome_reject LIMIT 1
      """
    }

    static let worse = "UPDATE rehome_reject SET raw = 'worse'"
    static let right = "UPDATE T SET n = 7 WHERE id = 'a'"
    static let gone = "DELETE FROM T WHERE id = 'a'"
  }

  /// Cells decide, also of columns that are gone, and not of values that are none any more.
  @Test(arguments: [
    Change(
      "", "", 0,
      "1 value of the first and 1 of the second not of the column's type, the same in both"),
    Change("", Change.worse, 5, "not the same in both"),
    Change(Change.adding("gone", "v"), Change.adding("gone", "v"), 0, ", the same in both"),
    Change(Change.adding("gone", "v"), Change.adding("gone", "w"), 5, byID: 0, "not the same"),
    Change(
      Change.adding("gone", "v"), "", 0, "the same where both have one, else compared as NULL"),
    Change(Change.adding("n", "bad"), Change.adding("n", "bad"), 0, ", the same in both"),
    Change(Change.adding("n", "bad"), "", 0, "2 values of the first and 1 of the second"),
    Change(
      "UPDATE rehome_reject SET row = 2", "UPDATE rehome_reject SET row = 3", 0, "compared as NULL"),
    Change(Change.right, "\(Change.right); \(Change.worse)", 0),
    Change(Change.right, "\(Change.right)", 0),
    Change(Change.right, Change.worse, 5),
    Change(Change.gone, "\(Change.gone); \(Change.worse)", 0),
  ])
  func whatIsComparedOfWhatWasSetAside(_ change: Change) async throws {
    let source = try store("source.db", ["'bad'", "NULL", "NULL", "3", "4", "5", "6", "7"])
    let stores = [folder.path("first.rehome"), folder.path("second.rehome")]
    for (store, script) in zip(stores, [change.first, change.second]) {
      _ = await rehome("convert", "-q", source, "-o", store)
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as database:
            database.executescript(sys.argv[2])
        """, store, script)
    }
    for pair in [stores, stores.reversed()] {
      let outcome = await rehome(["verify"] + pair)
      #expect(outcome.code == change.code, "\(outcome.text)")
      #expect(await rehome(["verify", "-q", "--by-id"] + pair).code == change.codeByID)
    }
    let text = await rehome(["verify"] + stores).text
    if let words = change.words { #expect(text.contains(words), "\(text)") }
  }

  /// The name of a file that is missing, or the key of a row, is none of the content.
  @Test func whatOnlyADeviceKnowsIsNotCompared() async throws {
    var stores: [String] = []
    for number in [1, 2] {
      let key =
        "02"
        + "0F2E3B4C-1111-2222-3333-44445555666\(number)".utf8
        .map { String($0, radix: 16) }.joined() + "00"
      stores.append(
        try ObjectStore.make(
          "\(number).sqlite", in: folder, of: [("A", nil)],
          """
          CREATE TABLE ZA
            (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZID VARCHAR, ZB BLOB, ZN INTEGER);
          INSERT INTO ZA VALUES (\(number), 1, 1, 'x', x'\(key)', 'no');
          """))
      let converted = folder.path("\(number).rehome")
      _ = await rehome("convert", "-q", stores[0], "-o", converted)
      stores.append(converted)
    }
    for first in stores {
      for second in stores {
        let outcome = await rehome("verify", "--by-id", first, second)
        #expect(outcome.code == 0, "\(outcome.text)")
        #expect(outcome.text.contains("A: 1 value of the first and 1 of the second"))
      }
    }
  }

  /// A store of 200 tables, each with some values that no column could take.
  private func manyTables(_ word: String) async throws -> String {
    let (source, store) = (folder.path(word + ".db"), folder.path(word + ".rehome"))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          for table in range(200):
              rows = [(str(row), row if row % 3 else f'{sys.argv[2]}{table}') for row in range(40)]
              database.execute(f'CREATE TABLE T{table} (id TEXT PRIMARY KEY, n INTEGER)')
              database.executemany(f'INSERT INTO T{table} VALUES (?, ?)', rows)
      """, source, word)
    _ = await rehome("convert", "-q", source, "-o", store)
    return store
  }

  /// What was set aside is read once, and not once more for each table, nor for each that differs.
  @Test func manyTablesWithSuchValuesTakeNoLonger() async throws {
    let (first, second) = (try await manyTables("no"), try await manyTables("yes"))
    let whole = try work([first, first])
    #expect(try work(["--by-id", first, first]) < whole * 12)
    #expect(try work(["--by-id", first, second]) < whole * 12)
  }

  /// Each value that is shown is that of its table.
  @Test func valuesOfManyTablesAreShown() async throws {
    let stores = (try await manyTables("no"), try await manyTables("yes"))
    let outcome = await rehome("verify", "--by-id", "--limit", "14", stores.0, stores.1)
    var lines = outcome.text.split(separator: "\n")[...]
    for table in 0..<200 {
      lines = lines.drop { !$0.hasPrefix("T\(table): ") }
      let items = lines.dropFirst().prefix { $0.hasPrefix("  item") }
      #expect(items.count == 14, "\(lines.prefix(3))")
      #expect(items.allSatisfy { $0.hasSuffix("n: \"no\(table)\" is not \"yes\(table)\"") })
    }
  }

  /// All rows are read once more only where both stores have such a value of one item.
  @Test func valuesOfDifferentItemsCostNoFurtherPass() async throws {
    func store(_ name: String, rejecting item: Int) throws -> String {
      let path = folder.path(name)
      _ = try python(
        """
        import sqlite3, sys
        rows = [(str(row), row if row > 2 else None) for row in range(60_000)]
        item = int(sys.argv[2])
        if item:
            rows[item] = (str(item), 'no')
        with sqlite3.connect(sys.argv[1]) as database:
            database.execute('CREATE TABLE T (id TEXT PRIMARY KEY, n INTEGER)')
            database.executemany('INSERT INTO T VALUES (?, ?)', rows)
        """, path, String(item))
      return path
    }
    let none = try store("none.db", rejecting: 0)
    let two = try (store("first.db", rejecting: 1), store("second.db", rejecting: 2))
    // In turn, so that what other tests take of the machine meanwhile falls on both.
    var (least, without) = (Double.infinity, Double.infinity)
    for _ in 1...3 {
      least = try min(least, work(["--by-id", two.0, two.1]))
      without = try min(without, work(["--by-id", none, none]))
    }
    #expect(least < 1.35 * without)
  }

  /// How long the processor works for a comparison.
  private func work(_ arguments: [String]) throws -> Double {
    try RunCosts(of: ["verify", "-q"] + arguments, times: 3, codes: [0, 2, 5]).seconds
  }
}
