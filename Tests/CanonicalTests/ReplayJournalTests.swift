import Bytes
import Records
import TestSupport
import Testing

@testable import Canonical

/// The journal is durable, belongs to one target, and leaves nothing beside the store.
struct ReplayJournalTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("items.rehome")
    try makeStore(
      at: path,
      tables: [Table(name: "T", columns: [Column(name: "id", type: .text, role: .id)])])
  }

  private func line(_ sequence: Int64, _ event: String) -> JournalLine {
    JournalLine(sequence: sequence, time: .epoch, event: event)
  }

  private func lines(target: String) throws -> [JournalLine] {
    let view = try StoreView(at: path, temporaryFolder: folder.path)
    var lines: [JournalLine] = []
    try view.forEachJournalLine(target: target) { lines.append($0) }
    return lines
  }

  @Test func linesComeBackInOrder() throws {
    var second = line(2, "applied")
    second.attempt = 3
    second.status = 201
    second.version = "AAE="
    second.detail = "{}"
    let store = try LiveStore(at: path)
    let journal = try ReplayJournal(in: store, target: "https://a")
    try journal.append([line(1, "sending")])
    try journal.append([second, line(1, "applied")])
    try store.close()
    #expect(try lines(target: "https://a") == [line(1, "sending"), second, line(1, "applied")])
  }

  @Test func anotherTargetHasAnotherJournal() throws {
    let store = try LiveStore(at: path)
    try ReplayJournal(in: store, target: "https://a").append([line(1, "applied")])
    try store.close()
    #expect(try lines(target: "https://b").isEmpty)
  }

  @Test func markIsForLaterWhileAReplayHasTheStore() throws {
    let store = try LiveStore(at: path)
    let error = #expect(throws: StoreError.self) {
      try CanonicalMarks.add(OperationMark(.drop, at: .epoch), to: [1], inStoreAt: path)
    }
    #expect(error?.kind == .temporary)
    try store.close()
    try CanonicalMarks.add(OperationMark(.drop, at: .epoch), to: [1], inStoreAt: path)
  }

  @Test func closingLeavesOneFile() throws {
    let store = try LiveStore(at: path)
    try ReplayJournal(in: store, target: "https://a").append([line(1, "sending")])
    #expect(folder.names == ["items.rehome", "items.rehome-wal"])
    try store.close()
    #expect(folder.names == ["items.rehome"])
  }

  @Test func whatWasAppendedIsThereWhenTheStoreWasNeverClosed() throws {
    let store = try LiveStore(at: path)
    try ReplayJournal(in: store, target: "https://a").append([line(1, "sending")])
    #expect(try lines(target: "https://a") == [line(1, "sending")])
    _ = store
  }

  @Test func aFailedTransactionLeavesNothing() throws {
    let store = try LiveStore(at: path)
    let journal = try ReplayJournal(in: store, target: "https://a")
    #expect(throws: StoreError.self) {
      try store.transaction { () throws(StoreError) in
        try store.setFact("replayTarget", to: "x")
        throw StoreError(.temporary, "enough")
      }
    }
    #expect(try store.fact("replayTarget") == nil)
    try journal.append([line(1, "sending")])
    try store.close()
  }

  @Test func secondProcessIsTurnedAway() throws {
    let lock = try FileLock.take(on: path)
    let isFree = try FileLock.take(on: path) != nil
    #expect(!isFree)
    _ = consume lock
  }

  @Test func aStoreInUseIsATemporaryTrouble() throws {
    let store = try LiveStore(at: path)
    let error = #expect(throws: StoreError.self) { _ = try LiveStore(at: path) }
    #expect(error?.kind == .temporary)
    try store.close()
  }

  @Test func olderStoresGetTheNewColumns() throws {
    _ = try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.executescript('''DROP TABLE rehome_replay; CREATE TABLE rehome_replay (
        id INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, at TEXT NOT NULL,
        event TEXT NOT NULL, detail TEXT) STRICT''')
      """, arguments: [path])
    #expect(try lines(target: "https://a").isEmpty)
    let store = try LiveStore(at: path)
    try ReplayJournal(in: store, target: "https://a").append([line(7, "applied")])
    try store.close()
    #expect(try lines(target: "https://a") == [line(7, "applied")])
  }
}
