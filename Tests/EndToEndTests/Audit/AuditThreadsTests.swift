import Foundation
import TestSupport
import Testing

/// What an audit finds does not depend on how many threads look, nor on where the parts of a table
/// begin, of which each thread takes some.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct AuditThreadsTests {
  /// Adds rows for several parts to a sample, with trouble all over them, and operations on them.
  private static let plant = """
    import shutil, sqlite3, sys
    shutil.copy(sys.argv[1], sys.argv[2])
    db = sqlite3.connect(sys.argv[2])
    count = 6000

    def identifier(i):
        # Some rows have the id of a row far before them, some of these in capitals.
        if i % 500 == 499 and i > 3500:
            twin = identifier(i - 3000)
            return twin.upper() if i % 1000 == 499 else twin
        return f"{i * 2654435761 % 2**32:08x}-0000-4000-8000-{i:012x}"

    for i in range(count):
        row = dict(Z_PK=i + 10, Z_ENT=5, Z_OPT=1, ZID=identifier(i), ZNOTE="ö" * 125, ZRANK=i,
                   ZVERSION=None if i % 701 == 0 else f"v{i}",
                   ZUPDATEDAT=497000000 + i * 37 % count,
                   ZTASK=100000 + i if i % 811 == 810 else 1, ZDELETED=i % 91 == 0,
                   ZDONE="x" if i % 613 == 612 else i & 1)
        db.execute(f"INSERT INTO ZVISIT ({', '.join(row)}) VALUES ({', '.join('?' for _ in row)})",
                   list(row.values()))
    for number, i in enumerate(range(0, count, 3)):
        name = identifier(i).upper() if i % 2 else identifier(i)
        kind = (0, 1, 1, 2)[number % 4]
        payload = f'{{"type":{kind}}}'
        if kind == 2: payload = f'{{"type":2,"item":{{"id":"{name}","version":"d{i}"}}}}'
        db.execute("INSERT INTO ZMS_TABLEOPERATIONS (Z_ENT, Z_OPT, ZID, ZTABLEKIND, ZITEMID, "
                   "ZTABLE, ZPROPERTIES) VALUES (3, 1, ?, 0, ?, 'Visit', ?)",
                   (1000 + number, name, payload.encode()))
    db.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 100000")
    db.commit()
    """

  /// Reads store and report, and prints where the report is not what the rows say.
  private static let oracle = """
    import collections, json, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    db.row_factory = sqlite3.Row
    store = json.load(open(sys.argv[2]))["stores"][0]
    rows = db.execute("SELECT * FROM ZVISIT ORDER BY Z_PK").fetchall()
    tasks = {key for key, in db.execute("SELECT Z_PK FROM ZTODOITEM")}
    queue = [each for each in store["operations"] if each["table"] == "Visit"]
    exact, folded = {}, {}
    for row in rows:
        exact.setdefault(row["ZID"], row)
        folded.setdefault(row["ZID"].lower(), row)

    def expect(what, actual, expected):
        if actual != expected: print(what, actual, "not", expected)

    def found(code):
        return [each for each in store["findings"]
                if each["code"] == code and each["table"] == "Visit"]

    def told(code):
        words = [word for each in found(code) for word in each["message"].split()]
        return [int(word) for word in words if word.isdigit()]

    visits = db.execute("SELECT * FROM ZMS_TABLEOPERATIONS WHERE ZTABLE = 'Visit'").fetchall()
    expect("operations", len(queue), len(visits))
    for each in queue:
        if each["kind"] == "delete": continue
        row = exact.get(each["itemId"]) or folded[each["itemId"].lower()]
        expect("row", each["item"]["_pk"], row["Z_PK"])
        expect("rank", (each["item"]["rank"], each["item"]["note"]), (row["ZRANK"], row["ZNOTE"]))
        expect("version", each["item"]["version"], row["ZVERSION"])
        if each["kind"] == "update": expect("base", each["baseVersion"], row["ZVERSION"])
    named = {each["itemId"].lower() for each in queue}
    ids = collections.Counter(row["ZID"].lower() for row in rows)
    shared = collections.Counter(each["itemId"].lower() for code in ("duplicate-item-id",
        "item-id-case-twins") for each in found(code))
    expect("shared", set(shared), {id for id in ids if ids[id] > 1})
    expect("unexplained", [each["itemId"] for each in found("row-without-version-or-operation")],
           [row["ZID"] for row in rows if not row["ZVERSION"] and row["ZID"].lower() not in named])
    expect("deleted", told("soft-deleted-rows"), [sum(row["ZDELETED"] or 0 for row in rows)])
    expect("dangling", told("dangling-reference"),
           [sum(1 for row in rows if row["ZTASK"] and row["ZTASK"] not in tasks)])
    expect("odd", told("value-of-wrong-type"), [sum(row["ZDONE"] == "x" for row in rows)])
    print("checked")
    """

  @Test func findingsAndReportsAreThoseOfOneThread() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let store = folder.path("large.sqlite")
    _ = try python(Self.plant, sample.store(), store)
    let (report, files) = try await audit(store, jobs: 1, in: folder)
    for jobs in [2, 3, 5] {
      let other = try await audit(store, jobs: jobs, in: folder)
      #expect(other.report == report, "\(jobs) threads")
      #expect(other.files == files, "\(jobs) threads")
    }
    let path = try folder.write([UInt8](report), to: "report.json")
    #expect(try python(Self.oracle, store, path) == "checked\n")
  }

  /// The report, the list and the page of an audit by so many threads.
  private func audit(
    _ store: String, jobs: Int, in folder: TemporaryFolder
  ) async throws -> (report: Data, files: [String]) {
    let paths = [folder.path("list.csv"), folder.path("page.html")]
    let outcome = await rehome(
      "audit", "--json", "--fail-on", "never", "--force", "--jobs", String(jobs), "--csv", paths[0],
      "--html", paths[1], store)
    #expect(outcome.code == 0, "\(outcome.error)")
    // The page tells when it was made, and by what command.
    let files = try paths.map { path in
      try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        .filter { !$0.contains("Read on") && !$0.contains(">Command<") }.joined(separator: "\n")
    }
    return (outcome.output, files)
  }
}
