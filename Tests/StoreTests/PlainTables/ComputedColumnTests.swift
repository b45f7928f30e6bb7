import Foundation
import Testing

@testable import Records

/// Generated columns of plain files: read like others, unless computing them fails.
struct ComputedColumnTests {
  @Test func storedAndVirtualColumnsAreRead() throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b INTEGER AS (a * 2), c TEXT AS ('n' || a) STORED);
      INSERT INTO t (a) VALUES (1), (NULL);
      """)
    let reader = try store.reader()
    let table = try ReadTable(0, of: reader)
    #expect(table.table.columns.map(\.name) == ["a", "b", "c"])
    #expect(table.rows == [["1", "2", "n1"], [nil, nil, nil]])
    #expect(reader.findings.isEmpty)
  }

  /// What the functions give does not depend on the version of the library, and is checked by hand.
  private static let ofJSON: [(expression: String, value: String?)] = [
    ("json_extract(d, '$.name')", "Zoë"), ("d ->> '$.n'", "7"), ("d -> 'name'", #""Zoë""#),
    ("json_extract(d, '$.o')", #"{"x":[1,2.5]}"#), ("json_extract(d, '$.none')", nil),
    ("json_extract(d, '$.n', '$.name')", #"[7,"Zoë"]"#), ("json_valid(d)", "1"),
    ("json_type(d, '$.o.x[1]')", "real"), ("json_array_length(d, '$.o.x')", "2"),
    ("json_array(json_extract(d, '$.o'), d ->> '$.name')", #"[{"x":[1,2.5]},"Zoë"]"#),
    ("json_object('a', json(d ->> '$.o'), 'b', '[1]')", #"{"a":{"x":[1,2.5]},"b":"[1]"}"#),
    ("json_set('{}', '$.a', json_array(1, NULL, 'b'))", #"{"a":[1,null,"b"]}"#),
    ("json_quote(json_remove(d, '$.name', '$.o'))", #"{"n":7}"#),
    ("json_quote(x)", #""aß""#), ("json_patch(d ->> '$.o', '{\"x\":null}')", "{}"),
  ]

  @Test(arguments: ["UTF-8", "UTF-16le"])
  func columnsOfJSONAreRead(encoding: String) throws {
    let columns = Self.ofJSON.enumerated().map { "c\($0) AS (\($1.expression))" }
    let store = try SQLStore(
      """
      PRAGMA encoding = '\(encoding)';
      CREATE TABLE t (d TEXT, x TEXT, \(columns.joined(separator: ", ")));
      CREATE INDEX i ON t(json_extract(d, '$.name')) WHERE json_valid(d);
      INSERT INTO t (d, x) VALUES ('{"name":"Zoë", "n":7, "o":{"x":[1,2.5]}}', 'aß');
      """)
    let reader = try store.reader()
    #expect(reader.findings.isEmpty)
    #expect(
      try ReadTable(0, of: reader).rows.map { Array($0.dropFirst(2)) } == [Self.ofJSON.map(\.value)]
    )
  }

  /// Some values are no JSON, and one gives more than there is room for.
  @Test(arguments: [
    ("'{'", "json_extract(d, '$')"), ("'[1]'", "json_valid(d, d, d)"),
    ("x'31'", "json_array(d)"), ("'1'", "json_array(zeroblob(50000000) || d)"),
  ])
  func columnOfJSONThatFailsIsLeftOutAndTold(value: String, expression: String) throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (d, b AS (d));
      INSERT INTO t (d) VALUES ('[1]'), (\(value));
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, '(d))', '(\(expression.replacing("'", with: "''"))))');
      """)
    let reader = try store.reader()
    #expect(reader.catalogue.tables[0].columns.count == 1)
    #expect(reader.findings.map(\.code) == ["computed-column-left-out"])
  }

  /// The engine writes each column of a chain out twice in the next one.
  @Test(arguments: ["||", "+"])
  func chainThatGrowsWithoutEndIsLeftOutAndTold(_ sign: String) throws {
    let chain = (1...30).map { "c\($0) AS (c\($0 - 1) \(sign) c\($0 - 1))" }
    let store = try SQLStore(
      """
      CREATE TABLE t (c0, \(chain.joined(separator: ", ")), last AS (c0));
      CREATE TABLE other (a);
      INSERT INTO t (c0) VALUES (''), (NULL);
      INSERT INTO other VALUES (1);
      """)
    let reader = try store.reader()
    let table = try #require(reader.catalogue.tables.first { $0.name == "t" })
    #expect((14...25).contains(table.columns.count), "\(table.columns.count)")
    #expect(table.columns.prefix(3).map(\.name) == ["c0", "c1", "c2"])
    #expect(table.columns.last?.name == "last")
    let left = reader.findings.filter { $0.code == "computed-column-left-out" }
    #expect(left.count == 32 - table.columns.count)
    let place = try #require(reader.catalogue.index(ofTable: "t"))
    #expect(try ReadTable(place, of: reader).rows.count == 2)
  }

  /// Sums of many columns, cases of many values and long chains are honest, however many there are.
  @Test(arguments: ["sums", "cases", "chain"]) func columnsOfManyStepsAreRead(_ kind: String) throws
  {
    let sum = (0..<500).map { "c\($0)" }.joined(separator: "+")
    let cases = (0..<150).map { "WHEN \($0) THEN \($0)" }.joined(separator: " ")
    let computed =
      switch kind {
      case "sums": (1...300).map { "g\($0) AS (\(sum))" }
      case "cases": (1...300).map { "g\($0) AS (CASE c0 \(cases) END)" }
      default: (1...900).map { "g\($0) AS (\($0 > 1 ? "g\($0 - 1)" : "c0") + 1)" }
      }
    let columns = (0..<500).map { "c\($0) INTEGER" } + computed
    let store = try SQLStore(
      "CREATE TABLE t (\(columns.joined(separator: ", "))); INSERT INTO t (c0) VALUES (1);")
    let reader = try store.reader()
    #expect(reader.findings.isEmpty)
    #expect(reader.catalogue.tables[0].columns.count == columns.count)
    #expect(try ReadTable(0, of: reader).rows.count == 1)
  }

  /// Columns each of which can be read may be too much for one statement.
  @Test func columnsThatAreTooMuchTogetherAreLeftOutFromTheEnd() throws {
    let chain = (1...14).map { "c\($0) AS (c\($0 - 1) || c\($0 - 1))" }
    let more = (1...60).map { "d\($0) AS (c14)" }
    let store = try SQLStore(
      """
      CREATE TABLE t (c0, \((chain + more).joined(separator: ", ")));
      INSERT INTO t (c0) VALUES ('');
      """)
    let reader = try store.reader()
    let names = reader.catalogue.tables[0].columns.map(\.name)
    #expect(names.starts(with: ["c0", "c1"]) && (15..<75).contains(names.count), "\(names)")
    #expect(reader.findings.count { $0.code == "computed-column-left-out" } == 75 - names.count)
    #expect(try ReadTable(0, of: reader).rows == [names.map { _ in "" }])
  }

  @Test func columnWhoseExpressionFailsIsLeftOutAndTold() throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b AS (a || ''));
      INSERT INTO t (a) VALUES (-9223372036854775808), (3);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a INTEGER, b AS (abs(a)))';
      """)
    let reader = try store.reader()
    #expect(try ReadTable(0, of: reader).rows == [["-9223372036854775808"], ["3"]])
    #expect(reader.findings.map(\.code) == ["computed-column-left-out"])
  }

  // Such columns are in no record, so nothing else bounds what a row of them takes.
  @Test(arguments: [
    "hex(zeroblob(50000000))", "zeroblob(1000000000)", "printf('%.*c', 30000000, 'x')",
  ])
  func columnThatGivesTooMuchIsLeftOutAndTold(_ expression: String) throws {
    let store = try SQLStore(
      """
      CREATE TABLE t (a INTEGER, b AS (\(expression)), c AS (a + 1));
      INSERT INTO t (a) VALUES (1), (2);
      """)
    let reader = try store.reader()
    #expect(try ReadTable(0, of: reader).rows == [["1", "2"], ["2", "3"]])
    #expect(reader.findings.map(\.code) == ["computed-column-left-out"])
  }

  @Test func columnsThatTogetherGiveTooMuchAreLeftOutFromThereOn() throws {
    let columns = (0..<40).map { "g\($0) AS (zeroblob(1000000))" }.joined(separator: ", ")
    let store = try SQLStore("CREATE TABLE t (a, \(columns)); INSERT INTO t (a) VALUES (1)")
    let reader = try store.reader()
    #expect(reader.catalogue.tables[0].columns.count == 1 + 16)
    #expect(reader.findings.count == 24)
  }
}
