import Bytes
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Records
@testable import SyncSDKs
@testable import Tables

/// Operations read from pages must be those that the engine gives.
@Suite struct IOSOperationPagesTests {
  private func operations(
    _ script: String, seed: Int = 0, telling tell: (Finding) -> Void = { _ in }
  ) throws -> (pages: OperationList?, engine: OperationList, printed: [String]) {
    let folder = try TemporaryFolder()
    let path = folder.path("store.db")
    let output = try Python.run(Self.table + script, arguments: [path, String(seed)])
    let database = try SourceDatabase(opening: path, temporaryFolder: folder.path(""))
    let reader = IOSQueueReader(
      generation: .g2, systemTables: SystemTables(try database.connection.tables()),
      tableNames: ["TodoItem": "Todo"], externalData: nil)
    return (
      try reader.readOperations(ofPagesOf: database),
      try reader.readOperations(database.connection, telling: tell),
      String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    )
  }

  @Test(arguments: 0..<8) func randomQueuesAreReadAsTheEngineReadsThem(_ seed: Int) throws {
    let (pages, engine, _) = try operations(Self.random, seed: seed)
    #expect(engine.count == 3000)
    #expect(pages == engine)
    #expect(engine.map(\.sequence) == (1...3000).map(Int64.init))
    #expect(engine.contains { $0.kind == .delete && $0.item != nil && $0.baseVersion != nil })
    #expect(engine.contains { $0.table == "Todo" })
  }

  /// Apple's writer puts a backslash before each slash, as others do before quotes and control
  /// characters.
  @Test(arguments: 0..<4) func textsWithEscapesAreWhatPythonReads(_ seed: Int) throws {
    let (pages, engine, expected) = try operations(Self.escapes, seed: seed)
    #expect(pages == engine)
    let read = engine.map { operation in
      let item = String(decoding: operation.item ?? [], as: UTF8.self)
      return "\(operation.originalID ?? "") \(operation.baseVersion ?? "-") \(item)"
    }
    #expect(read == expected)
    #expect(expected.count == 2000)
  }

  @Test(arguments: [
    // The order is not that of the rows.
    "add(1, 5, 'T', 'a', '{}'); add(2, 4, 'T', 'b', '{}')",
    // Two operations have one id.
    "add(1, 5, 'T', 'a', '{}'); add(2, 5, 'T', 'b', '{}')",
    "add(1, None, 'T', 'a', '{}')", "add(1, 1.5, 'T', 'a', '{}')", "add(1, 'x', 'T', 'a', '{}')",
    "add(1, 1, 2.5, 'a', '{}')", "add(1, 1, b'T', 'a', '{}')", "add(1, 1, 'T', 1e99, '{}')",
    "add(1, 1, 'T', b'a', '{}')",
    // Somebody must hear of the bytes.
    "add(1, 1, 'T', 'a', '{}'); " + damage("ZITEMID", "61ff"),
    "add(1, 1, 'T', 'a', '{}'); " + damage("ZTABLE", "61ff"),
  ])
  func whatOnlyTheEngineSortsOrSpellsIsLeftToIt(_ rows: String) throws {
    let (pages, engine, _) = try operations(rows + "\ndb.commit()")
    #expect(pages == nil)
    #expect(engine.allSatisfy { $0.raw != nil })
    #expect(engine.map(\.sequence) == (1...engine.count).map(Int64.init))
  }

  /// Repaired, ids of other bytes would be one, and perhaps that of an innocent row.
  @Test func namesThatAreNoTextNameNothingAndAreTold() throws {
    let script = """
      add(1, 1, 'T', 'a', '{"type":1}'); add(2, 2, 'T', 'b', '{"type":2}'); add(3, 3, 'U', 'c', '{}')
      \(Self.damage("ZITEMID", "61ff", 1)); \(Self.damage("ZITEMID", "61fe", 2))
      \(Self.damage("ZTABLE", "ff", 3))
      db.commit()
      """
    var findings: [Finding] = []
    let engine = try operations(script) { findings.append($0) }.engine
    #expect(engine.map(\.itemID) == [nil, nil, "c"])
    #expect(engine.map(\.table) == ["T", "T", nil])
    #expect(
      engine.map { text($0.raw?.bytes) } == [
        #"{"type":1}"# + "\n" + #"{"unread":{"ZITEMID":{"base64":"Yf8="}}}"#,
        #"{"type":2}"# + "\n" + #"{"unread":{"ZITEMID":{"base64":"Yf4="}}}"#,
        "{}\n" + #"{"unread":{"ZTABLE":{"base64":"/w=="}}}"#,
      ])
    #expect(findings.map(\.code) == ["invalid-text", "invalid-text", "invalid-text"])
    #expect(findings.map(\.operation) == [1, 2, 3])
    for (finding, count) in zip(findings, [2, 2, 1]) {
      // What the bytes are is for nobody's eyes.
      #expect(finding.message.contains(", of \(count) bytes, is not UTF-8"), "\(finding.message)")
    }
  }

  /// What the app wrote is never taken for what is kept behind it, beside an odd name or not.
  @Test(arguments: [
    #"{"type":7}\n{"unread":{"own":1}}"#, #"{"unread":{}}"#, #"\n{"unread":{"type":1}}"#,
    #"{"unread":{},"type":{"a":{}}}"#, #"{"type":2,"item":\n{"unread":{"own":1}}}"#,
  ])
  func payloadThatEndsLikeWhatIsKeptStaysWhole(_ payload: String) throws {
    for odd in ["", Self.damage("ZITEMID", "61ff")] {
      let script = "add(1, 1, 'T', 'a', '\(payload)'.encode())\n\(odd)\ndb.commit()"
      let (pages, engine, _) = try operations(script)
      let whole = payload.replacing(#"\n"#, with: "\n")
      #expect(engine.map { text($0.raw?.payload?.bytes) } == [whole])
      #expect(pages == (odd.isEmpty ? engine : nil))
    }
  }

  private static func damage(_ column: String, _ bytes: String, _ key: Int = 1) -> String {
    "db.execute(\"UPDATE ZMS_TABLEOPERATIONS SET \(column) = CAST(x'\(bytes)' AS TEXT) "
      + "WHERE Z_PK = \(key)\")"
  }

  @Test func floatingPointNumbersAndBlobsAreSpelledByTheEngine() throws {
    let script = "add(1, 7.0, 2.5, b'a', '{}'); add(2, 6, 'TodoItem', None, None)\ndb.commit()"
    let engine = try operations(script).engine
    #expect(engine.map(\.originalID) == ["6", "7.0"])
    #expect(engine.map(\.table) == ["Todo", "2.5"])
    #expect(engine.map(\.itemID) == [nil, "a"])
  }

  private static let table = """
    import random, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    r = random.Random(int(sys.argv[2]))
    db.execute('''CREATE TABLE ZMS_TABLEOPERATIONS(Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZID,
      ZTABLEKIND INTEGER, ZITEMID, ZTABLE, ZPROPERTIES)''')
    def add(key, id, table, item, payload):
        db.execute('INSERT INTO ZMS_TABLEOPERATIONS VALUES (?, 3, ?, 0, ?, ?, ?)',
                   (key, id, item, table, payload))

    """

  private static let escapes = """
    import json
    alphabet = 'ab"/\\\\\\u00fc\\U0001f600 AAA='
    def text(more=''):
        return ''.join(r.choice(alphabet + more) for _ in range(r.choice([0, 1, 5, 30])))
    for key in range(1, 2001):
        item = {'id': 'x', 'text': text('\\n\\t\\r\\b\\f\\x01\\x1f')}
        if r.random() < 0.8: item[r.choice(['version', '__version', 'ms_version'])] = text()
        if r.random() < 0.2: item['vers"ion'] = {'deep': text('\\n')}
        source = json.dumps({'type': 2, 'item': item}, separators=(',', ':'),
                            ensure_ascii=r.random() < 0.1)
        if r.random() < 0.3: source = source.replace('/', '\\\\/')
        add(key, key, 'T', 'x', source)
        versions = [item[name] for name in ('version', '__version', 'ms_version') if item.get(name)]
        print(key, versions[0] if versions else '-',
              json.dumps(item, separators=(',', ':'), ensure_ascii=False))
    db.commit()
    """

  private static let random = """
    def payload():
        kind = r.randrange(12)
        item = '{"id":"%d","version":"v%d","n":%s}' % (r.randrange(99), r.randrange(99),
                                                       r.choice(['1', '2.50', '"\\u00fc"', 'null']))
        return [None, 7, -2.5, b'', 'no json', b'\\x01{"type":0}', b'\\xff\\xfe', '{"type": 9}',
                '{"type":%d}' % r.randrange(3), b'{"type":%d}' % r.randrange(3),
                '{"type":2,"item":%s}' % item,
                ('{"item":%s,"type":2,"pad":"%s"}' % (item, 'x' * r.randrange(9000))).encode()
                ][kind]
    id = r.randrange(-9, 9)
    for key in range(3000):
        id += r.randrange(1, 9)
        add(key * 2, id, r.choice(['TodoItem', 'TodoItem', 'Other', '\\u00e4', '', None, 5]),
            r.choice(['A-%d' % r.randrange(999), '', None, 12, -2**63, '\\u00c4' * 40]), payload())
    db.commit()
    """
}
