import Bytes
import Records
import TestSupport
import Testing

@testable import Replay

struct ConflictRulesTests {
  @Test func firstLineThatFitsDecides() throws {
    var rules = ConflictRules(.stop)
    try add(
      "table,operation,situation,decision\nTodo,update,*,client-wins\n*,*,deleted,server-wins\n",
      to: &rules)
    #expect(rules.policy(for: try step("Todo"), .deleted) == .clientWins)
    #expect(rules.policy(for: try step("Other"), .deleted) == .serverWins)
    #expect(rules.policy(for: try step("Other"), .changed) == .stop)
  }

  @Test func tableCountsWhateverADeviceCallsIt() throws {
    let step = try step("Todo", names: SentNames(tables: [1: "todo"]))
    #expect(step.table == "todo")
    for (table, policy) in [
      ("Todo", ConflictPolicy.serverWins), ("todo", .serverWins), ("TODO", .clientWins),
    ] {
      var rules = ConflictRules(.clientWins)
      try add("table,operation,situation,decision\n\(table),*,*,server-wins\n", to: &rules)
      #expect(rules.policy(for: step, .changed) == policy, "\(table)")
    }
  }

  @Test func tableOfASpreadsheetIsRead() throws {
    var rules = ConflictRules()
    try add(
      "\u{FEFF}table,operation,situation,decision\r\nTodo,*,*,server-wins\r\n\r\n", to: &rules)
    #expect(rules.policy(for: try step("Todo"), .changed) == .serverWins)
    #expect(rules.tables == ["Todo"])
  }

  private func step(_ table: String, names: SentNames = SentNames()) throws -> ReplayStep {
    var update = operation(1, .update, version: "V")
    update.table = table
    return try #require(ReplayPlan([update], names: names)[0])
  }

  @Test(arguments: [
    ("T,upsert,*,skip", "'upsert' is no operation", "insert, update, delete, * for all"),
    ("T,*,gone,skip", "'gone' is no situation", "changed, deleted, exists, * for all"),
    ("T,*,*,*", "'*' is no decision", "stop, skip, client-wins, server-wins, newest"),
  ])
  func wrongWordIsToldWithTheRightOnes(line: String, words: String, hint: String) throws {
    var rules = ConflictRules()
    let error = #expect(throws: StoreError.self) {
      try add("table,operation,situation,decision\nT,*,*,skip\n\(line)\n", to: &rules)
    }
    #expect(error?.message == "line 3: \(words)")
    #expect(error?.hint == "it is one of " + hint)
  }

  @Test(arguments: [
    "table,operation,decision\n", "table,operation,situation,decision\nT,upsert,*,skip\n",
    "table,operation,situation,decision\nT,*,*,perhaps\n",
    "table,operation,situation,decision\nT,*,gone,skip\n",
    "table,operation,situation,decision\n\"T,*,*,skip\n",
    "table,operation,situation,decision\nT,*,skip\n", "", "\u{FEFF}", "\n\n",
    "table,operation,situation,decision\nT,*,*,skip,x\n",
  ])
  func anythingElseIsAnError(_ text: String) {
    let error = #expect(throws: StoreError.self) {
      var rules = ConflictRules()
      try add(text, to: &rules)
    }
    #expect(error?.kind == .usage)
  }

  /// No option of a replay says how a truth table is written.
  @Test(arguments: [
    Array("T\u{FC},*,*,skip".unicodeScalars.map { UInt8($0.value) }), Array("T,*".utf8),
  ])
  func hintNamesNoOptionOfOtherFiles(_ line: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let text = Array("table,operation,situation,decision\n".utf8) + line
    let path = try folder.write(text, to: "rules.csv")
    let error = #expect(throws: StoreError.self) {
      var rules = ConflictRules()
      try rules.addTable(at: path)
    }
    #expect(error?.hint?.contains("UTF-8") == true)
    #expect(error?.hint?.contains("--") == false)
  }

  /// A line may decide by the newer change, or end the run, where all others do not.
  @Test(arguments: [ConflictPolicy.newest, .stop, .skip])
  func policyOfOneLineIsKnown(_ policy: ConflictPolicy) throws {
    var rules = ConflictRules()
    try add("table,operation,situation,decision\nT,*,*,\(policy.rawValue)\n", to: &rules)
    #expect(rules.asksForNewest == (policy == .newest) && rules.mayStop == (policy == .stop))
    let fallback = ConflictRules(policy)
    #expect(fallback.asksForNewest == (policy == .newest) && fallback.mayStop == (policy == .stop))
  }

  private func add(_ text: String, to rules: inout ConflictRules) throws {
    let folder = try TemporaryFolder()
    try rules.addTable(at: folder.write(text, to: "rules.csv"))
  }
}
