import Bytes
import Records
import Testing

@testable import Audit

/// What makes each rule speak, beginning with a store in which none does.
private let situations: [(code: String, make: @Sendable (inout AuditSituation) -> Void)] = [
  (
    "operation-without-row",
    {
      $0.add(.update)
      $0.queue.operations[0].rowKey = nil
    }
  ),
  (
    "operation-without-value",
    {
      $0.add(.update)
      $0.facts.attachedWithGaps = [1]
    }
  ),
  (
    "operation-for-unknown-table",
    {
      $0.add(.update)
      $0.queue.operations[0].table = "Gone"
      $0.queue.operations[0].rowKey = nil
    }
  ),
  (
    "operation-without-target",
    {
      $0.add(.update)
      $0.queue.operations[0].itemID = nil
    }
  ),
  (
    "row-without-version-or-operation",
    {
      $0.facts.unexplainedRows = 1
      $0.facts.unexplainedIDs = ["b"]
    }
  ),
  ("update-without-version", { $0.add(.update, version: nil) }),
  (
    "delete-without-item",
    {
      $0.add(.delete)
      $0.queue.operations[0].item = nil
    }
  ),
  (
    "delete-without-item",
    {
      $0.add(.delete, version: nil)
      $0.queue.operations[0].item = Array("{ }".utf8)
    }
  ),
  ("delete-without-version", { $0.add(.delete, version: nil) }),
  ("undecodable-operation", { $0.add(nil) }),
  (
    "unknown-operation-kind",
    {
      $0.add(nil)
      $0.queue.operations[0].originalCode = "7"
    }
  ),
  (
    "operation-kind-in-string",
    {
      $0.add(.update)
      $0.queue.operations[0].originalCode = "\"1\""
    }
  ),
  (
    "duplicate-operation-id",
    {
      $0.add(.update)
      $0.add(.update, item: "b")
      $0.queue.operations[1].originalID = "1"
    }
  ),
  (
    "odd-operation-id",
    {
      $0.add(.update)
      $0.queue.operations[0].originalID = "-1"
    }
  ),
  ("several-operations-for-item", { $0.add(.update, .update) }),
  ("insert-then-delete", { $0.add(.insert, .delete) }),
  ("insert-after-pending", { $0.add(.update, .insert) }),
  ("operation-after-delete", { $0.add(.delete, .update) }),
  (
    "insert-already-on-server",
    {
      $0.add(.insert)
      $0.facts.attachedWithVersion = [1]
    }
  ),
  (
    "operation-in-doubt",
    {
      $0.add(.update)
      $0.queue.operations[0].state = .attempted
    }
  ),
  ("error-without-operation", { $0.addError(409, operation: nil) }),
  (
    "deleted-item-left",
    {
      $0.queue.errors.append(OperationError.deletedItem)
    }
  ),
  (
    "stale-error",
    {
      $0.add(.delete)
      $0.addError(412)
    }
  ),
  (
    "error-conflict",
    {
      $0.add(.update)
      $0.addError(412)
    }
  ),
  (
    "error-rejected",
    {
      $0.add(.update)
      $0.addError(nil, code: "-1101")
    }
  ),
  (
    "error-transient",
    {
      $0.add(.update)
      $0.addError(503)
    }
  ),
  (
    "error-after-success",
    {
      $0.add(.update)
      $0.addError(204, code: "3840")
    }
  ),
  (
    "error-of-unknown-cause",
    {
      $0.add(.update)
      $0.addError(nil, code: nil)
    }
  ),
  (
    "duplicate-item-id",
    {
      $0.facts.sharedIDs = [
        .init(first: "a", rows: 2, spellings: 1, repeated: [.init(text: "a", rows: 2)])
      ]
    }
  ),
  (
    "item-id-case-twins",
    { $0.facts.sharedIDs = [.init(first: "a", rows: 2, spellings: 2, repeated: [])] }
  ),
  ("missing-item-id", { $0.facts.missingIDs = 2 }),
  ("soft-deleted-rows", { $0.facts.deletedRows = 1 }),
  ("token-newer-than-rows", { $0.addToken("2017-01-01T00:00:00.000Z") }),
  ("token-in-future", { $0.addToken("2031-01-01T00:00:00.001Z") }),
  ("token-unreadable", { $0.addToken(nil) }),
  ("token-for-unknown-table", { $0.addToken("2016-01-01T00:00:00.000Z", table: nil) }),
  (
    "dangling-reference",
    { $0.facts.dangling = [.init(column: "owner", target: "TodoItem", keys: 1, example: 9)] }
  ),
  (
    "value-of-wrong-type",
    { $0.facts.rejects = [.init(column: "text", code: .valueOfWrongType): 1] }
  ),
  (
    "value-out-of-range", { $0.facts.rejects = [.init(column: "text", code: .valueOutOfRange): 1] }
  ),
  (
    "replay-unfinished",
    { situation in
      situation.add(.update)
      situation.deliver(.conflict, "the server's item was changed")
    }
  ),
  (
    "server-changed-value",
    { situation in
      situation.add(.update)
      situation.deliver(.applied, "server-changed-value: count")
    }
  ),
  (
    "row-json-unreadable",
    { $0.facts.rejects = [.init(column: "text", code: .rowJSONUnreadable): 1] }
  ),
  ("invalid-text", { $0.facts.rejects = [.init(column: "text", code: .invalidText): 1] }),
]

/// The findings that readers raise, and those that need a layout of which only its reader knows.
private let raisedByReaders: Set<String> = [
  "operation-never-pushed", "wal-missing", "one-sided-reference", "names-from-fallback",
  "model-differs-from-store", "rows-of-unknown-entity", "external-data-missing",
  "unknown-column-type", "reference-without-target",
  "queue-not-read",
  "model-version-unreadable", "object-id-unusual", "duplicate-object-id", "repeated-property",
  "unknown-element", "computed-column-left-out", "operation-of-older-sdk", "two-sdk-generations",
  "contested-reference", "metadata-unreadable", "wal-damaged", "wal-uncommitted", "name-changed",
  "journal-damaged", "backup-incomplete", "earlier-copy-of-store", "bytes-left-over",
  "failure-beside-rows", "values-among-pages", "page-of-other-columns",
  "removed-items-among-rows",
  "store-damaged", "table-salvaged", "same-item-on-several-devices", "column-types-differ",
  "source-given-twice", "store-left-out", "virtual-table-left-out", "table-left-out",
  "not-in-catalogue", "not-in-store",
  "not-carried-over", "row-refused", "more-pages", "count-differs", "members-left-aside",
  "never-synced", "unknown-sync-status", "changed-without-status", "update-without-changes",
  "changed-names-unknown-column", "timestamp-implausible", "types-inferred",
  "migration-sync-pending", "tombstones", "upload-unconfirmed",
  "local-change-without-operation", "conflict-with-downloaded-copy", "attachment-not-uploaded",
  "rows-of-unknown-table", "hidden-columns", "local-only-table", "schema-newer-than-known",
  "form-not-accepted", "form-not-inferred", "values-respelled", "column-unnamed",
  "row-on-several-pages",
  "row-deleted-on-server", "version-without-row", "tombstones-kept", "ambiguous-version-key",
  "never-synced", "conditional-operation", "partial-payload", "queue-blocked",
  "payload-class-mismatch", "secret-withheld", "unsaved-changes", "operation-set-missing",
  "command-operation", "incomplete-object", "placeholder-object", "unpinned-object",
  "command-cache-beside", "unknown-operation-state", "document-conflict",
  "missing-revision-body", "document-without-leaf",
  "expired-document", "no-push-checkpoint", "push-checkpoint-ambiguous", "pushed-to-some-remotes",
  "checkpoint-beyond-store", "attachment-digest-mismatch", "leftover-upgrade",
]

struct FindingRuleTests {
  @Test(arguments: situations)
  func ruleSpeaksWhereTheEvidenceIs(
    code: String, make: @Sendable (inout AuditSituation) -> Void
  ) throws {
    var situation = AuditSituation()
    make(&situation)
    #expect(situation.codes.contains(code))
  }

  /// An item that was never on the server is forgotten when it is deleted, which is ordinary.
  @Test(arguments: [
    (#"{"id":"a","version":"v"}"#, OperationKind.delete, Severity.warning),
    (#"{"id":"a","__version":"v"}"#, .delete, .warning), ("words", .delete, .warning),
    (#"{"id":"a","version":"v"}"#, .insert, .note), (#"{"id":"a","version":""}"#, .delete, .note),
    (#"{"id":"a","version":null}"#, .delete, .note), (#"{"id":"a"}"#, .delete, .note),
  ])
  func deletedItemWithAVersionIsAWarning(item: String, kind: OperationKind, severity: Severity) {
    var situation = AuditSituation()
    situation.layout = Layout(named: "azure-mobile-android")
    situation.add(kind)
    var error = OperationError.deletedItem
    error.item = item == "words" ? nil : Array(item.utf8)
    error.raw = .text(Array(item.utf8))
    situation.queue.errors.append(error)
    let told = situation.findings.filter { $0.code == "deleted-item-left" }
    #expect(told.map(\.severity) == [severity])
  }

  /// An SDK's own code that reads so is that of a failure.
  @Test(
    arguments: [
      { $0.status = 409 }, { $0.operation = 1 }, { $0.kind = .update },
    ] as [@Sendable (inout OperationError) -> Void])
  func failureWithTheCodeOfDeletedItemsIsAFailure(change: @Sendable (inout OperationError) -> Void)
  {
    var situation = AuditSituation()
    var error = OperationError.deletedItem
    change(&error)
    situation.queue.errors.append(error)
    #expect(!situation.codes.contains("deleted-item-left"))
  }

  @Test func everyKindHasASituationOrAReader() {
    let covered = raisedByReaders.union(situations.map(\.code))
    #expect(Set(FindingCatalogue.all.map(\.code)) == covered)
    #expect(FindingCatalogue.all.count == covered.count)
  }

  @Test func ordinaryStoreHasNoFindings() {
    var situation = AuditSituation()
    situation.add(.insert, item: "a")
    situation.add(.update, item: "b")
    situation.add(.delete, item: "c")
    situation.addToken("2016-10-03T06:30:00.250Z")
    #expect(situation.findings == [])
  }

  /// The managed SDKs keep the seven digits of a token, and round the times of rows.
  @Test(arguments: [
    ("azure-mobile-dotnet", "2016-10-03T06:30:00.250499900Z", false),
    ("azure-mobile-dotnet", "2016-10-03T06:30:00.250500000Z", false),
    ("azure-mobile-dotnet", "2016-10-03T06:30:00.250500100Z", true),
    ("azure-mobile-dotnet", "2016-10-03T06:30:01.000Z", true),
    ("azure-mobile-dotnet", "2016-10-03T06:30:03.000Z", true),
    ("azure-mobile-dotnet", "2016-10-03T06:29:59.999Z", false),
    ("azure-mobile-android", "2016-10-03T06:30:00.250000100Z", true),
    ("azure-mobile-ios", "2016-10-03T06:30:00.250Z", false),
  ])
  func tokenIsComparedAsFinelyAsRowsAreKept(layout: String, time: String, isNewer: Bool) {
    var situation = AuditSituation()
    situation.layout = Layout(named: layout)
    situation.addToken(time)
    #expect(situation.codes.contains("token-newer-than-rows") == isNewer)
  }

  @Test(arguments: [
    (RejectCode.invalidText, "column text: 1 text is not UTF-8"),
    (.rowJSONUnreadable, "column text: 1 row holds no JSON object"),
  ])
  func oneRejectedValueIsOne(_ code: RejectCode, _ message: String) {
    var situation = AuditSituation()
    situation.facts.rejects = [.init(column: "text", code: code): 1]
    #expect(situation.findings.map(\.message) == [message])
  }

  /// No policy is asked where no conflict can arise.
  @Test func updateWithoutVersionIsNotLeftToAPolicy() throws {
    let kind = try #require(FindingCatalogue.kind("update-without-version"))
    #expect(kind.remedies.allSatisfy { !$0.contains("--on-conflict") })
  }

  /// The Toolkit deletes by the id and version of the operation, whatever it kept of the item.
  @Test(arguments: ["5", "\"\"", "{", ""])
  func deleteOfTheToolkitNeedsNoItem(payload: String) {
    var situation = AuditSituation()
    situation.layout = Layout(named: "datasync-toolkit")
    situation.add(.delete)
    situation.queue.operations[0].item = nil
    situation.queue.operations[0].raw = .text(Array(payload.utf8))
    #expect(situation.findings == [])
    situation.add(.update, item: "b")
    situation.queue.operations[1].raw = .text(Array("5".utf8))
    #expect(situation.codes == ["undecodable-operation"])
  }

  /// One edit while an operation is being sent is enough for these.
  @Test(arguments: [[OperationKind.insert, .update], [.update, .update], [.update, .delete]])
  func ordinaryChainsAreNotedAtMost(kinds: [OperationKind]) {
    var situation = AuditSituation()
    for kind in kinds { situation.add(kind) }
    #expect(situation.findings.allSatisfy { $0.severity == .note })
  }

  @Test func updateThatIsNotSentNeedsNoVersion() {
    var folded = AuditSituation()
    folded.add(.update, .delete, version: nil)
    #expect(!folded.codes.contains("update-without-version"))
    var nameless = AuditSituation()
    nameless.add(.update, version: nil)
    nameless.queue.operations.updateEach { $1.itemID = nil }
    #expect(!nameless.codes.contains("update-without-version"))
    #expect(nameless.codes.contains("operation-without-target"))
  }

  /// The SDK finds rows of subentities by the name of an entity that has no table itself.
  @Test func entityAboveTablesIsKnown() {
    var situation = AuditSituation()
    situation.parents = ["Base"]
    situation.add(.update)
    situation.add(.delete, item: "b")
    situation.add(.update, item: "c")
    situation.queue.operations.updateEach { place, operation in
      operation.table = "Base"
      operation.rowTable = place == 0 ? "TodoItem" : nil
      if place == 2 { operation.rowKey = nil }
    }
    situation.addToken("2016-01-01T00:00:00.000Z", table: "Base")
    let unknownTables: Set = ["operation-for-unknown-table", "token-for-unknown-table"]
    #expect(situation.codes.isDisjoint(with: unknownTables))
    let gone = situation.findings.filter { $0.code == "operation-without-row" }
    #expect(gone.map(\.operation) == [3])
    situation.parents = []
    let unknown = situation.findings.filter { $0.code == "operation-for-unknown-table" }
    #expect(Set(unknown.map(\.operation)) == [2, 3], "the first has its row")
  }

  @Test func updateBehindAnInsertNeedsNoVersion() {
    var situation = AuditSituation()
    situation.add(.insert, .update, version: nil)
    #expect(!situation.codes.contains("update-without-version"))
  }

  @Test func rowTakenAwayByALaterDeleteIsNotMissed() {
    var situation = AuditSituation()
    situation.add(.insert, .update, .delete)
    for index in 0..<2 { situation.queue.operations[index].rowKey = nil }
    #expect(!situation.codes.contains("operation-without-row"))
  }

  /// What is missing is told of just those operations that a replay would send for themselves.
  @Test func deleteTakesTheRowOnlyFromWhatItIsFoldedWith() {
    let kinds: [OperationKind] = [.insert, .update, .delete]
    for chain in kinds.flatMap({ one in kinds.flatMap { two in kinds.map { [one, two, $0] } } }) {
      var situation = AuditSituation()
      for kind in chain { situation.add(kind) }
      for index in chain.indices { situation.queue.operations[index].rowKey = nil }
      let needed = Fold(situation.queue.operations).effects.filter { $0.kind != .delete }
      let told = situation.findings.filter { $0.code == "operation-without-row" }
      #expect(told.compactMap(\.operation) == needed.flatMap(\.sequences), "\(chain)")
    }
  }

  @Test func tableWithoutVersionsIsNotedOnce() {
    var situation = AuditSituation()
    situation.columns.removeAll { $0.role == .version }
    situation.add(.update, item: "a", version: nil)
    situation.add(.update, item: "b", version: nil)
    #expect(situation.findings.map(\.severity) == [.note])
  }

  @Test func rowsOfATableWithoutAnyVersionAreANote() {
    var situation = AuditSituation()
    situation.facts.rowsWithVersion = 0
    situation.facts.unexplainedRows = 3
    #expect(situation.findings.map(\.severity) == [.note])
    situation.facts.unexplainedRows = 0
    #expect(situation.findings == [])
  }

  /// The first rows are named, and only what is left of them is counted.
  @Test(arguments: [1, 2, 5]) func rowsThatAreNotNamedAreCounted(_ rows: Int) {
    var situation = AuditSituation()
    situation.facts.unexplainedRows = rows
    situation.facts.unexplainedIDs = ["b"]
    #expect(situation.findings.count == (rows == 1 ? 1 : 2))
    #expect(situation.findings.compactMap(\.itemID) == ["b"])
  }

  @Test func otherSDKsKeepOneOperationForAnItem() {
    var situation = AuditSituation()
    situation.origin = "datasync-toolkit"
    situation.add(.update, .update)
    let finding = situation.findings.first { $0.code == "several-operations-for-item" }
    #expect(finding?.severity == .warning)
  }

  @Test func deletesOfCordovaHoldNoItem() {
    var situation = AuditSituation()
    situation.origin = "azure-mobile-cordova"
    situation.add(.delete)
    situation.queue.operations[0].item = nil
    #expect(situation.findings == [])
  }

  @Test func operationsOfSeveralDevicesAreJudgedByTheirOwnSDKs() {
    var situation = AuditSituation()
    situation.devices = ["azure-mobile-cordova", "azure-mobile-dotnet"]
    situation.add(.update, .update, item: "a")
    situation.add(.delete, item: "b")
    situation.add(.update, .update, item: "c")
    situation.add(.delete, item: "d")
    for place in 0..<6 {
      situation.queue.operations[place].source = place < 3 ? 1 : 2
      if place == 2 || place == 5 { situation.queue.operations[place].item = nil }
    }
    let found = situation.findings.map { [$0.code, "\($0.severity)", $0.itemID ?? ""] }
    #expect(
      Set(found) == [
        ["several-operations-for-item", "note", "a"],
        ["several-operations-for-item", "warning", "c"],
        ["delete-without-item", "warning", "d"],
      ])
  }

  @Test func completedOperationsAreNotJudged() {
    var situation = AuditSituation()
    situation.add(.update, .insert)
    situation.queue.operations[0].rowKey = nil
    situation.queue.operations[0].state = .completed
    situation.queue.operations[1].state = .dropped
    #expect(situation.findings == [])
  }

  @Test func mostSeriousComesFirst() {
    var situation = AuditSituation()
    situation.add(.update, .update)
    situation.add(nil, item: "b")
    situation.facts.missingIDs = 1
    let severities = situation.findings.map(\.severity)
    #expect(severities == severities.sorted(by: >))
    #expect(severities.first == .error)
  }

  @Test func whatAReaderHasFoundIsNotRepeated() {
    var situation = AuditSituation()
    situation.add(nil)
    let known = situation.findings
    let source = SourceDescription(name: "a", layout: .rehome)
    let input = AuditInput(
      source: source,
      catalogue: Catalogue(
        tables: [Table(name: "TodoItem", columns: situation.columns)], nameOrigin: .schema),
      queue: situation.queue, tables: [situation.facts], now: .epoch)
    #expect(Array(FindingCatalogue.findings(in: input, besides: Findings(known))) == known)
  }
}

struct FindingCatalogueTests {
  @Test(arguments: FindingCatalogue.all.map(\.code))
  func entryIsComplete(code: String) throws {
    let kind = try #require(FindingCatalogue.kind(code))
    #expect(kind.title.first?.isLowercase == true && kind.title.last != ".")
    for sentence in [kind.meaning] + kind.causes + kind.remedies {
      #expect(sentence.last == ".")
    }
    #expect(!kind.causes.isEmpty && !kind.remedies.isEmpty)
  }

  @Test(arguments: RejectCode.allCases)
  func everyRejectIsExplained(code: RejectCode) {
    #expect(FindingCatalogue.kind(code.rawValue) != nil)
  }
}
