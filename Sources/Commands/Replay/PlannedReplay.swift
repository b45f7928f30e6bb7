import Audit
import Bytes
import Canonical
import CommandLineKit
import Records
import Replay

/// Everything that decides what a replay will send, read without changing the store.
struct PlannedReplay {
  let plan: ReplayPlan
  let machineSettings: ReplaySettings
  let items: ReplayItems
  /// What an audit says against sending operations.
  let doubts: OperationDoubts
  /// The content hash of the store, in hexadecimal digits; nil where it was not asked for.
  let content: String?
  /// How many lines of the journal the plan knows of.
  let journalLines: Int
  /// Where the operations go, as a person names it.
  let target: String
  private let source: ReplaySource
  private let arguments: ParsedArguments
  private let heldOperations: OperationList

  /// Reads the store; of the journal at most `lineLimit` lines count.
  ///
  /// Only what is written as JSON needs the store's hash, which takes a pass over all rows.
  ///
  /// - Throws: `StoreError` when the store cannot be read or an option does not fit it.
  init(
    _ source: ReplaySource, _ options: ReplayOptions, _ settings: RunSettings,
    hashesContent: Bool, lineLimit: Int = .max
  ) throws(StoreError) {
    let reader = try settings.openCanonicalStore(source.path)
    content = hashesContent ? try StoreContents(of: reader, settings).digest.hexadecimal : nil
    var stored = try reader.readDecodedQueue()
    // What another target has taken is sent to this one all the same.
    stored.deliveries = Deliveries()
    doubts = try Self.doubts(about: QueueView(of: reader, queue: stored), settings)
    // From here on only one owner is left, so that spelling ids copies no list.
    let operations = stored.operations
    stored = Queue()
    var queue = try ReplayQueue(operations, of: reader, settings.arguments)
    let view = try StoreView(at: source.path, temporaryFolder: settings.temporaryFolder)
    machineSettings = try options.machineSettings(of: view, queue.catalogue, settings.arguments)
    try queue.spellNames(from: view, for: machineSettings.dialect)
    let names = try Self.names(of: options.destination, settings)
    target = names.shown
    var history = ReplayHistory()
    var count = 0
    try view.forEachJournalLine(target: names.journal) { line in
      guard count < lineLimit else { return }
      count += 1
      history.add(
        line.sequence, event: line.event, version: line.version, status: line.status,
        detail: line.detail)
    }
    journalLines = count
    let plan = ReplayPlan(
      queue.operations, history: history, tables: machineSettings.tables,
      habits: queue.habits, pointers: queue.pointers,
      takesAnyID: machineSettings.dialect == .rows)
    try queue.operations.checkReading()
    let held = KeyLookup(plan.held.map(\.sequence))
    heldOperations = queue.operations.keeping { held.contains($0.sequence) }
    self.plan = plan
    items = try ReplayItems(
      of: view, catalogue: queue.catalogue, for: machineSettings.dialect)
    self.source = source
    arguments = settings.arguments
  }

  /// What an audit says against operations; the audit itself is not kept.
  private static func doubts(
    about view: QueueView, _ settings: RunSettings
  ) throws(StoreError) -> OperationDoubts {
    OperationDoubts(try StoreAudit(ofOperationsIn: view, settings, listsRows: false).findings)
  }

  /// The target for people, and as the journal names it.
  private static func names(
    of destination: ReplayOptions.Destination, _ settings: RunSettings
  ) throws(StoreError) -> (shown: String, journal: String) {
    switch destination {
    case .store(let path):
      do {
        return (path, try LocalTarget.name(ofStoreAt: path, settings) ?? "")
      } catch {
        guard error.kind == .missing else { throw error }
        throw StoreError(
          .missing, path: path, error.message,
          hint: "check the spelling; a server needs its whole address, as in https://example.net")
      }
    case .open: return ("", "")
    case .server(let address):
      let name = try ServerTarget.name(of: address, settings.arguments)
      return (name, name)
    }
  }

  /// The findings about the operations of a step.
  func doubts(about step: ReplayStep) -> [String] {
    step.effect.sequences.flatMap { doubts[$0] }
  }

  /// The operation that is held back.
  func operation(_ held: HeldBack) -> PendingOperation? {
    heldOperations.firstOperation(numbered: held.sequence)
  }

  /// Writes the plan as JSON, a piece at a time.
  ///
  /// - Throws: `StoreError` of `write`, or when the store cannot be read.
  func writeJSON(_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    let rules = try arguments.value("rules").map { (value) throws(StoreError) in
      try storeErrors { () throws(FileError) in try sha256(ofFileAt: value.text) }.digest
    }
    let heads: [(String, ReportJSON)] = [
      ("format", .integer(1)), ("store", .string(source.name)), ("content", ReportJSON(content)),
      ("target", target.isEmpty ? .null : .string(target)),
      ("dialect", .string(machineSettings.dialect.rawValue)),
      ("onConflict", .string(machineSettings.conflicts.fallback.rawValue)),
      ("rules", ReportJSON(rules?.hexadecimal)), ("journalLines", ReportJSON(count: journalLines)),
      ("done", ReportJSON(count: plan.done.count { $0.outcome != .dropped })),
      ("dropped", ReportJSON(count: plan.done.count { $0.outcome == .dropped })),
    ]
    var text = "{"
    for (name, value) in heads { text += "\n  \"\(name)\": \(value.compactText)," }
    try write(Array((text + "\n  \"steps\": [").utf8))
    for id in 0..<plan.count {
      guard let step = plan[id] else { continue }
      let line = try json(step).compactText
      try write(Array(((id == 0 ? "\n    " : ",\n    ") + line).utf8))
    }
    try write(Array("\n  ],\n  \"held\": [".utf8))
    for (place, held) in plan.held.enumerated() {
      let line = json(held).compactText
      try write(Array(((place == 0 ? "\n    " : ",\n    ") + line).utf8))
    }
    try write(Array("\n  ]\n}\n".utf8))
  }

  private func json(_ step: ReplayStep) throws(StoreError) -> ReportJSON {
    let request = try request(step)
    return [
      "sequences": .array(step.effect.sequences.map(ReportJSON.integer)),
      "table": .string(step.table), "itemId": .string(step.itemID),
      "kind": .string(step.effect.kind.rawValue), "isInDoubt": .boolean(step.isInDoubt),
      "method": ReportJSON(request?.method), "path": ReportJSON(request?.path),
      "query": ReportJSON(request?.query.map { "\($0.name)=\($0.value)" } ?? []),
      "condition": ReportJSON(request?.condition),
      "body": request?.body.map { .encoded(String(decoding: $0, as: UTF8.self)) } ?? .null,
      "doubts": ReportJSON(doubts(about: step)),
    ]
  }

  private func json(_ held: HeldBack) -> ReportJSON {
    let operation = operation(held)
    return [
      "sequence": .integer(held.sequence), "table": ReportJSON(operation?.table),
      "itemId": ReportJSON(operation?.itemID), "reason": .string(held.reason.rawValue),
    ]
  }

  /// The request that a step would begin with; nil when its row is gone.
  ///
  /// - Throws: `StoreError` when the store cannot be read.
  func request(_ step: ReplayStep) throws(StoreError) -> ReplayRequest? {
    machineSettings.firstRequest(of: step, try items.item(for: step), plan.pointers)
  }
}
