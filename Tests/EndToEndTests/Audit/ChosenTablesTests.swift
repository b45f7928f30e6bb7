import Foundation
import TestSupport
import Testing

/// Some tables of stores are looked at, and what waits on them, as if there were no others.
struct ChosenTablesTests {
  /// A store with an operation on each of some tables, of which one row may be another one.
  private func store(
    _ tables: [String], titleOfLast: String = "t", _ folder: borrowing TemporaryFolder
  ) throws -> String {
    let path = folder.path("\(tables.joined())-\(titleOfLast).sqlite")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          \(ToolkitTables.all)''')
          names = sys.argv[3:]
          for number, name in enumerate(names, 1):
              db.execute(f"CREATE TABLE {name}s (Id TEXT NOT NULL PRIMARY KEY, Title TEXT, "
                         "UpdatedAt TEXT, Version TEXT, Deleted INTEGER NOT NULL)")
              title = sys.argv[2] if name == names[-1] else "t"
              db.execute(f"INSERT INTO {name}s VALUES ('a', ?, NULL, NULL, 0)", (title,))
              db.execute("INSERT INTO DatasyncOperationsQueue VALUES (?,0,0,NULL,NULL,?,'a','',?,?,0)",
                         (str(number), f"App.{name}", '{"id": "a", "title": "t"}', number))
      """, [path, titleOfLast] + tables)
    return path
  }

  private static func stores(_ outcome: Outcome) throws -> [[String: any Sendable]] {
    try #require(try outcome.json()["stores"] as? [[String: any Sendable]], "\(outcome.error)")
  }

  /// What a list of an audit has of some tables, each as text that can be compared.
  private static func elements(
    _ store: [String: any Sendable], _ list: String, of tables: Set<String>? = nil
  ) throws -> [String] {
    let elements = try #require(store[list] as? [[String: any Sendable]])
    let wanted = elements.filter { element in
      guard let tables, let table = element["table"] as? String else { return tables == nil }
      return tables.contains(table)
    }
    return try wanted.map { element in
      String(
        decoding: try JSONSerialization.data(withJSONObject: element, options: .sortedKeys),
        as: UTF8.self)
    }
  }

  /// Whatever the layout: what is told of a table is what is told of it among all.
  @Test(arguments: Sample.all)
  func partOfAnAuditIsThatPartOfTheWhole(sample: Sample) async throws {
    let path = sample.store()
    let all = try #require(
      try Self.stores(await rehome("inspect", "--json", "--fail-on", "never", path)).first)
    let rows = try #require(all["tables"] as? [[String: any Sendable]])
    let whole = try #require(
      try Self.stores(await rehome("audit", "--json", "--fail-on", "never", path)).first)
    for table in rows {
      let name = try #require(table["name"] as? String)
      let inspected = try #require(
        try Self.stores(
          await rehome("inspect", "--json", "--fail-on", "never", path, "--table", name)
        ).first)
      let tables = try #require(inspected["tables"] as? [[String: any Sendable]])
      #expect(tables.map { $0["name"] as? String } == [name])
      #expect(tables.map { $0["rows"] as? Int } == [table["rows"] as? Int])
      let part = try #require(
        try Self.stores(
          await rehome("audit", "--json", "--fail-on", "never", path, "--table", name)
        ).first)
      for list in ["operations", "effects", "errors", "tokens"] {
        #expect(
          try Self.elements(part, list) == Self.elements(whole, list, of: [name]),
          "\(list) of \(name)")
      }
      let told = try Self.elements(part, "findings", of: [name])
      #expect(try told == Self.elements(whole, "findings", of: [name]))
      let strangers = try #require(part["findings"] as? [[String: any Sendable]]).filter {
        $0["table"] is String && $0["table"] as? String != name
      }
      #expect(strangers.isEmpty, "\(strangers)")
    }
  }

  @Test func hashIsThatOfAStoreWithoutTheOthers() async throws {
    let folder = try TemporaryFolder()
    let small = try store(["Tag"], folder)
    let large = try store(["Tag", "Tale", "Todo"], folder)
    let hash = await rehome("hash", small).text.prefix(64)
    for options in [["--table", "Tags"], ["--exclude-table", "T?[ld]*"]] {
      let part = await rehome(["hash", large] + options)
      #expect(part.code == 0 && part.text.prefix(64) == hash, "\(part.error)")
    }
    let whole = await rehome("hash", large)
    #expect(whole.text.prefix(64) != hash)
  }

  @Test func hashShowsInWhichTablesStoresDiffer() async throws {
    let folder = try TemporaryFolder()
    let first = try store(["Tag", "Todo"], folder)
    let second = try store(["Tag", "Todo"], titleOfLast: "u", folder)
    let converted = folder.path("second.rehome")
    #expect(await rehome("convert", second, "-o", converted).code == 0)
    let names = [[], ["--table", "Todos"], ["--exclude-table", "Todos"]]
    for (options, count) in zip(names, [2, 2, 1]) {
      let lines = await rehome(["hash", first, second, converted] + options).text
      #expect(Set(lines.split(separator: "\n").map { $0.prefix(64) }).count == count)
    }
  }

  /// The rows and rejects of merged devices go with their tables.
  @Test func partOfAMergedStoreIsThatPartOfTheWhole() async throws {
    let folder = try TemporaryFolder()
    let merged = folder.path("merged.rehome")
    let devices = try [
      store(["Tag", "Todo"], folder), store(["Tag", "Todo"], titleOfLast: "u", folder),
      store(["Tale", "Todo"], folder),
    ]
    #expect(await rehome(["convert", "-o", merged] + devices).code == 0)
    let whole = try #require(try Self.stores(await rehome("audit", "--json", merged)).first)
    let tables = ["Tags", "Todos"]
    let part = try #require(
      try Self.stores(await rehome("audit", "--json", merged, "--exclude-table", "Tales")).first)
    for list in ["operations", "effects", "errors"] {
      let elements = try Self.elements(part, list)
      #expect(try elements == Self.elements(whole, list, of: Set(tables)))
    }
    #expect(try Self.elements(part, "operations").count == 5)
  }

  @Test func eachOfSeveralStoresHasSomeOfTheTables() async throws {
    let folder = try TemporaryFolder()
    let stores = [try store(["Tag"], folder), try store(["Tag", "Todo"], folder)]
    let inspected = await rehome(["inspect", "--json", "--table", "Todos"] + stores)
    #expect(inspected.code == 0 && inspected.error == "")
    let counts = try Self.stores(inspected).map { store in
      (store["queue"] as? [String: any Sendable])?["operations"] as? Int
    }
    #expect(counts == [0, 1])
  }

  @Test(arguments: ["inspect", "audit", "hash"], [1, 2])
  func nameOfNoTableIsRefused(command: String, count: Int) async throws {
    let folder = try TemporaryFolder()
    let stores = Array(
      [try store(["Tag"], folder), try store(["Tag", "Todo"], folder)].prefix(count))
    let outcome = await rehome([command, "--table", "nope"] + stores)
    #expect(outcome.code == 64 && outcome.error.contains("no table matches nope"))
  }

  /// A report tells of chosen tables only, and so is none for a run without them.
  @Test func reportIsThatOfTheSameTables() async throws {
    let folder = try TemporaryFolder()
    let path = try store(["Tag", "Todo"], folder)
    let report = folder.path("report.ndjson")
    let options = ["--report", report, "--table", "Todos", "--json"]
    #expect(await rehome(["audit", path] + options).code == 0)
    let again = await rehome(["audit", path, "--resume"] + options)
    #expect(again.error.contains("was not read again"))
    let other = await rehome("audit", path, "--resume", "--report", report)
    #expect(other.code == 0 && !other.error.contains("was not read again"))
  }
}
