import Foundation
import TestSupport
import Testing

/// Values that no column could take cost a comparison little memory, however many and long they are.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct RejectMemoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A plain store of tables with so many items each, of which the first have such a value.
  private func plain(
    _ name: String, tables: Int = 1, items: Int, rejecting count: Int, _ value: String
  ) throws -> String {
    let path = folder.path(name + ".db")
    _ = try python(
      """
      import sqlite3, sys
      path, tables, items, count, value = sys.argv[1:]
      with sqlite3.connect(path) as database:
          for table in range(int(tables)):
              database.execute(f'CREATE TABLE T{table} (id TEXT PRIMARY KEY, n INTEGER)')
              database.executemany(
                  f'INSERT INTO T{table} VALUES (?, ?)',
                  ((str(id), value if id < int(count) else None) for id in range(int(items) + 100)))
              database.executemany(
                  f'INSERT INTO T{table} VALUES (?, 7)',
                  ((f'n{id}',) for id in range(int(items) + 100)))
      """, path, String(tables), String(items), String(count), value)
    return path
  }

  /// The same as a store of ours, whose values are set aside, in the order of rows or in another one.
  private func converted(_ plain: String, isInOrder: Bool = true) async throws -> String {
    let path = plain + ".rehome"
    _ = await rehome("convert", "-q", plain, "-o", path)
    if !isInOrder {
      _ = try python(
        """
        import sqlite3, sys
        with sqlite3.connect(sys.argv[1]) as database:
            database.execute('UPDATE rehome_reject SET id = -id')
        """, path)
    }
    return path
  }

  /// How many MiB a comparison takes.
  private func peak(_ stores: [String], code: Int32 = 0, _ options: String...) throws -> Double {
    try RunCosts(of: ["verify", "-q"] + options + stores, codes: [code]).memory
  }

  /// Equal stores with many such values, and those in which each of them differs.
  @Test(.long) func manyValuesTakeAsMuchAsFew() async throws {
    let items = 250_000
    let few = try plain("few", items: items, rejecting: 1, "no")
    let many = try plain("many", items: items, rejecting: items, "no")
    let other = try plain("other", items: items, rejecting: items, "yes")
    let kept = (try await converted(many), try await converted(other, isInOrder: false))
    let least = try peak([few, few])
    for stores in [[many, many], [many, kept.0], [kept.1, kept.1]] {
      #expect(try peak(stores) < least + 12)
    }
    for stores in [[many, other], [kept.0, kept.1]] {
      // Those of a part are compared at once.
      #expect(try peak(stores, code: 5) < least + 24)
    }
  }

  /// No table has room of its own for such values.
  @Test(.long) func manyTablesTakeAsMuchAsOne() async throws {
    let many = try await converted(
      try plain("tables", tables: 1500, items: 120, rejecting: 120, "no"))
    let few = try await converted(try plain("few", tables: 1500, items: 120, rejecting: 1, "no"))
    #expect(try peak([many, many]) < peak([few, few]) + 12)
    #expect(try peak([many, many], "--by-id") < peak([few, few], "--by-id") + 12)
  }

  /// Of what was set aside no more is kept in memory than what stands for it.
  @Test func longValuesTakeAsMuchAsShortOnes() async throws {
    func store(_ size: Int) async throws -> String {
      let value = String(repeating: "no", count: size)
      return try await converted(
        try plain("\(size)", items: 20_000, rejecting: 20_000, value))
    }
    let (long, short) = (try await store(1000), try await store(10))
    #expect(try peak([long, long], "--by-id") < peak([short, short], "--by-id") + 30)
  }

  /// A long value is read, and not copied as what is shown of it.
  @Test func oneLongValueIsNotCopied() async throws {
    let path = folder.path("long.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as database:
          database.execute('CREATE TABLE T (id TEXT PRIMARY KEY, n INTEGER)')
          values = [bytes(30 << 20), 1, 2, 3]
          database.executemany('INSERT INTO T VALUES (?, ?)', enumerate(values))
      """, path)
    let store = try await converted(path)
    #expect(try peak([store, store], "--by-id") < 140)
  }
}
