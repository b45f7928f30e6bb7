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
  let doubts: PlannedReplay.Doubts
  /// The content hash of the store, in hexadecimal digits; nil where it was not asked for.
  let content: String?
  let journalLines: Int
  /// Where the operations go, as a person names it.
  let target: String
  private let source: ReplaySource
  private let session: Session
  private let heldOperations: OperationList
  private let names: SentNames

  /// Reads the store; of the journal at most `lineLimit` lines count.
  ///
  /// Only what is written as JSON needs the store's hash, which takes a pass over all rows.
  init(
    _ source: ReplaySource, _ options: ReplayOptions, _ session: Session,
    hashesContent: Bool, lineLimit: Int = .max, tellsPerson: Bool = false
  ) throws(StoreError) {
    try source.expectAnother(options.destination)
    let reader = try session.openCanonicalStore(source.path)
    content = hashesContent ? try StoreContents(of: reader, session).digest.hexadecimal : nil
    var stored = try reader.readQueue(.withoutRaw)
    // What another target has taken is sent to this one all the same.
    stored.deliveries = Deliveries()
    doubts = PlannedReplay.Doubts(
      try StoreAudit.ofOperations(in: reader, session, listsRows: false) { stored }.findings)
    // From here on only one owner is left, so that spelling ids copies no list.
    let operations = stored.operations
    stored = Queue()
    let view = try StoreView(at: source.path, temporaryFolder: session.temporaryFolder)
    let setUp = try ReplaySetUp(
      ReplayQueue(operations, of: reader, session.arguments), in: view, options, session.arguments)
    if tellsPerson { try setUp.tell(session, options.destination) }
    machineSettings = setUp.rules
    let targetNames = try Self.names(of: options.destination, session)
    target = targetNames.shown
    let plan: ReplayPlan
    (plan, journalLines) = try setUp.plan(for: targetNames.journal, limit: lineLimit)
    let held = KeySet(plan.held.lazy.map(\.sequence))
    names = setUp.queue.names
    heldOperations = setUp.queue.operations.keeping { held.contains($0.sequence) }
    self.plan = plan
    items = try setUp.items()
    self.source = source
    self.session = session
  }

  /// The target for people, and as the journal names it.
  private static func names(
    of destination: ReplayOptions.Destination, _ session: Session
  ) throws(StoreError) -> (shown: String, journal: String) {
    switch destination {
    case .store(let path):
      return (path, try LocalTarget.name(ofStoreAt: path, session) ?? "")
    case .open: return ("", "")
    case .server(let address):
      let name = try ServerTarget.name(of: address, session.arguments)
      return (name, name)
    }
  }

  /// The codes of the findings about a step's operations, each once.
  func doubts(about step: ReplayStep) -> [String] {
    var codes: [String] = []
    for code in step.effect.sequences.lazy.flatMap({ doubts[$0] }) where !codes.contains(code) {
      codes.append(code)
    }
    return codes
  }

  /// The operation that is held back, with the names that steps have for its table and item.
  func operation(_ held: HeldBack) -> PendingOperation? {
    heldOperations.firstOperation(numbered: held.sequence).map(names.named)
  }

  func writeJSON(_ write: ([UInt8]) throws(StoreError) -> Void) throws(StoreError) {
    let rules = try session.arguments.value("rules").map { (value) throws(StoreError) in
      try storeErrors { () throws(FileError) in try sha256(ofFileAt: value.text) }.digest
    }
    try withoutActuallyEscaping(write) { (write) throws(StoreError) in
      var report = ReportStream(write)
      try report.addMembers([
        "format": .integer(1), "store": .string(source.name), "content": ReportJSON(content),
        "target": target.isEmpty ? .null : .string(target),
        "dialect": .string(machineSettings.dialect.rawValue),
        "onConflict": .string(machineSettings.conflicts.fallback.rawValue),
        "rules": ReportJSON(rules?.hexadecimal), "journalLines": ReportJSON(count: journalLines),
        "done": ReportJSON(count: plan.done.count { $0.outcome != .dropped }),
        "dropped": ReportJSON(count: plan.done.count { $0.outcome == .dropped }),
      ])
      try report.addList("steps", linesOf: 0..<plan.count) { (id) throws(StoreError) in
        guard let step = plan[id] else { return nil }
        try session.checkInterruption()
        return try json(step)
      }
      try report.addList("held", linesOf: plan.held) { (held) throws(StoreError) in json(held) }
      try report.finish()
    }
  }

  private func json(_ step: ReplayStep) throws(StoreError) -> ReportJSON {
    let request = try request(step)
    let numbers = step.effect.sequences
    return [
      "sequences": .list(ReportList { numbers.lazy.map(ReportJSON.integer) }),
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
  func request(_ step: ReplayStep) throws(StoreError) -> ReplayRequest? {
    machineSettings.firstRequest(of: step, try items.item(for: step), plan.pointers)
  }

  /// The codes of findings by operation, for many operations with few codes.
  struct Doubts {
    /// The operations with a code, in the order of the findings.
    private struct Layer {
      let code: String
      let operations: KeyLookup
      /// How many findings more there are about some of them.
      var further: [Int64: Int] = [:]
    }

    private var layers: [Layer] = []

    /// Takes the codes of what was found about operations.
    init(_ findings: FindingList) {
      for kind in findings.kinds {
        add(kind.compactMap(findings.sequence), findings.code(at: kind.lowerBound))
      }
    }

    private mutating func add(_ operations: [Int64], _ code: String) {
      guard !operations.isEmpty else { return }
      var layer = Layer(code: code, operations: KeyLookup(operations))
      let sorted = operations.sorted()
      for (operation, next) in zip(sorted, sorted.dropFirst()) where operation == next {
        layer.further[operation, default: 0] += 1
      }
      layers.append(layer)
    }

    /// The codes of the findings about an operation.
    subscript(operation: Int64) -> [String] {
      layers.filter { $0.operations.contains(operation) }.flatMap { layer in
        Array(repeating: layer.code, count: 1 + (layer.further[operation] ?? 0))
      }
    }
  }
}
