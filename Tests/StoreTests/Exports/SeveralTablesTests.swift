import Bytes
import Foundation
import Records
import TestSupport
import Testing

@testable import Exports

/// Plain files of several tables, whose rows are asked for in any order.
struct SeveralTablesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let files = [
    ("behind.json", #"{"a":[{"n":1},{"n":2}],"b":[{"n":3}],"c":[]}"#),
    ("among.json", #"{"a":[{"n":1}],"b":[{"n":3}]} {"a":[{"n":2}],"c":[],"b":[]}"#),
    ("behind.xml", "<d><a><n>1</n></a><a><n>2</n></a><b><n>3</n></b><c/></d>"),
    ("among.xml", "<d><a><n>1</n></a><b><n>3</n></b><c/><a><n>2</n></a></d>"),
    ("two.xml", "<d><a><n>1</n></a><b><n>3</n></b><a><n>2</n></a></d>"),
    ("mixed.xml", "<d><a><n>1</n></a><b><n>3</n></b><c/><e/><f/><a><n>2</n></a></d>"),
  ]

  private func file(_ name: String, _ text: String) throws -> PlainFile {
    try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    return try PlainFile(
      path: folder.path(name), format: name.hasSuffix("xml") ? .xml : .json,
      options: PlainOptions())
  }

  private func numbers(_ file: PlainFile, _ place: Int) throws -> [Int64] {
    let columns = file.tables[place].survey.columns
    let table = Table(name: "t", columns: columns)
    let rows = try file.openRows(
      ofTable: place, as: table, rules: columns.map { _ in .common })
    var numbers: [Int64] = []
    var tally = ReadTally(of: table, isHashing: false)
    try rows.forEachBatch(columns: columns.count, &tally, path: file.path) { batch in
      for row in 0..<batch.rowCount { numbers += batch.cells(ofRow: row).map(\.integer) }
    }
    return numbers
  }

  @Test(arguments: files, [[0, 1, 2], [0, 2, 1, 0], [1, 0, 0, 1, 2, 1], [2, 1, 0]])
  func everyTableHasItsRowsWhateverWasReadBefore(
    file: (name: String, text: String), order: [Int]
  ) throws {
    let plain = try self.file(file.name, file.text)
    for place in order where place < plain.tables.count {
      // The row of the third table in XML has no column, and in JSON the table has no row.
      #expect(try numbers(plain, place) == [[1, 2], [3], []][place], "\(file.name) \(place)")
    }
  }

  /// A walk through the file for each table would be twenty million rows.
  @Test func manyTablesAmongEachOtherAreReadInOneGo() throws {
    let clock = ThreadClock()
    let (tables, rows) = (1_500, 9)
    let text = (0..<tables * rows).map { "<t\($0 % tables)><n>\($0)</n></t\($0 % tables)>" }
    let plain = try file("many.xml", "<d>\(text.joined())</d>")
    #expect(plain.tables.count == tables)
    for place in 0..<tables {
      let expected = (0..<rows).map { Int64($0 * tables + place) }
      #expect(try numbers(plain, place) == expected)
    }
    #expect(clock.seconds < 20)
  }

  @Test(arguments: [(1, false), (4, false), (5, true), (2_000, true)])
  func rowsOfMoreThanAFewTablesAreSetAside(tables: Int, isSetAside: Bool) {
    #expect(PlainXMLSpool.pays(forTables: tables) == isSetAside)
  }

  /// A spool of the rows of a file that has five tables among each other.
  private func spool(_ file: PlainFile, among others: SpoolCompany) -> PlainXMLSpool {
    PlainXMLSpool(path: file.path, file.tables, among: others)
  }

  /// The keys of a table's rows from a spool; nil where they are not there.
  private func keys(
    _ spool: PlainXMLSpool, _ file: PlainFile, ofTable place: Int
  ) throws -> [Int64]? {
    let columns = file.tables[place].survey.columns
    let cells = PlainXMLCells(
      of: Table(name: "t", columns: columns), leading: 0, rules: columns.map { _ in .common })
    guard let rows = try spool.rows(ofTable: place, as: cells) else { return nil }
    var batch = RecordBatch(columnCount: columns.count)
    while try rows.fill(&batch) {}
    return batch.keys
  }

  /// Where rows may not be set aside they do not wait in memory either.
  @Test(arguments: [
    (SpoolCompany(files: 0), false), (SpoolCompany(bytes: 10), false),
    (SpoolCompany(bytes: 1 << 20), true),
  ])
  func rowsAreSetAsideWhereThereIsRoom(company: SpoolCompany, isThere: Bool) throws {
    let file = try file("room.xml", Self.files.last?.1 ?? "")
    let spool = spool(file, among: company)
    for place in [0, 1, 4, 0] {
      #expect(
        try keys(spool, file, ofTable: place)?.count == (isThere ? [2, 1, 1, 1, 1][place] : nil))
    }
  }

  /// Of thousands of files each would keep its own to the end of the run.
  @Test func rowsAreGoneOnceTheLastTableIsRead() throws {
    let company = SpoolCompany(files: 1, bytes: 1 << 20)
    let file = try file("gone.xml", Self.files.last?.1 ?? "")
    let spools = (0..<3).map { _ in spool(file, among: company) }
    for spool in spools.dropLast() {
      for place in 0..<5 { #expect(try keys(spool, file, ofTable: place) != nil) }
    }
    #expect(try keys(spools[0], file, ofTable: 0) == [1, 2])
    #expect(try keys(spools[2], file, ofTable: 0) == nil)
  }

  /// What has no value stays so, and keys are the rows' own.
  @Test func rowsAmongOthersKeepTheirValues() throws {
    let xml = """
      <d xmlns:x="http://www.w3.org/2001/XMLSchema-instance">
      <a _pk="3"><n>1</n><s> é </s></a><b n="9"/><a _pk="5"><n x:nil="true"/></a>
      <c/><e/><f/><b n="8"/><a _pk="7"><s></s><n>2</n></a></d>
      """
    let plain = try file("values.xml", xml)
    let columns = plain.tables[0].survey.columns
    let rows = try plain.openRows(
      ofTable: 0, as: Table(name: "a", columns: columns), rules: columns.map { _ in .common })
    var batch = RecordBatch(columnCount: columns.count)
    while try rows.fill(&batch) {}
    #expect(batch.keys == [3, 5, 7])
    let cells = (0..<3).flatMap { batch.cells(ofRow: $0) }
    #expect(cells.map(\.kind) == [.integer, .text, .null, .null, .integer, .text])
    #expect(cells[1].range.count == 4 && cells[5].range.isEmpty)
  }

  /// Each from the beginning, tables would take their number times the size of the file.
  @Test(arguments: files.filter { $0.0.hasPrefix("behind") })
  func tablesInTheirOrderAreReadInOneGo(name: String, text: String) throws {
    let plain = try file(name, text)
    #expect(try numbers(plain, 0) == [1, 2])
    try FileManager.default.removeItem(atPath: plain.path)
    #expect(try numbers(plain, 1) == [3])
    #expect(try numbers(plain, 2) == [])
    #expect(throws: StoreError.self) { try numbers(plain, 0) }
  }
}
