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
    #expect(rules.policy(table: "Todo", operation: .update, situation: .deleted) == .clientWins)
    #expect(rules.policy(table: "Other", operation: .update, situation: .deleted) == .serverWins)
    #expect(rules.policy(table: "Other", operation: .update, situation: .changed) == .stop)
  }

  @Test(arguments: [
    "table,operation,decision\n", "table,operation,situation,decision\nT,upsert,*,skip\n",
    "table,operation,situation,decision\nT,*,*,perhaps\n",
    "table,operation,situation,decision\nT,*,gone,skip\n",
    "table,operation,situation,decision\n\"T,*,*,skip\n",
  ])
  func anythingElseIsAnError(_ text: String) {
    #expect(throws: StoreError.self) {
      var rules = ConflictRules()
      try add(text, to: &rules)
    }
  }

  private func add(_ text: String, to rules: inout ConflictRules) throws {
    let folder = try TemporaryFolder()
    try rules.addTable(at: folder.write(text, to: "rules.csv"))
  }
}
