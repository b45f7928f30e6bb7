import Audit
import Bytes
import CommandLineKit
import Records

/// The few facts about a store that are reported of each of many.
struct StoreFacts: Sendable {
  let layout: Layout
  let generation: String?
  /// How many bytes its own file has; nil where it is a folder.
  let bytes: Int?
  let rows: Int
  let queue: QueueCounts
  /// How many operations wait, once replays and decisions are taken into account.
  let waiting: Int
  /// How far the store tells what waits.
  let coverage: QueueCoverage
  /// The codes of all findings, each once, and the worst severity among them.
  let codes: [String]
  let worst: Severity?
  /// How many values could not be read as their columns' type, where that was looked at.
  var rejects = 0

  /// Sums up what was seen of a store.
  init(
    _ source: SourceDescription, bytes: Int?, rows: Int, queue: Queue, findings: Findings
  ) {
    self.init(
      source, bytes: bytes, rows: rows, queue: queue,
      waiting: (queue.deliveries.isEmpty ? queue : queue.afterReplay()).operations
        .count { $0.state.isPending },
      codes: Set(findings.lazy.map(\.code)), worst: findings.lazy.map(\.severity).max())
  }

  /// Sums up an audit of a store.
  init(_ audit: StoreAudit, bytes: Int?) {
    self.init(
      audit.source, bytes: bytes, rows: audit.tables.reduce(0) { $0 + $1.rows },
      queue: audit.queue, waiting: audit.effects.traits.pending.count,
      codes: Set(audit.findings.codes), worst: audit.worstSeverity)
  }

  private init(
    _ source: SourceDescription, bytes: Int?, rows: Int, queue: Queue, waiting: Int,
    codes: Set<String>, worst: Severity?
  ) {
    layout = source.layout
    generation = source.generation
    self.bytes = bytes
    self.rows = rows
    self.queue = QueueCounts(queue)
    self.waiting = waiting
    coverage = QueueCoverage(of: source, codes: codes)
    self.codes = codes.sorted()
    self.worst = worst
  }
}

/// What came of a store in its turn.
struct SeenStore<Seen: Sendable>: Sendable {
  let turn: StoreInTurn
  /// What a command made of it, or why it cannot be read; nil where an earlier run has done it.
  let result: Result<Seen, StoreError>?
  /// What is reported of it beside others; nil where it cannot be read.
  let facts: StoreFacts?
  /// The hash of its files; nil where they cannot be had.
  let hash: String?
  /// What an earlier run has found that has done it.
  let earlier: ReportedStores.Line?
  /// The first store with the same bytes, where this is not the first.
  var twin: String?

  init(
    _ turn: StoreInTurn, _ result: Result<Seen, StoreError>?, _ facts: StoreFacts? = nil,
    hash: String?, earlier: ReportedStores.Line? = nil
  ) {
    self.turn = turn
    self.result = result
    self.facts = facts
    self.hash = hash
    self.earlier = earlier
  }

  /// Why it cannot be read, as each report says it.
  var error: StoreError? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  /// What is wrong with it in words, behind the path of the file that these are about where that is
  /// another one than the store's own.
  var complaint: String? {
    error.map { error in
      guard let path = error.path, !hasSameBytes(path, turn.name) else { return error.message }
      return "\(path): \(error.message)"
    }
  }

  /// The stable word for why it cannot be read.
  var errorCode: String? { error.map { turn.failureCode ?? $0.kind.rawValue } }
}

extension ReportJSON {
  /// One line about a store, as `find` and the files of `--report` have it; these say what made it.
  init<Seen>(_ store: SeenStore<Seen>, by maker: StoreReportMaker? = nil) {
    let facts = store.facts
    let json: ReportJSON = [
      "store": .string(store.turn.name), "device": ReportJSON(store.turn.device),
      "container": ReportJSON(store.turn.container),
      "containerKind": ReportJSON(store.turn.containerKind),
      "layout": ReportJSON(facts?.layout.rawValue), "generation": ReportJSON(facts?.generation),
      "bytes": facts?.bytes.map { ReportJSON(count: $0) } ?? .null,
      "rows": facts.map { ReportJSON(count: $0.rows) } ?? .null,
      "queue": facts.map { ReportJSON($0.queue) } ?? .null,
      "waiting": facts.map { ReportJSON(count: $0.waiting) } ?? .null,
      "keepsQueue": facts.map { .boolean($0.coverage.keepsQueue) } ?? .null,
      "findings": ReportJSON(facts?.codes ?? []), "worst": ReportJSON(facts?.worst?.rawValue),
      "error": .errorOf(store), "sha256": ReportJSON(store.hash),
      "path": ReportJSON(store.turn.keptPath),
    ]
    var line = json.adding("by", maker.map { ReportJSON($0.words) })
    if maker != nil, let facts { line = store.turn.marks(facts.layout).added(to: line) }
    self = line.adding("sameAs", store.twin.map(ReportJSON.string))
  }

  /// Why a store cannot be read; null where it can.
  static func errorOf<Seen>(_ store: SeenStore<Seen>) -> ReportJSON {
    guard let error = store.error else { return .null }
    return [
      "code": ReportJSON(store.errorCode), "message": ReportJSON(store.complaint),
      "hint": ReportJSON(error.hint),
    ]
  }
}

extension QueueCounts {
  /// How many errors there are, and how many deleted items that stand among them and are none.
  var errorWords: [String] {
    let failures = errors - deletedItems
    let errors = failures > 0 || deletedItems == 0 ? [failures.counted("error", "errors")] : []
    let deleted = deletedItems > 0 ? [deletedItems.counted("deleted item", "deleted items")] : []
    return errors + deleted
  }
}
