import Foundation
import TestSupport
import Testing

/// The audit as text, CSV and page says what its JSON says.
@Suite(.enabled(if: SystemProgram.python.isInstalled, "python3 is not installed"))
struct AuditOutputTests {
  /// Reads the CSV and the JSON and prints where they differ.
  private static let csvOracle = """
    import csv, json, sys
    report = json.load(open(sys.argv[1]))["stores"]
    rows = list(csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8")))
    wanted = [(store, each) for store in report for each in store["operations"]]
    if len(rows) != len(wanted): print(len(rows), "records, not", len(wanted))
    def text(value): return "" if value is None else str(value)
    def plain(value): return value[1:] if value[:1] == "'" else value
    for row, (store, each) in zip(rows, wanted):
        for name in ("sequence", "table", "itemId", "kind", "state", "baseVersion", "originalId"):
            if plain(row[name]) != text(each[name]): print(name, row[name], "not", each[name])
        if row["store"] != store["path"]: print("store", row["store"])
        item = json.loads(row["item"]) if row["item"] else None
        if item != each["item"]: print("item", row["item"], "not", each["item"])
        words = [e["message"] for e in store["errors"]
                 if e["operation"] == each["sequence"] and e["message"]]
        if plain(row["message"]) != "; ".join(words): print("message", row["message"], words)
        codes = {f["code"] for f in store["findings"] if f["operation"] == each["sequence"]}
        if set(row["findings"].split()) != codes: print("findings", row["findings"], codes)
    print("checked")
    """

  @Test(arguments: Sample.all)
  func listForASpreadsheetSaysWhatTheReportSays(of sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let list = folder.path("list.csv")
    let outcome = await rehome(
      "audit", "--json", "--fail-on", "never", "--csv", list, sample.store())
    #expect(outcome.code == 0)
    let report = try folder.write([UInt8](outcome.output), to: "report.json")
    #expect(try python(Self.csvOracle, report, list) == "checked\n")
  }

  /// A spreadsheet shows each field of the list as the text that the list without the option has.
  @Test(arguments: Sample.all)
  func listForASpreadsheetHasTheSameFields(of sample: Sample) async throws {
    let folder = try TemporaryFolder()
    let (list, plain) = (folder.path("list.csv"), folder.path("plain.csv"))
    let audit = ["audit", "-q", "--fail-on", "never", sample.store(), "--csv"]
    #expect(await rehome(audit + [list, "--for", "excel"]).code == 0)
    #expect(await rehome(audit + [plain]).code == 0)
    let script = """
      import csv, sys
      files = [open(path, newline="", encoding="utf-8").read() for path in sys.argv[1:]]
      if files[0][0] != "\\ufeff": print("no byte order mark")
      def shown(field):
          return field[2:-1] if field[:2] == '="' else field[1:] if field[:1] == "'" else field
      rows = [
          [[shown(field) for field in row] for row in csv.reader(text.lstrip("\\ufeff").splitlines(True))]
          for text in files]
      print("checked" if rows[0] == rows[1] else "other fields")
      """
    #expect(try python(script, list, plain) == "checked\n")
  }

  @Test func idsAreNoDatesOnAListForASpreadsheet() async throws {
    let folder = try TemporaryFolder()
    let sample = try #require(Sample.all.first { $0.name == "datasync-2023" })
    let store = sample.store(in: try folder.copy(of: sample))
    _ = try python(
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute("UPDATE __operations SET itemId = '3-4' WHERE itemId = 'a1'")
      store.execute("UPDATE __operations SET itemId = '=1+1' WHERE itemId <> '3-4'")
      store.commit()
      """, store)
    let audit = ["audit", "-q", "--fail-on", "never", store, "--csv", "-"]
    #expect(await rehome(audit + ["--for", "excel"]).text.contains(#","=""3-4""","#))
    let plain = await rehome(audit).text
    #expect(plain.contains(",3-4,") && plain.contains(#","'=1+1","#), "\(plain)")
  }

  @Test func onlyListsAreForASpreadsheet() async throws {
    let sample = try #require(Sample.all.first)
    let outcome = await rehome("audit", sample.store(), "--for", "excel")
    #expect(outcome.code == 64 && outcome.error.contains("--csv"), "\(outcome.error)")
  }

  @Test(arguments: ["--csv", "--html"])
  func aDashStandsForStandardOutput(option: String) async throws {
    let folder = try TemporaryFolder()
    let (sample, file) = (try #require(Sample.all.first), folder.path("output"))
    let audit = ["audit", "--fail-on", "never", sample.store(), option]
    #expect(await rehome(audit + [file]).code == 0)
    let stream = await rehome(audit + ["-"])
    #expect(stream.code == 0)
    // The page tells when it was made, and by which command.
    let left = try String(contentsOfFile: file, encoding: .utf8).replacing(file, with: "-")
    let right = stream.text
    #expect(option == "--csv" ? left == right : abs(left.utf8.count - right.utf8.count) < 80)
    #expect(await rehome(audit + ["-", "--json"]).code == 64)
    #expect(await rehome(audit + ["-", "--csv", "-", "--html", "-"]).code == 64)
  }

  @Test(arguments: Sample.all)
  func textNamesEveryOperationAndFinding(of sample: Sample) async throws {
    let report = try await rehome("audit", "--json", "--fail-on", "never", sample.store()).json()
    let store = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    let text = await rehome("audit", "--fail-on", "never", sample.store()).text
    for operation in try #require(store["operations"] as? [[String: any Sendable]]) {
      let id = operation["itemId"] as? String ?? ""
      #expect(text.contains(id.prefix(30)))
    }
    for finding in try #require(store["findings"] as? [[String: any Sendable]]) {
      #expect(text.contains("[\(finding["code"] as? String ?? "?")]"))
    }
  }

  /// A status of 409 or 412, or the server's copy, is a conflict, whatever SDK wrote it down.
  @Test(arguments: Sample.all)
  func conflictsAreConflictsOfEverySDK(sample: Sample) async throws {
    let report = try await rehome("audit", "--json", "--fail-on", "never", sample.store()).json()
    let store = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    for error in try #require(store["errors"] as? [[String: any Sendable]]) {
      let status = error["status"] as? Int
      let isShown = status == nil && !(error["serverItem"] is NSNull)
      let isConflict = status == 409 || status == 412 || isShown
      #expect((error["cause"] as? String == "conflict") == isConflict, "\(error)")
    }
    let text = await rehome("audit", "--fail-on", "never", sample.store()).text
    #expect(!text.contains("passing trouble"), "\(text)")
  }

  @Test func textTellsWhatAReplayWouldDo() async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let text = await rehome("audit", "--fail-on", "never", sample.store()).text
    for words in [
      "1 needs a decision, 1 cannot be sent, 5 can be sent",
      "“The server's version did not match the passed version”",
      "text: here mine, on the server theirs",
      "a replay would delete the item, only if the server's version is still AAAAAAAAB9M=",
      "text: Größe prüfen; complete: false", "the row that it would send is gone",
    ] { #expect(text.contains(words), "\(words)") }
    let page = await rehome("ops", "show", sample.store(), "5").text
    #expect(page.contains("a replay would: delete the item, only if"), "\(page)")
  }

  /// What the app noted is told apart from what a replay came to, and is no problem once it is settled.
  @Test(arguments: [("applied", true), ("conflict", false)])
  func failuresThatAReplayHasSettledAreToldAsThat(_ outcome: String, isSettled: Bool) async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("made.rehome")
    _ = await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store)
    let before = await rehome("audit", store).text
    #expect(before.contains("\nFailures\n") && !before.contains("settled by a replay"), "\(before)")
    try ReplayedStore.addJournal(to: store, outcomeOf4: outcome)
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.execute('DELETE FROM rehome_operation WHERE sequence != 4')
          db.execute('DELETE FROM rehome_error WHERE operation != 4')
          db.execute('DELETE FROM rehome_replay WHERE sequence != 4')
          for table in ['TodoItem', 'Visit']:
              db.execute(f'DELETE FROM {table} WHERE version IS NULL')
      """, store)
    let text = await rehome("audit", store).text
    #expect(text.contains("Failures that the app had noted"), "\(text)")
    #expect(text.contains("of these settled by a replay since") == isSettled, "\(text)")
    let all = await rehome("audit", "--only-problems", "--fail-on", "never", store)
    #expect(all.error.contains("1 store without problems is left out") == isSettled, "\(all.error)")
  }

  /// The line of those that are settled is about the lines before it.
  @Test func settledFailuresAreToldBeforeThoseOfOtherOperations() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path("made.rehome")
    _ = await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store)
    try ReplayedStore.addJournal(to: store, outcomeOf4: "applied")
    try Devices.execute(store, "UPDATE rehome_error SET operation = NULL WHERE operation != 4")
    let text = await rehome("audit", "--fail-on", "never", store).text
    let settled = try #require(text.range(of: "of these settled by a replay since"))
    let others = try #require(text.range(of: "of operations that are gone or changed"))
    #expect(settled.lowerBound < others.lowerBound, "\(text)")
  }

  @Test func storesWithoutProblemsCanBeLeftOut() async throws {
    let folder = try TemporaryFolder()
    let fine = try folder.write("a,b\n1,2\n3,4\n", to: "fine.csv")
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" }).store()
    let audit = ["audit", "--only-problems", "--fail-on", "never"]
    let report = try await rehome(audit + ["--json", fine, sample]).json()
    let stores = try #require(report["stores"] as? [[String: any Sendable]])
    #expect(stores.compactMap { $0["path"] as? String } == [sample])
    let text = await rehome(audit + [fine, sample])
    #expect(!text.text.contains("fine.csv") && text.error.contains("1 store without problems"))
    let page = folder.path("page.html")
    #expect(await rehome(audit + ["-q", "--html", page, fine, sample]).code == 0)
    let html = try #require(folder.text("page.html"))
    #expect(html.contains("<h1>2 stores</h1>") && html.contains("1 store without problems is left"))
    #expect(await rehome("audit", fine).text.contains("has no queue of changes"))
    // What waits where nothing is wrong is not taken for nothing.
    let waiting = Sample(name: "watermelon-2024").store()
    let others = await rehome(audit + ["--html", page, "-f", waiting, fine])
    #expect(others.error.contains("left out; 4 operations wait there"), "\(others.error)")
    let words = try #require(folder.text("page.html"))
    #expect(words.contains("left out; 4 operations wait there"), "\(words.prefix(3000))")
    #expect(!words.contains("Nothing waits"))
    // That something may be missing is told beside it.
    let lost = folder.path("lost.db")
    _ = try python(
      """
      import shutil, sqlite3, sys
      with sqlite3.connect(sys.argv[1] + '.tmp') as db:
          db.execute('PRAGMA journal_mode = wal')
          db.execute('CREATE TABLE local_storage (key varchar(16) PRIMARY KEY NOT NULL, value text)')
          db.execute('CREATE TABLE tasks (id PRIMARY KEY, _changed, _status, name)')
          db.commit()
          db.execute('PRAGMA wal_checkpoint(truncate)')
          shutil.copy(sys.argv[1] + '.tmp', sys.argv[1])
      """, lost)
    #expect(await rehome(audit + ["-q", "--html", page, "-f", waiting, lost]).code == 0)
    let lead = "nothing waits. But changes may be missing in 1 store: see the findings. 1 store"
    #expect(folder.text("page.html")?.contains(lead) == true)
    // A list of nothing still has its header, as one of anything else.
    let list = await rehome(audit + ["-q", "--csv", "-", fine]).text
    #expect(list.hasPrefix("store,sequence,") && list.hasSuffix(",replay,message\r\n"))
  }

  @Test func textTellsWhetherTheRowIsThere() async throws {
    let sample = try #require(Sample.all.first { $0.name == "ios-2016" })
    let report = try await rehome("audit", "--json", "--fail-on", "never", sample.store()).json()
    let store = try #require((report["stores"] as? [[String: any Sendable]])?.first)
    let operations = try #require(store["operations"] as? [[String: any Sendable]])
    let text = await rehome("audit", "--fail-on", "never", sample.store()).text
    for operation in operations {
      let sequence = operation["sequence"] as? Int ?? 0
      let kind = operation["kind"] as? String ?? "?"
      let line = try #require(
        text.split(separator: "\n").first { $0.hasPrefix("\(sequence)  \(kind)") })
      let wanted =
        operation["kind"] as? String == "delete"
        ? "payload" : operation["item"] is NSNull ? "none" : "here"
      #expect(line.hasSuffix(wanted), "\(line)")
    }
  }

  @Test func pageOfSeveralStoresBeginsWithTheWorst() async throws {
    let folder = try TemporaryFolder()
    let page = folder.path("audit.html")
    let stores = Sample.all.map { $0.store() }
    let outcome = await rehome(["audit", "-q", "--fail-on", "never", "--html", page] + stores)
    #expect(outcome.code == 0)
    let html = try #require(folder.text("audit.html"))
    let overview = try #require(html.firstRange(of: "Stores, worst first"))
    let rows = html[overview.upperBound...]
    for number in 1...stores.count { #expect(rows.contains("href=\"#store-\(number)\"")) }
    let names = rows.split(separator: "<th scope=row><a href=\"#store-").dropFirst()
    #expect(names.first?.contains("ios-2016") == true)
  }
}
