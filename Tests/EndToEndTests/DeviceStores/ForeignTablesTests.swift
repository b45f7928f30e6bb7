import Foundation
import TestSupport
import Testing

/// Tables that somebody else has put into the file of an SDK.
struct ForeignTablesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whatever they are like, they keep nobody from reading the SDK's.
  @Test(arguments: ["parse-android-2016", "couchbase-ios-2015"])
  func areToldEvenWhereTheyCannotBeRead(_ name: String) async throws {
    let sample = Sample(name: name)
    let store = sample.store(in: try folder.copy(of: sample))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.create_collation('LOCALIZED', lambda a, b: (a > b) - (a < b))
          db.execute('CREATE TABLE ordered (name TEXT COLLATE LOCALIZED PRIMARY KEY) WITHOUT ROWID')
          db.execute("INSERT INTO ordered VALUES ('a')")
          db.execute('CREATE TABLE plain (x)')
          db.execute('INSERT INTO plain VALUES (1)')
          db.execute('CREATE TABLE empty (x)')
      """, store)
    let before = await rehome("audit", "--json", sample.store())
    let outcome = await rehome("audit", "--json", store)
    #expect(outcome.code == before.code, "\(outcome.error)")
    let stores = try outcome.json()["stores"] as? [[String: Any]]
    let findings = try #require(stores?.first?["findings"] as? [[String: Any]])
    let told = findings.filter { $0["code"] as? String == "table-left-out" }
    #expect(told.compactMap { $0["table"] as? String }.sorted() == ["ordered", "plain"])
  }

  /// What a module keeps is told once, by the name that the app gave it, unless it holds nothing.
  @Test(arguments: ["parse-android-2016", "couchbase-ios-2015", "ios-2016"])
  func virtualOnesAreToldByTheirNames(_ name: String) async throws {
    let sample = Sample(name: name)
    let store = sample.store(in: try folder.copy(of: sample))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          for name in ('words', 'emptyWords', 'fulltext_1'):
              db.execute(f'CREATE VIRTUAL TABLE {name} USING fts4(a)')
          db.execute("INSERT INTO words VALUES ('x')")
          db.execute("INSERT INTO fulltext_1 VALUES ('x')")
          db.execute('CREATE TABLE texts (a)')
          db.execute("INSERT INTO texts VALUES ('x')")
          db.execute('CREATE VIRTUAL TABLE indexed USING fts5(a, content=texts)')
          db.execute('CREATE VIRTUAL TABLE boxes USING rtree(id, low, high)')
          db.execute('INSERT INTO boxes VALUES (1, 2, 3)')
          db.execute('CREATE VIRTUAL TABLE emptyBoxes USING rtree(id, low, high)')
      """, store)
    let outcome = await rehome("audit", "--json", store)
    let stores = try outcome.json()["stores"] as? [[String: Any]]
    let findings = try #require(stores?.first?["findings"] as? [[String: Any]])
    func tables(_ code: String, _ severity: String) -> [String] {
      findings.filter { $0["code"] as? String == code && $0["severity"] as? String == severity }
        .compactMap { $0["table"] as? String }.sorted()
    }
    let ofCouchbase = name.hasPrefix("couchbase") ? [] : ["fulltext_1"]
    #expect(
      tables("virtual-table-left-out", "warning") == ["boxes"] + ofCouchbase + ["words"])
    #expect(tables("virtual-table-left-out", "note") == ["indexed"])
    guard name.hasPrefix("ios") else {
      #expect(tables("table-left-out", "warning") == ["texts"])
      return
    }
    // To Core Data such a table is one without an entity.
    let ofModel = findings.filter { $0["code"] as? String == "model-differs-from-store" }
      .compactMap { $0["message"] as? String }
    #expect(ofModel.contains { $0.hasPrefix("the table texts belongs to no entity") }, "\(ofModel)")
  }
}
