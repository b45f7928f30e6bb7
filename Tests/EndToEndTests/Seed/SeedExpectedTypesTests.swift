import Foundation
import TestSupport
import Testing

/// Long plain files are looked at while they are read, and come out as if all had been looked at
/// before, which is what naming the table does.
struct SeedExpectedTypesTests {
  private static let rows = 3_600
  /// Where the surprise is: behind the beginning that is looked at, before the first stretch.
  private static let oddPlace = 410_000
  private static let filling = String(repeating: "abcdefgh", count: 64)

  /// What comes in the midst of a file that nothing before let expect.
  enum Surprise: String, CaseIterable, Sendable {
    case nothing, fraction, text, date, yes, lateValue, fallingKey, newColumn, blankLine, damage,
      endsEarly
  }

  private func text(_ format: String, _ surprise: Surprise) -> String {
    var text = format == "csv" ? "_pk,id,count,price,at,flag,late\n" : ""
    var isToCome = true
    for row in 1...Self.rows {
      let isOdd = isToCome && text.utf8.count > Self.oddPlace
      if isOdd { isToCome = false }
      let line =
        format == "csv"
        ? csv(row, isOdd ? surprise : .nothing) : ndjson(row, isOdd ? surprise : .nothing)
      text += line + "\n"
    }
    return surprise == .endsEarly ? text + (format == "csv" ? "1,\"" : "{\"_pk\":") : text
  }

  private func csv(_ row: Int, _ surprise: Surprise) -> String {
    var fields = [
      "\(row)", "\(row)-\(Self.filling)", "\(row % 97)", "\(Double(row) / 4)",
      "2016-10-01T09:15:30.\(100 + row % 900)Z", row % 2 == 0 ? "true" : "false", "",
    ]
    switch surprise {
    case .nothing, .endsEarly: break
    case .fraction: fields[2] = "1.5"
    case .text: fields[3] = "much"
    case .date: fields[4] = "2016-10-01 09:15"
    case .yes: fields[5] = "yes"
    case .lateValue: fields[6] = "12"
    case .fallingKey: fields[0] = "3"
    case .newColumn: fields.append("x")
    case .blankLine: return "\n" + fields.joined(separator: ",")
    case .damage: fields[1] = "\"a\"b"
    }
    return fields.joined(separator: ",")
  }

  private func ndjson(_ row: Int, _ surprise: Surprise) -> String {
    var (key, count, price) = ("\(row)", "\(row % 97)", "\(Double(row) / 4)")
    var (at, flag) = ("\"2016-10-01T09:15:30.\(100 + row % 900)Z\"", "\(row % 2 == 0)")
    var more = row == 9 ? #","late":null"# : ""
    switch surprise {
    case .nothing, .endsEarly: break
    case .fraction: count = "1.5"
    case .text: price = "\"much\""
    case .date: at = "\"2016-10-01 09:15\""
    case .yes: flag = "\"yes\""
    case .lateValue: more = ",\"late\":12"
    case .fallingKey: key = "3"
    case .newColumn: more = ",\"new\":[1]"
    case .blankLine: key = "\n\(key)"
    case .damage: more = ",\"id\":1"
    }
    return #"{"_pk":\#(key),"id":"\#(row)-\#(Self.filling)","count":\#(count),"price":\#(price),"#
      + #""at":\#(at),"flag":\#(flag)\#(more)}"#
  }

  private func content(_ store: String) throws -> String {
    let script = """
      import hashlib, sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      for query in ("SELECT sql FROM sqlite_master ORDER BY name", "SELECT * FROM Item",
          "SELECT metadata, evidence FROM rehome_source", "SELECT * FROM rehome_column",
          "SELECT * FROM rehome_reject"):
        rows = base.execute(query).fetchall()
        print(len(rows), hashlib.sha256(repr(rows).encode()).hexdigest())
      """
    return try python(script, store)
  }

  @Test(arguments: ["csv", "ndjson"], Surprise.allCases)
  func surprisesChangeNothing(format: String, surprise: Surprise) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("Item.\(format)")
    try text(format, surprise).write(toFile: file, atomically: true, encoding: .utf8)
    let store = folder.path("store.rehome")
    let outcome = await rehome("seed", "--json", file, "-o", store)
    let found = outcome.code == 65 ? "" : try content(store)
    try? FileManager.default.removeItem(atPath: store)
    let expected = await rehome("seed", "--json", "--table", "Item", file, "-o", store)
    #expect(outcome.code == expected.code && outcome.error == expected.error)
    #expect(outcome.output == expected.output)
    guard expected.code != 65 else {
      let damages: [Surprise] = [.damage, .endsEarly, format == "csv" ? .newColumn : .blankLine]
      #expect(damages.contains(surprise))
      return
    }
    #expect(try found == content(store))
  }

  /// Of two troubles, that of the file is told first, however late it comes.
  @Test(arguments: [
    [], ["-o", "there"], ["-o", "no/such/folder/x"],
    ["-o", "new", "--max-rejects", "many"], ["-o", "new", "--drop-unknown"],
    ["-o", "new", "--drop", "Item.none"], ["-o", "new", "-v"],
  ])
  func damageIsToldBeforeOtherTrouble(options: [String]) async throws {
    let folder = try TemporaryFolder()
    try text("csv", .damage).write(
      toFile: folder.path("Item.csv"), atomically: true, encoding: .utf8)
    try "".write(toFile: folder.path("there"), atomically: true, encoding: .utf8)
    func seed(_ more: [String]) throws -> [String] {
      let outcome = try Program.rehome.run(["seed", "Item.csv"] + options + more, in: folder.path)
      return ["\(outcome.code)", outcome.error]
    }
    let expected = try seed(["--table", "Item"])
    #expect(try seed([]) == expected)
    #expect(expected[0] == "65")
    #expect(folder.names == ["Item.csv", "there"])
  }

  /// What only seems to be in a field, where a stretch begins inside of quotes, is nothing.
  @Test func quotedLinesThatLookLikeOtherFieldsAreText() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("T.tsv")
    let rows = (0..<30_000).map { "a\($0)\ttext \($0)\n" }.joined()
    let long = String(repeating: "x\t\\N\n", count: 60_000)
    try "id\tnote\n\(rows)b\t\"\(long)\"\n".write(toFile: file, atomically: true, encoding: .utf8)
    let store = folder.path("store.rehome")
    let outcome = await rehome("seed", "-q", file, "-o", store)
    #expect(outcome.code == 0, "\(outcome.error)")
    let script = """
      import sqlite3, sys
      print(sqlite3.connect(sys.argv[1]).execute("SELECT count(*), max(length(note)) FROM T").fetchall())
      """
    #expect(
      try python(script, store) == "[(30001, 300000)]\n".replacing("300000", with: "\(long.count)"))
  }

  /// What was opened is said where the run ends well, and where it does not.
  @Test(arguments: [[], ["--max-rejects", "0"]])
  func whatWasOpenedIsSaid(limit: [String]) async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("Item.csv")
    try text("csv", .nothing).write(toFile: file, atomically: true, encoding: .utf8)
    let seed = ["seed", "-v", file, "-o", folder.path("new"), "--type", "Item.id=integer"] + limit
    let outcome = await rehome(seed)
    try? FileManager.default.removeItem(atPath: folder.path("new"))
    let expected = await rehome(seed + ["--table", "Item"])
    #expect(outcome.code == expected.code && outcome.code == (limit.isEmpty ? 2 : 3))
    #expect(Set(outcome.error.split(separator: "\n")) == Set(expected.error.split(separator: "\n")))
  }

  /// The type of an id does not change with what the rest of a long file shows.
  @Test func idsOfALongFileStayAsTheyStand() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("Day.csv")
    let script = """
      import datetime, sys
      with open(sys.argv[1], 'w') as file:
        print('id,text', file=file)
        for day in range(3600):
          print(datetime.date(2000, 1, 1) + datetime.timedelta(day), 'x' * 200, sep=',', file=file)
      """
    _ = try python(script, file)
    let store = folder.path("o.rehome")
    let outcome = await rehome("seed", file, "-qo", store)
    #expect(outcome.code == 0, "\(outcome.error)")
    let check = """
      import csv, sqlite3, sys
      rows = [row[0] for row in csv.reader(open(sys.argv[1]))][1:]
      kept = [row[0] for row in sqlite3.connect(sys.argv[2]).execute('SELECT id FROM Day ORDER BY _pk')]
      print(len(rows), rows == kept)
      """
    #expect(try python(check, file, store) == "3600 True\n")
  }
}
