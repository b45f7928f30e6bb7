import Foundation
import TestSupport
import Testing

/// A plan is carried out only while it is what would be done.
struct ReplayPlanTests {
  private func planned() async throws -> (rehearsal: Rehearsal, plan: String, store: String) {
    let rehearsal = try await Rehearsal(operations: 6)
    let store = rehearsal.folder.path("own.rehome")
    let plan = rehearsal.folder.path("plan.json")
    #expect(await rehome("convert", "-q", rehearsal.device, "-o", store).code == 0)
    let outcome = await rehome(
      "replay", "-q", store, "--to", rehearsal.server, "--plan", plan)
    try #require(outcome.code == 0, "\(outcome.error)")
    return (rehearsal, plan, store)
  }

  private func carryOut(_ plan: String, _ store: String, _ rehearsal: Rehearsal) async -> Int32 {
    await rehome("replay", "-q", store, "--to", rehearsal.server, "--from-plan", plan).code
  }

  @Test func planListsRequestsWithConditionAndBody() async throws {
    let (rehearsal, plan, _) = try await planned()
    let text = try python(
      """
      import json, sys
      plan = json.load(open(sys.argv[1]))
      print(plan['format'], plan['dialect'], plan['onConflict'], len(plan['content']),
          [(s['method'], s['path'], s['condition'], s['sequences']) for s in plan['steps'][:3]],
          plan['steps'][1]['body']['text'], plan['held'])
      """, plan)
    #expect(
      text == """
        1 v2 skip 64 [('POST', 'tables/TodoItem', None, [1]), \
        ('PATCH', 'tables/TodoItem/item-000001', '"AAAAAAA00001="', [2]), \
        ('DELETE', 'tables/TodoItem/item-000002', '"AAAAAAA00002="', [3])] text 1 []

        """)
    #expect(rehearsal.folder.names.contains("plan.json"))
  }

  @Test(arguments: ["--map", "--table"])
  func tableThatNobodyKnowsIsAMistake(_ option: String) async throws {
    let rehearsal = try await Rehearsal(operations: 3)
    let name = option == "--map" ? "TodoItm=Other" : "TodoItm"
    for target in ["https://a.example", rehearsal.server] {
      let outcome = await rehome(
        "replay", rehearsal.device, "--to", target, option, name, "--dry-run")
      #expect(outcome.code == 64)
      #expect(
        outcome.error.hasSuffix("no table matches TodoItm\n  try: the tables are: TodoItem\n"),
        "\(outcome.error)")
    }
    #expect(await rehearsal.replay(option, name).code == 64)
    let chosen = await rehearsal.replay("--dry-run", "--table", "TodoItem", "--map", "TodoItem=x")
    #expect(chosen.code == 0, "\(chosen.error)")
  }

  @Test func doubtAboutSeveralOperationsIsToldOnce() async throws {
    let rehearsal = try await Rehearsal(operations: 6)
    try rehearsal.alter(
      rehearsal.device,
      """
      UPDATE __operations SET itemId = 'item-000001', kind = 1;
      UPDATE TodoItem SET version = NULL;
      """)
    let plan = try await rehome("replay", "--dry-run", "--json", rehearsal.device).json()
    let steps = try #require(plan["steps"] as? [[String: any Sendable]])
    #expect((steps.first?["sequences"] as? [Int])?.count == 6)
    let doubts = try #require(steps.first?["doubts"] as? [String])
    #expect(doubts.contains("update-without-version"))
    #expect(Set(doubts).count == doubts.count)
  }

  @Test func unchangedPlanIsCarriedOutAndGoneOnWith() async throws {
    let (rehearsal, plan, store) = try await planned()
    #expect(await carryOut(plan, store, rehearsal) == 0)
    #expect(try rehearsal.wrongItems() == 0)
    #expect(await carryOut(plan, store, rehearsal) == 0)
  }

  @Test func changedStoreIsRefused() async throws {
    let (rehearsal, plan, store) = try await planned()
    try rehearsal.alter(store, "UPDATE TodoItem SET text = 'later' WHERE _pk = 1")
    #expect(await carryOut(plan, store, rehearsal) == 65)
    #expect(try rehearsal.wrongItems() == 6)
  }

  @Test func changedQueueIsRefused() async throws {
    let (rehearsal, plan, store) = try await planned()
    #expect(await rehome("ops", "drop", "-q", store, "1").code == 0)
    #expect(await carryOut(plan, store, rehearsal) == 65)
  }

  @Test func changedPlanIsRefused() async throws {
    let (rehearsal, plan, store) = try await planned()
    let text = try String(contentsOfFile: plan, encoding: .utf8)
    try text.replacing("text 1", with: "text 9").write(
      toFile: plan, atomically: true, encoding: .utf8)
    #expect(await carryOut(plan, store, rehearsal) == 65)
  }

  @Test func fileThatIsNoPlanIsToldAsThat() async throws {
    let (rehearsal, _, store) = try await planned()
    let file = try rehearsal.folder.write("{}", to: "other.json")
    let outcome = await rehome("replay", store, "--to", rehearsal.server, "--from-plan", file)
    #expect(outcome.code == 65 && outcome.error.contains("it is no plan"), "\(outcome.error)")
  }

  @Test func replayWithoutThePlanMakesItOld() async throws {
    let (rehearsal, plan, store) = try await planned()
    #expect(await rehome("replay", "-q", store, "--to", rehearsal.server).code == 0)
    #expect(await carryOut(plan, store, rehearsal) == 65)
  }
}
