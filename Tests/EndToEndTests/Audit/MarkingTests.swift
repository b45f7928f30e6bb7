import Foundation
import TestSupport
import Testing

/// Operations are named one by one, in ranges, or by what they are; a second mark is told.
struct MarkingTests {
  private let folder: TemporaryFolder
  private let store: String

  init() async throws {
    folder = try TemporaryFolder()
    store = folder.path("items.rehome")
    #expect(await rehome("convert", "-q", Sample(name: "ios-2016").store(), "-o", store).code == 0)
  }

  private func dropped() async throws -> [Int] {
    let outcome = await rehome("ops", "list", "--json", "--state", "dropped", store)
    let operations = try #require(
      try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
    return operations.compactMap { $0["sequence"] as? Int }
  }

  private func marks(of sequence: Int) throws -> [String] {
    try python(
      """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute(
              'SELECT mark, who, why FROM rehome_mark WHERE sequence = ? ORDER BY 1 * id',
              (sys.argv[2],)): print(*row)
      """, store, "\(sequence)"
    ).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (["3"], [3]), (["3-5"], [3, 4, 5]), (["3-5,7"], [3, 4, 5, 7]), (["7,3-5", "4"], [3, 4, 5, 7]),
    (["1-8"], [1, 2, 3, 4, 5, 6, 7, 8]), (["2-2", "08"], [2, 8]),
    (["--finding", "error-conflict"], [4]), (["--finding", "error-conflict", "1-3"], []),
    (["--kind", "insert", "2-8"], [2, 3]), (["--table", "Visit"], [2, 8]),
  ])
  func operationsAreNamedInManyWays(words: [String], sequences: [Int]) async throws {
    let outcome = await rehome(["ops", "drop", store] + words)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try await dropped() == sequences)
    if sequences.isEmpty { #expect(outcome.error.contains("nothing was marked")) }
  }

  /// Operations 3 and 6 are about one item, whose row either sends; 5 is a delete, which sends none.
  @Test(arguments: [(["3"], true), (["6", "4"], true), (["3,6"], false), (["4", "5"], false)])
  func itemsThatAreSentAllTheSameAreTold(words: [String], isTold: Bool) async throws {
    for options in [["--dry-run"], ["--dry-run", "--json"], []] {
      let outcome = await rehome(["ops", "drop", store] + words + options)
      #expect(outcome.error.contains("send the row as it stands") == isTold, "\(outcome.error)")
      #expect(!isTold || outcome.error.contains("1 of the items has other operations"))
    }
    let last = await rehome("ops", "drop", store, "1-8")
    #expect(!last.error.contains("send the row as it stands"), "\(last.error)")
    let kept = await rehome("ops", "keep", store, "3")
    #expect(!kept.error.contains("send the row as it stands"), "\(kept.error)")
  }

  /// A delete of the item behind the others sends no row, as long as it is not dropped itself.
  @Test(arguments: [(["3"], false), (["3", "8"], true)])
  func itemsThatAreDeletedInTheEndAreNotTold(words: [String], isTold: Bool) async throws {
    try Devices.execute(
      store,
      """
      UPDATE rehome_operation SET ("table", itemId) = (SELECT "table", itemId FROM rehome_operation
        WHERE sequence = 3), kind = 'delete', item = NULL, rowKey = NULL WHERE sequence = 8;
      """)
    let outcome = await rehome(["ops", "drop", store] + words)
    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(outcome.error.contains("send the row as it stands") == isTold, "\(outcome.error)")
  }

  /// What has its own payload is not sent by another operation.
  @Test(arguments: ["powersync-2025/todos.sqlite", "amplify-ios-2024/TodoApp.db"])
  func droppedPayloadsAreSentByNobody(_ sample: String) async throws {
    let made = folder.path("made.rehome")
    _ = await rehome("convert", "-q", Project.path("samples/\(sample)"), "-o", made)
    let outcome = await rehome("ops", "drop", made, "1")
    #expect(outcome.error.contains("will not be sent"), "\(outcome.error)")
    #expect(!outcome.error.contains("as it stands"), "\(outcome.error)")
  }

  @Test(arguments: ["--who", "--why"], ["", " \t"])
  func emptyWordsAreNoMark(_ option: String, _ text: String) async throws {
    _ = await rehome("ops", "drop", "-q", store, "1")
    let before = try marks(of: 1)
    for command in ["drop", "keep"] {
      let outcome = await rehome("ops", command, store, "1", option, text)
      #expect(outcome.code == 64)
      #expect(outcome.error.contains("\(option) is empty"), "\(outcome.error)")
    }
    #expect(try marks(of: 1) == before)
  }

  /// Sequences are no inputs, of which several have names of their own.
  @Test(arguments: [
    ["show", "1"], ["drop", "3-5", "7"], ["keep", "1,2"], ["list"],
  ])
  func nameForTheTableIsTakenBesideSequences(_ words: [String]) async throws {
    let outcome = await rehome(
      ["ops", words[0], store] + words.dropFirst() + ["--table-name", "X"])
    #expect(outcome.code == 0, "\(outcome.error)")
    // A file that is no plain one is the only input, and not one of several.
    let other = await rehome(["ops", words[0], store] + words.dropFirst() + ["--from", "csv"])
    #expect(other.code == 64 && other.error.contains("no plain file"), "\(other.error)")
  }

  /// What tells only of what waits is told by no command once its operation is dropped.
  @Test func findingOfADroppedOperationIsGone() async throws {
    let (device, own) = (folder.path("own.db"), folder.path("own.rehome"))
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
          CREATE TABLE TodoItem (id TEXT PRIMARY KEY, text TEXT, version TEXT,
            createdAt DATETIME, updatedAt DATETIME, deleted BOOLEAN);
          \(QueueTables.dotNet)
          INSERT INTO TodoItem VALUES('a1', 'new', 'V', NULL, NULL, 0);
          INSERT INTO __operations VALUES('o1', 1, 0, 'TodoItem', 7, 'a1', NULL, NULL, 1, 1);
          ''')
      """, device)
    _ = await rehome("convert", "-q", device, "-o", own)
    let code = "operation-never-pushed"
    for (state, isTold) in [("kept", true), ("dropped", false)] {
      for command in ["inspect", "audit", "find"] {
        let outcome = await rehome(command, "--json", own)
        #expect(outcome.text.contains(code) == isTold, "\(command), \(state)")
      }
      #expect(await rehome("ops", "drop", own, "1").code == 0)
    }
  }

  @Test func tablesAreKnownByTheNamesOfTheirSource() async throws {
    let renamed = folder.path("renamed.rehome")
    let sample = Sample(name: "ios-2016").store()
    _ = await rehome("convert", "-q", "--rename", "TodoItem=Foo", sample, "-o", renamed)
    let expected = await rehome("ops", "list", "--table", "Foo", renamed)
    #expect(expected.code == 0 && expected.text.contains("Foo"))
    #expect(await rehome("ops", "list", "--table", "TodoItem", renamed).text == expected.text)
    let source = await rehome(
      "ops", "list", "--table", "TodoItem", "--rename", "TodoItem=Foo", sample)
    #expect(source.text == expected.text, "\(source.error)")
    let drop = try await rehome("ops", "drop", "-n", "--json", "--table", "TodoItem", renamed)
      .json()
    #expect(drop["sequences"] as? [Int] == [1, 3, 4, 5, 6, 7])
    var plans: [String] = []
    for table in ["Foo", "TodoItem"] {
      let plan = await rehome(
        "replay", "-n", renamed, "--to", "https://a.example", "--table", table)
      #expect(plan.code == 0, "\(plan.error)")
      plans.append(plan.text)
    }
    #expect(plans[0] == plans[1])
  }

  @Test(arguments: [["list"], ["list", "--json"], ["drop"], ["keep", "1-3"]])
  func tableThatIsNotThereIsTold(_ command: [String]) async throws {
    for names in [["Nope"], ["Visit", "todo*"]] {
      let tables = names.flatMap { ["--table", $0] }
      let outcome = await rehome(["ops", command[0], store] + command.dropFirst() + tables)
      #expect(outcome.code == 64)
      #expect(outcome.error.contains("no table matches \(names.last ?? "")"), "\(outcome.error)")
    }
    #expect(try await dropped().isEmpty)
  }

  @Test(arguments: [
    "0", "9", "3-9", "5-3", "-1", "3-", "a", "3,,4", "3,", "1--2", "3-4-5", "99999999999999999999",
    "٣", " 3", "1-9223372036854775807",
  ])
  func wrongNamesMarkNothing(word: String) async throws {
    let outcome = await rehome("ops", "drop", store, "--", word)
    #expect(outcome.code == 64, "\(word)")
    #expect(outcome.error.contains("try:"), "\(outcome.error)")
    #expect(try await dropped() == [])
  }

  @Test func whoNamesNothingIsAskedWhatIsMeant() async throws {
    let outcome = await rehome("ops", "drop", store)
    #expect(outcome.code == 64 && outcome.error.contains("3-7,9"), "\(outcome.error)")
    #expect(await rehome("ops", "drop", store, "--finding", "nothing-such").code == 64)
  }

  /// What is dropped raises no finding, and is kept by the one that it would raise.
  @Test func whatIsDroppedByAFindingIsKeptByIt() async throws {
    for word in ["drop", "keep"] {
      let outcome = try await rehome(
        "ops", word, "--json", "--finding", "error-conflict", store
      ).json()
      #expect(outcome["sequences"] as? [Int] == [4] && outcome["already"] as? [Int] == [])
      #expect(outcome["path"] as? String == store)
      #expect(try await dropped() == (word == "drop" ? [4] : []))
      let arguments = ["ops", "list", "--finding", "error-conflict", "--state", "dropped"]
      let listed = await rehome(arguments + ["--json", store])
      let text = await rehome(arguments + [store])
      #expect(listed.text.contains("\"sequence\":4") == (word == "drop"), "\(listed.text)")
      #expect(text.text.isEmpty == (word == "keep"))
    }
  }

  /// Whatever finding operations were dropped by, what it finds if they are kept is what they were.
  @Test(arguments: Sample.all) func eachFindingKeepsWhatItDropped(_ sample: Sample) async throws {
    let store = folder.path("sample.rehome")
    #expect(await rehome("convert", "-q", sample.store(), "-o", store).code == sample.code)
    let audit = try await rehome("audit", "--json", store).json()
    let stores = try #require(audit["stores"] as? [[String: Any]])
    let findings = try #require(stores.first?["findings"] as? [[String: Any]])
    let codes = Set(findings.filter { $0["operation"] is Int }.compactMap { $0["code"] as? String })
    for code in codes.sorted() {
      var named: [[Int]] = []
      for word in ["drop", "keep"] {
        let outcome = await rehome("ops", word, "--json", "--finding", code, store)
        named.append(try #require(try outcome.json()["sequences"] as? [Int]))
      }
      #expect(named[0] == named[1] && !named[0].isEmpty, "\(code)")
    }
    #expect(sample.name != "datasync-2023" || codes.contains("operation-in-doubt"))
  }

  @Test func whatIsDroppedIsNoTroubleAnyMore() async throws {
    let device = folder.path("older.db")
    _ = try python(
      """
      import sqlite3, sys
      with sqlite3.connect(sys.argv[1]) as db:
          db.executescript('''
              CREATE TABLE note (id TEXT PRIMARY KEY, version TEXT);
              CREATE TABLE __operations (id TEXT PRIMARY KEY, kind INTEGER, state INTEGER,
                tableName TEXT, itemId TEXT, item TEXT, sequence INTEGER, version INTEGER);
              CREATE TABLE __errors (id TEXT PRIMARY KEY, status INTEGER, version INTEGER,
                kind INTEGER, tableName TEXT, item TEXT, rawResult TEXT);
              CREATE TABLE __config (id TEXT PRIMARY KEY, value TEXT);
              INSERT INTO note VALUES ('a1', 'V');
              INSERT INTO __operations VALUES ('0d7c1f0e-5b1a-4f0e-9a51-3c0b6d5f9e01', 2, 0,
                'note', 'a1', NULL, 1, 1);''')
      """, device)
    let (store, code) = (folder.path("older.rehome"), "operation-of-older-sdk")
    _ = await rehome("convert", "-q", device, "-o", store)
    #expect(await rehome("audit", store).text.contains(code))
    #expect(await rehome("ops", "drop", "-q", "--finding", code, store).code == 0)
    let audit = await rehome("audit", store)
    #expect(audit.code == 0 && !audit.text.contains(code), "\(audit.text)")
    #expect(await rehome("ops", "keep", "-q", "--finding", code, store).code == 0)
    #expect(await rehome("audit", store).text.contains(code))
  }

  @Test func operationIsNamedByTheIDOfTheSDK() async throws {
    let listed = await rehome("ops", "list", "--json", store)
    let operations = try #require(
      try JSONSerialization.jsonObject(with: listed.output) as? [[String: Any]])
    let original = try #require(operations[2]["originalId"] as? String)
    #expect(await rehome("ops", "drop", "--original-id", original, store).code == 0)
    #expect(try await dropped() == [3])
    #expect(await rehome("ops", "keep", store, "1-3", "--original-id", original).code == 0)
    #expect(try await dropped() == [])
    let missing = await rehome("ops", "drop", "--original-id", "none", store)
    #expect(missing.code == 64 && missing.error.contains("no operation with the id none"))
    let one = await rehome("ops", "list", "--original-id", original, store)
    #expect(one.text.split(separator: "\n").count == 2, "\(one.text)")
  }

  @Test func secondMarkIsToldAndNotRepeated() async throws {
    #expect(await rehome("ops", "drop", "--who", "Ann", store, "3").code == 0)
    let second = await rehome("ops", "drop", store, "3,4")
    #expect(second.code == 0)
    #expect(second.error.contains("1 operation of"))
    #expect(second.error.contains("operation 3 was dropped already (dropped 20"), "\(second.error)")
    #expect(second.error.contains("by Ann"))
    #expect(try marks(of: 3) == ["drop Ann None"])
    let report = try await rehome("ops", "drop", "--json", store, "3-5").json()
    #expect(report["already"] as? [Int] == [3, 4] && report["sequences"] as? [Int] == [3, 4, 5])
    let reason = await rehome("ops", "drop", "--who", "Bob", "--why", "case 1", store, "3")
    #expect(
      reason.error.contains("was dropped already") && reason.error.contains("reason is added"))
    #expect(try marks(of: 3) == ["drop Ann None", "drop Bob case 1"])
    let kept = await rehome("ops", "keep", store, "8")
    #expect(kept.code == 0 && kept.error == "operation 8 was not dropped\n")
    #expect(await rehome("ops", "drop", "-q", store, "3").error.isEmpty)
  }

  /// A person's mark undoes a person's mark, and not what a server and the rules have come to.
  @Test func whatTheRulesOfAReplayDroppedIsNotTakenBack() async throws {
    try ReplayedStore.addJournal(to: store, outcomeOf4: "dropped")
    #expect(await rehome("ops", "drop", "-q", "--who", "Ann", store, "5").code == 0)
    #expect(try await dropped() == [4, 5])
    let dry = await rehome("ops", "keep", "--state", "dropped", "-n", store)
    #expect(dry.error.contains("could be sent"), "\(dry.error)")
    let kept = await rehome("ops", "keep", "--state", "dropped", store)
    #expect(kept.code == 0)
    #expect(kept.error.contains("1 operation of "), "\(kept.error)")
    #expect(
      kept.error.contains(
        "operation 4 was dropped by the rules of a replay to https://a.example, which no mark "
          + "undoes"), "\(kept.error)")
    #expect(!kept.error.contains("was not dropped"))
    #expect(try marks(of: 4).isEmpty && marks(of: 5).count == 2)
    let report = try await rehome("ops", "keep", "--json", store, "4").json()
    #expect(report["givenUp"] as? [Int] == [4] && report["already"] as? [Int] == [])
  }

  /// What the manual says is the default holds where no variable tells the name, too.
  @Test func markHasTheNameOfTheUser() throws {
    let name = try python("import os, pwd; print(pwd.getpwuid(os.geteuid()).pw_name)")
      .trimmingCharacters(in: .newlines)
    #expect(try Program.rehome.run(["ops", "drop", store, "1"]).code == 0)
    #expect(try marks(of: 1) == ["drop \(name) None"])
    let variables = ["USER": "somebody"]
    #expect(try Program.rehome.run(["ops", "drop", store, "2"], variables: variables).code == 0)
    #expect(try marks(of: 2) == ["drop somebody None"])
  }

  @Test func dryRunOfAReplayCountsWhatIsDropped() async throws {
    #expect(await rehome("ops", "drop", "-q", store, "1-2").code == 0)
    for target in [["--to", "https://example.net"], []] {
      let shown = await rehome(["replay", store, "--dry-run"] + target)
      #expect(shown.code == 0, "\(shown.error)")
      #expect(shown.text.contains(", 2 dropped, 0 done before; nothing was sent"), "\(shown.text)")
      #expect(shown.text.contains(" to https") == !target.isEmpty)
      let plan = try await rehome(["replay", store, "--dry-run", "--json"] + target).json()
      #expect(plan["dropped"] as? Int == 2 && plan["done"] as? Int == 0)
      #expect(plan["target"] as? String == target.last)
    }
    for options in [
      [], ["--plan", folder.path("p.json")], ["--plan", folder.path("p.json"), "-n"],
    ] {
      let outcome = await rehome(["replay", store] + options)
      #expect(outcome.code == 64 && outcome.error.contains("--to"), "\(outcome.error)")
    }
  }
}
