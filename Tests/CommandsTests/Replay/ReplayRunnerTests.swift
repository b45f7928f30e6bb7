import Bytes
import Canonical
import CommandLineKit
import Foundation
import HTTPTransport
import Records
import Replay
import SQLite
import Testing

@testable import Commands

/// The runner writes the journal before it sends, and carries on until the machine has finished.
struct ReplayRunnerTests {
  private let fixture: ExportFixture
  private let path: String
  private static let table = Table(
    name: "Todo",
    columns: [
      Column(name: "id", type: .text, role: .id), Column(name: "text", type: .text),
      Column(name: "version", type: .text, role: .version),
    ])

  init() throws {
    fixture = try ExportFixture()
    path = fixture.path("device.rehome")
    var writer = try CanonicalWriter(destination: path, replacing: false)
    try writer.begin(
      SourceDescription(
        name: "s", layout: Layout(named: "azure-mobile-dotnet"), generation: "b", evidence: []),
      catalogue: Catalogue(tables: [Self.table], nameOrigin: .schema), at: .epoch,
      toolVersion: "0")
    var batch = RecordBatch(columnCount: 3)
    for key in 1...20 as ClosedRange<Int64> {
      let id = Array("item-\(key)".utf8)
      batch.appendText(id.span)
      batch.appendText(id.span)
      batch.append(.null)
      batch.endRow(key: key)
    }
    var loaded = try writer.beginTable(Self.table)
    try writer.insert(batch, into: &loaded)
    try writer.finish(loaded)
    var queue = Queue()
    for sequence in 1...20 as ClosedRange<Int64> {
      var operation = PendingOperation()
      operation.sequence = sequence
      operation.table = "Todo"
      operation.itemID = "item-\(sequence)"
      operation.kind = .insert
      operation.rowKey = sequence
      queue.operations.append(operation)
    }
    try writer.write(queue)
    try writer.publish()
  }

  private func session() throws -> Session {
    try Session(silent: ["replay", path, "--to", "https://a.example", "-q"])
  }

  /// Runs all operations against a witness.
  private func run(_ witness: Witness) throws -> (ReplaySummary, [StepResult]) {
    let queue = try ReplayQueue(of: path, try session())
    let store = try LiveStore(at: path)
    var machineSettings = ReplaySettings(dialect: .v2)
    machineSettings.jobs = 4
    machineSettings.firstDelay = 1
    machineSettings.longestDelay = 2
    var machine = ReplayMachine(ReplayPlan(queue.operations), machineSettings)
    let runner = ReplayRunner(
      session: try session(), journal: try ReplayJournal(in: store, target: "t"),
      items: try ReplayItems(of: store, queue, for: .v3), transport: witness)
    var results: [StepResult] = []
    let summary = try runner.run(&machine) { results.append($0) }
    try store.close()
    return (summary, results)
  }

  @Test func everyChangeIsInTheJournalBeforeItLeaves() throws {
    let witness = Witness(path: path)
    let (summary, results) = try run(witness)
    #expect(summary[.applied] == 20)
    #expect(results.count == 20)
    #expect(witness.unannounced.isEmpty)
    #expect(witness.bodies.first == #"{"id":"item-1","text":"item-1"}"#)
  }

  @Test func refusedCredentialsEndTheRun() throws {
    let witness = Witness(path: path)
    witness.status = 401
    let (summary, _) = try run(witness)
    #expect(summary.stop == .notPermitted(status: 401))
    #expect(witness.bodies.count <= 4)
  }

  @Test func secretsAreDataButNeitherToldNorKept() throws {
    let witness = Witness(path: path)
    witness.secrets = try Secrets(parsing: Array("X-A: item-1".utf8))
    witness.etag = "\"item-1-7\""
    let (summary, results) = try run(witness)
    #expect(summary[.applied] == 20)
    #expect(results.allSatisfy { $0.version == "[secret]-7" && $0.changes.isEmpty })
    var kept: Set<String?> = []
    try StoreView(at: path, temporaryFolder: NSTemporaryDirectory())
      .forEachJournalLine(target: "t") { line in
        if line.event == "applied" { kept.insert(line.version) }
      }
    #expect(kept == ["[secret]-7"])
  }

  /// A server that looks into the journal whenever a request arrives.
  private final class Witness: ReplayTransport {
    let path: String
    var status = 201
    var etag = "\"v1\""
    var secrets = Secrets()
    private(set) var unannounced: [Int] = []
    private(set) var bodies: [String] = []
    private var waiting: [ReplayEvent] = []

    init(path: String) {
      self.path = path
    }

    func begin() {}

    func start(_ request: ReplayRequest) {
      let body = request.body ?? []
      guard request.method != "GET" else {
        let answer = ReplayAnswer(status: status == 201 ? 200 : status, body: Array("[]".utf8))
        return waiting.append(.answer(step: request.step, answer))
      }
      if !isAnnounced(Int64(request.step + 1)) { unannounced.append(request.step) }
      bodies.append(String(decoding: body, as: UTF8.self))
      waiting.append(
        .answer(
          step: request.step, ReplayAnswer(status: status, etag: etag, body: body)))
    }

    func wait(milliseconds: Int) -> [ReplayEvent] {
      defer { waiting = [] }
      return waiting
    }

    func close() {}

    private func isAnnounced(_ sequence: Int64) -> Bool {
      var isFound = false
      // A journal that cannot be read announces nothing.
      try? StoreView(at: path, temporaryFolder: NSTemporaryDirectory())
        .forEachJournalLine(target: "t") { line in
          isFound = isFound || (line.sequence == sequence && line.event == "sending")
        }
      return isFound
    }
  }
}
