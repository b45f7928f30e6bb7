import Bytes
import Foundation
import Testing

@testable import Canonical
@testable import Records

/// What every reader promises, whatever the layout.
struct ReaderConformanceTests {
  /// A store to hold against the promises.
  enum Subject: Sendable, CustomTestStringConvertible, CaseIterable {
    case dotnetA3, dotnetB, datasync, android, cordova, toolkit, foreign
    case amplifyIOS, amplifyAndroid, amplifyJS, parse, watermelon, powerSync, couchbase
    case ios2014, ios2015, ios2016, canonical

    var testDescription: String { "\(self)" }

    /// Awkward content on top of a worked example, so that every rule has something to bite on.
    func store() throws -> SQLStore {
      switch self {
      case .dotnetA3: try SQLStore(WorkedExamples.dotnetA3 + Self.many("TodoItem"))
      case .dotnetB: try SQLStore(WorkedExamples.dotnetB + Self.many("TodoItem"))
      case .datasync: try SQLStore(WorkedExamples.datasync + Self.many("todoitem"))
      case .android: try SQLStore(WorkedExamples.android + Self.many("todoitem"))
      case .cordova: try SQLStore(WorkedExamples.cordova + Self.many("todoitem"))
      case .toolkit: try SQLStore(WorkedExamples.toolkit)
      case .amplifyIOS: try SQLStore(WorkedExamples.amplifyIOS + Self.many("Post"))
      case .amplifyAndroid: try SQLStore(WorkedExamples.amplifyAndroid + Self.many("Post"))
      case .amplifyJS: try SQLStore(WorkedExamples.amplifyJS + Self.many("Post"))
      case .parse: try SQLStore(WorkedExamples.parse + Self.manyObjects)
      case .watermelon: try SQLStore(WorkedExamples.watermelon + Self.manyTasks)
      case .powerSync: try SQLStore(WorkedExamples.powerSync + Self.manyLists)
      case .couchbase: try SQLStore(WorkedExamples.couchbase + Self.manyDocuments)
      case .foreign: try SQLStore(WorkedExamples.foreign + Self.manyWords)
      case .ios2014: try SQLStore(copyOf: Samples.ios("ios-2014"))
      case .ios2015: try SQLStore(copyOf: Samples.ios("ios-2015"))
      case .ios2016: try SQLStore(copyOf: Samples.ios("ios-2016"))
      case .canonical: try Self.canonicalStore()
      }
    }

    /// More rows than a batch takes, with values of every class in a column of times.
    private static func many(_ table: String) -> String {
      """
      ALTER TABLE \(table) ADD COLUMN extra DATETIME;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO \(table) (rowid, id, extra) SELECT i * 3 + 10, 'n' || i,
        CASE i % 5 WHEN 0 THEN i WHEN 1 THEN i + 0.5 WHEN 2 THEN x'ff' WHEN 3 THEN 'x' END FROM n;
      """
    }

    private static let manyObjects = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO ParseObjects (rowid, uuid, className, objectId, json) SELECT i * 3 + 10, 'n' || i,
        'Game', 'g' || i, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '{"score":' || i || '}'
        WHEN 2 THEN '{"score":1.5,"at":{"__type":"Date","iso":"x"}}' WHEN 3 THEN x'ff'
        ELSE '{"at":{"__type":"Date","iso":"2016-05-01T11:00:00.000Z"}}' END FROM n;
      """

    private static let manyTasks = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO tasks SELECT 'n' || i, '', CASE i % 3 WHEN 0 THEN 'deleted' ELSE 'synced' END,
        CASE i % 7 WHEN 0 THEN x'ff' WHEN 1 THEN i ELSE 'x' END, i % 2, i + 0.5,
        CASE i % 5 WHEN 0 THEN i WHEN 1 THEN 'x' WHEN 2 THEN 1e300 END FROM n;
      """

    private static let manyLists = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO "ps_data__lists" SELECT 'n' || i, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'x'
        WHEN 2 THEN '{"done":' || i || ',"name":null}' WHEN 3 THEN '{"done":"x","price":[]}'
        ELSE '{"_pk":1,"ID":true}' END FROM n;
      """

    private static let manyDocuments = #"""
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO docs (doc_id, docid) SELECT i * 3 + 10, 'n' || i FROM n;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO revs (doc_id, revid, current, json) SELECT i * 3 + 10, (i % 12) || '-' || i, 1,
        CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '{"type":"task","price":' || i || '}'
        WHEN 2 THEN '{"type":"task","price":1.5,"tags":[{"a": 1}]}' WHEN 3 THEN x'ff'
        ELSE '{"type":7}' END FROM n;
      """#

    private static let manyWords = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO words SELECT 'w' || i, i FROM n;
      """

    private static func canonicalStore() throws -> SQLStore {
      let reader = try SQLStore(copyOf: Samples.ios("ios-2016")).reader()
      let store = try SQLStore("", name: "items.rehome")
      var writer = try CanonicalWriter(destination: store.path, replacing: true)
      try writer.begin(
        reader.source, catalogue: reader.catalogue, at: Timestamp.now, toolVersion: "test")
      for (index, table) in reader.catalogue.tables.enumerated() {
        var loaded = try writer.beginTable(table)
        try reader.forEachBatch(inTable: index) { (batch) throws(StoreError) in
          try writer.insert(batch, into: &loaded)
        }
        try writer.finish(loaded)
      }
      try writer.write(try reader.readQueue())
      try writer.publish()
      return store
    }
  }

  @Test(arguments: Subject.allCases)
  func countsEqualTheRowsOfAllBatches(_ subject: Subject) throws {
    let store = try subject.store()
    let reader = try store.reader()
    #expect(!reader.catalogue.tables.isEmpty)
    for index in reader.catalogue.tables.indices {
      let counted = try reader.countRows(inTable: index)
      #expect(try ReadTable(index, of: reader).keys.count == counted)
    }
  }

  @Test(arguments: Subject.allCases)
  func keysAscendAndAreUnique(_ subject: Subject) throws {
    let store = try subject.store()
    let reader = try store.reader()
    for index in reader.catalogue.tables.indices {
      let keys = try ReadTable(index, of: reader).keys
      #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(arguments: Subject.allCases)
  func cellsAreOfTheKindOfTheirColumn(_ subject: Subject) throws {
    let store = try subject.store()
    let reader = try store.reader()
    for index in reader.catalogue.tables.indices {
      let read = try ReadTable(index, of: reader)
      for (place, column) in read.table.columns.enumerated() {
        let kinds = Set(read.kinds.map { $0[place] }).subtracting([.null])
        #expect(kinds.isSubset(of: [column.type.cellKind]))
      }
      for (place, column) in read.table.columns.enumerated() where column.type == .timestamp {
        for value in read.rows.compactMap({ $0[place] }) {
          #expect(Timestamp(parsing: value.utf8.span)?.text == value)
        }
      }
    }
  }

  @Test(arguments: Subject.allCases)
  func rejectsLeaveTheirCellsEmptyAndNameThem(_ subject: Subject) throws {
    let store = try subject.store()
    let reader = try store.reader()
    for index in reader.catalogue.tables.indices {
      let read = try ReadTable(index, of: reader)
      let rows = Dictionary(uniqueKeysWithValues: zip(read.keys, read.rows))
      for reject in read.rejects {
        let place = try #require(
          read.table.columns.firstIndex { $0.name == reject.column })
        #expect(try #require(rows[reject.key])[place] == nil)
      }
    }
  }

  @Test(arguments: Subject.allCases)
  func namesAreUniqueAndReservedOnesAreFree(_ subject: Subject) throws {
    let store = try subject.store()
    let catalogue = try store.reader().catalogue
    let tables = catalogue.tables.map { $0.name.lowercased() }
    #expect(Set(tables).count == tables.count)
    #expect(!tables.contains { $0.hasPrefix("rehome_") || $0.hasPrefix("sqlite_") })
    for table in catalogue.tables {
      let columns = table.columns.map { $0.name.lowercased() }
      #expect(Set(columns).count == columns.count)
      #expect(!columns.contains("_pk"))
      let parts = table.columns.map(\.role).filter { role in
        [.id, .version, .createdAt, .updatedAt, .deleted].contains(role)
      }
      #expect(Set(parts).count == parts.count)
    }
  }

  @Test(arguments: Subject.allCases)
  func operationsAreNumberedFromOneAndPointToRows(_ subject: Subject) throws {
    let store = try subject.store()
    let reader = try store.reader()
    let queue = try reader.readQueue()
    #expect(queue.operations.map(\.sequence) == queue.operations.indices.map { Int64($0 + 1) })
    let tied = queue.operations.filter { $0.rowKey != nil }
    for (table, operations) in Dictionary(grouping: tied, by: { $0.rowTable ?? $0.table }) {
      let name = try #require(table)
      let read = try #require(try reader.read(name))
      let keys = Set(read.keys)
      #expect(operations.allSatisfy { keys.contains($0.rowKey ?? 0) })
    }
    for error in queue.errors {
      guard let operation = error.operation else { continue }
      #expect(queue.operations.contains { $0.sequence == operation })
    }
  }

  @Test(arguments: Subject.allCases)
  func readingTwiceGivesTheSame(_ subject: Subject) throws {
    let store = try subject.store()
    let first = try store.reader()
    let second = try store.reader()
    #expect(first.source == second.source)
    #expect(first.catalogue == second.catalogue)
    #expect(try first.readQueue() == second.readQueue())
    for index in first.catalogue.tables.indices {
      let table = try ReadTable(index, of: first)
      #expect(try ReadTable(index, of: first) == table)
      #expect(try ReadTable(index, of: second) == table)
    }
  }

  @Test(arguments: Subject.allCases)
  func sourceStaysAsItWas(_ subject: Subject) throws {
    let store = try subject.store()
    let before = try store.files()
    do {
      let reader = try store.reader()
      for index in reader.catalogue.tables.indices { _ = try ReadTable(index, of: reader) }
      _ = try reader.readQueue()
      #expect(try reader.isSourceUnchanged())
    }
    #expect(try store.files() == before)
  }
}
