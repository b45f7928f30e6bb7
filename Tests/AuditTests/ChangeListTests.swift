import Records
import Testing

@testable import Audit

/// A change of which a replay sends nothing is told as one that cannot be sent.
struct ChangeListTests {
  private func audit(_ situation: AuditSituation, _ known: Finding...) -> StoreAudit {
    StoreAudit(situation.input, known: Findings(known))
  }

  private func expectNothingIsSent(_ situation: AuditSituation) throws {
    let audit = audit(situation)
    #expect(audit.changes.counts[.lost] == 1)
    let effect = try #require(audit.changes.first?.effect)
    #expect(audit.reasonNotToSend(effect) != nil)
    #expect(audit.request(of: effect).hasPrefix("send nothing, because "))
  }

  @Test(arguments: [
    ("c/3", "V"), ("..", "V"), (".", "V"), ("a\\b", "V"), ("a\n", "V"), ("a", "V\u{E9}"),
    ("a", "\r\n"),
  ])
  func whatNoRequestCanCarry(_ id: String, _ version: String) throws {
    var situation = AuditSituation()
    situation.add(.update, item: id, version: version)
    try expectNothingIsSent(situation)
  }

  @Test(arguments: ["a", "\u{FC}", "...", "a b", "a.b"])
  func whatARequestCanCarry(_ id: String) throws {
    var situation = AuditSituation()
    situation.add(.update, item: id)
    let audit = audit(situation)
    #expect(audit.changes.counts[.ready] == 1)
    #expect(audit.reasonNotToSend(try #require(audit.changes.first?.effect)) == nil)
  }

  /// What a device has of an item is what it would send, or else what its last operation is about.
  @Test func changeKnowsAllOfItsOperations() throws {
    var situation = AuditSituation()
    situation.add(.insert, .update, nil, .update)
    situation.queue.operations[3].item = Array(#"{"id":"a","text":"last"}"#.utf8)
    let audit = audit(situation)
    let change = try #require(audit.changes.first)
    #expect(change.sequences == [1, 2, 3, 4])
    #expect(change.first.kind == .insert)
    #expect(audit.item(of: change) == situation.queue.operations[3].item)
    for sequence in [1, 2, 4] as [Int64] {
      #expect(audit.effects.effect(ofOperation: sequence) == change.effect)
    }
    #expect(audit.effects.effect(ofOperation: 3) == nil)
    #expect(audit.effects.effect(ofOperation: 5) == nil)
  }

  @Test func tableThatNoAddressCanName() throws {
    var situation = AuditSituation()
    situation.add(.delete)
    situation.queue.operations[0].table = "../TodoItem"
    try expectNothingIsSent(situation)
  }

  @Test func deleteWhosePayloadCannotBeRead() throws {
    var situation = AuditSituation()
    situation.layout = Layout(named: "azure-mobile-dotnet")
    situation.add(.update, .delete)
    situation.queue.operations[1].item = nil
    situation.queue.operations[1].raw = .text(Array("{\"id\":".utf8))
    try expectNothingIsSent(situation)
  }

  @Test func deleteWithThePayloadOfAnotherItem() throws {
    var situation = AuditSituation()
    situation.add(.delete, item: "A")
    situation.queue.operations[0].itemID = "a"
    #expect(audit(situation).changes.counts[.ready] == 1)
    situation.queue.operations[0].itemID = "b"
    try expectNothingIsSent(situation)
  }

  /// A replay keeps the order on an item: behind what it cannot send, and beside what nobody can
  /// read, it sends nothing.
  @Test func whatAnotherChangeOnTheItemHoldsBack() throws {
    var situation = AuditSituation()
    situation.layout = Layout(named: "azure-mobile-dotnet")
    situation.add(.delete, .insert, .delete, .insert)
    situation.add(.update, item: "b")
    var audit = audit(situation)
    #expect(audit.changes.counts[.lost] == 0 && audit.changes.counts.sendable == 4)
    situation.queue.operations[0].item = Array("{\"id\":\"other\"}".utf8)
    audit = self.audit(situation)
    #expect(audit.changes.counts[.lost] == 3 && audit.changes.counts.sendable == 1)
    for effect in audit.effects.dropFirst().dropLast() {
      #expect(
        audit.reasonNotToSend(effect) == "the change before it on the item cannot be sent")
    }
    // Not what is before it and behind that.
    situation.queue.operations[0].item = Array("{\"id\":\"a\"}".utf8)
    situation.queue.operations[3].raw = .text(Array("{\"id\":".utf8))
    audit = self.audit(situation)
    #expect(audit.changes.counts[.lost] == 2 && audit.changes.counts.sendable == 2)
    #expect(audit.reasonNotToSend(audit.effects[0]) == nil)
    #expect(audit.reasonNotToSend(audit.effects[1])?.contains("cannot be read") == true)
  }

  @Test func rowThatLacksAValue() throws {
    var situation = AuditSituation()
    situation.add(.update)
    situation.facts.attachedWithGaps = [1]
    try expectNothingIsSent(situation)
    situation.add(.delete)
    #expect(audit(situation).changes.counts[.ready] == 1)
  }

  /// What a finding says is to be looked at first is no change that can be sent as it is.
  @Test(arguments: [
    "document-conflict", "conflict-with-downloaded-copy", "conditional-operation",
    "operation-of-older-sdk",
  ])
  func whatIsToBeComparedFirst(_ code: String) throws {
    var situation = AuditSituation()
    situation.add(.update)
    situation.add(.update, item: "b")
    let kind = try #require(FindingCatalogue.kind(code))
    let finding = Finding(
      code, kind.severity, table: "TodoItem", itemID: "b", operation: 2, message: "look first")
    let audit = audit(situation, finding)
    #expect(audit.changes.counts[.decide] == 1 && audit.changes.counts[.ready] == 1)
    let change = try #require(audit.changes.first)
    #expect(change.sequence == 2)
    #expect(audit.questions(about: change) == [kind.title])
    #expect(audit.questions(about: audit.changes[1]) == [])
    #expect(Findings([finding]).ofOpenOperations(in: situation.queue).count == 1)
    situation.queue.operations[1].state = .dropped
    #expect(self.audit(situation, finding).changes.counts[.decide] == 0)
    #expect(Findings([finding]).ofOpenOperations(in: situation.queue).isEmpty)
  }

  @Test func updateThatWouldOverwriteAnything() {
    var situation = AuditSituation()
    situation.add(.update, version: nil)
    #expect(audit(situation).changes.counts[.decide] == 1)
  }

  /// A delete waits for a person where the server still has the item, even with the same fields, and
  /// any other change where the server has deleted it.
  ///
  /// Only the SDK's own mark tells that it has. Else an equal copy settles the change.
  @Test(arguments: [
    (OperationKind.delete, "2016", "", false),
    (.delete, "2016", #","deleted":false"#, false),
    (.delete, "2016", #","deleted":true"#, true), (.delete, "2016", #","__deleted":true"#, false),
    (.delete, "2015", #","deleted":true"#, false), (.delete, "2015", #","__deleted":1"#, true),
    (.delete, "2016", #","deleted":true,"other":2"#, false), (.update, "2016", "", true),
    (.update, "2015", #","deleted":true"#, true), (.update, "2016", #","other":2"#, false),
    (.insert, "2016", "", true), (.insert, "2016", #","deleted":1"#, false),
    (.update, "2016", #","deleted":true"#, false), (.update, "2016", #","deleted":false"#, true),
    (.update, "2015", #","__deleted":true"#, false),
  ])
  func equalCopySettlesWhatIsThereOrDeletedOnBothSides(
    _ kind: OperationKind, _ generation: String, _ rest: String, isSettled: Bool
  ) {
    var situation = AuditSituation()
    situation.generation = generation
    situation.add(kind)
    let device = Array(#"{"id":"a","text":"x","version":"AAAA="}"#.utf8)
    if kind == .delete { situation.queue.operations[0].item = device }
    situation.addError(412)
    situation.queue.errors.updateEach { error in
      error.kind = kind
      error.item = device
      error.serverItem = Array(#"{"id":"a","text":"x","version":"B"\#(rest)}"#.utf8)
    }
    // What is judged is the operation that failed, whatever follows it.
    for _ in 1...2 {
      let audit = audit(situation)
      #expect(audit.changes.counts[isSettled ? .ready : .decide] == 1)
      let finding = audit.findings.first { $0.code == "error-conflict" }
      #expect(finding?.severity == (isSettled ? .note : .warning))
      let isThere = kind == .delete && !isSettled && !rest.contains("other")
      #expect(
        finding?.message.contains("the server still has the item, with the same fields") == isThere)
      let isDeleted = kind != .delete && !isSettled && !rest.contains("other")
      #expect(
        finding?.message.contains("marked its copy as deleted, with the same fields") == isDeleted)
      situation.add(.delete)
    }
  }

  /// A delete that needs no item goes out whatever the server has.
  @Test func deleteBehindAnInsertIsSettledByAnEqualCopy() {
    var situation = AuditSituation()
    situation.add(.insert, .delete)
    situation.addError(412, operation: 2)
    situation.queue.errors.updateEach { error in
      error.kind = .delete
      error.serverItem = Array(#"{"id":"a","version":"B"}"#.utf8)
    }
    let audit = audit(situation)
    #expect(audit.changes.counts[.ready] == 1)
    #expect(audit.findings.first { $0.code == "error-conflict" }?.severity == .note)
  }
}
