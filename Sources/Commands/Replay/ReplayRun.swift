import Bytes
import Canonical
import CommandLineKit
import Records
import Replay

/// One replay, from the journal's lock to the report.
struct ReplayRun {
  let source: ReplaySource
  let options: ReplayOptions
  let settings: RunSettings

  /// Sends or applies what is pending; `begin` is called when nothing is left that may refuse it.
  ///
  /// - Throws: `StoreError` when the store or the target cannot be worked with; what was sent
  ///   until then is in the journal.
  func run(_ begin: () -> Void) throws(StoreError) -> ReplayReport {
    let lock = try ReplayLock(on: source.path)
    defer { withExtendedLifetime(lock) {} }
    let check = try PlanCheck(settings.arguments)
    try check?.check(source, options, settings, isBegun: try isBegun(check?.mark))
    var queue = try ReplayQueue(of: source.path, settings)
    let store = try LiveStore(at: source.path)
    let machineSettings = try options.machineSettings(
      of: store, queue.catalogue, settings.arguments)
    try queue.spellNames(from: store, for: machineSettings.dialect)
    if machineSettings.conflicts.asksForNewest {
      settings.say(
        "note: the policy newest compares updatedAt, which the SDKs leave as the server set it, so "
          + "the server's copy mostly counts as the newer one")
    }
    let (transport, target) = try open(machineSettings.dialect)
    try store.transaction { () throws(StoreError) in
      try store.setFact(Self.planKey, to: check?.mark ?? "")
    }
    var report = ReplayReport(
      queue.operations, target: target, dialect: machineSettings.dialect)
    report.hasPolicy = ["on-conflict", "rules"].contains { settings.arguments.flag($0) }
    let journal = try ReplayJournal(in: store, target: target)
    var history = ReplayHistory()
    try store.forEachJournalLine(target: target) { line in
      history.add(
        line.sequence, event: line.event, version: line.version, status: line.status,
        detail: line.detail)
    }
    let plan = ReplayPlan(
      queue.operations, history: history, tables: machineSettings.tables,
      habits: queue.habits, pointers: queue.pointers,
      takesAnyID: machineSettings.dialect == .rows)
    try queue.operations.checkReading()
    report.add(plan.done)
    report.add(plan.held)
    let items = try ReplayItems(
      of: store, catalogue: queue.catalogue, for: machineSettings.dialect)
    let runner = ReplayRunner(
      settings: settings, journal: journal, items: items, transport: transport,
      total: queue.operations.count - plan.done.count - plan.held.count)
    var machine = ReplayMachine(plan, machineSettings)
    begin()
    if source.isNew {
      settings.say("the journal is \(escapedForTerminal(source.path)); keep it until all is done")
    }
    report.summary = try runner.run(&machine) { result in
      report.add(result, item: Self.item(of: result, plan, items))
    }
    try transport.close()
    try store.close()
    return report
  }

  /// Under which the store keeps which plan was last carried out.
  private static let planKey = "replayPlan"

  /// Whether the last run with the store carried out this plan.
  private func isBegun(_ mark: String?) throws(StoreError) -> Bool {
    guard let mark else { return false }
    let view = try StoreView(at: source.path, temporaryFolder: settings.temporaryFolder)
    return try view.fact(Self.planKey) == mark
  }

  /// What a step would have sent, where the report shows it.
  private static func item(
    of result: StepResult, _ plan: ReplayPlan, _ items: ReplayItems
  ) -> [UInt8]? {
    guard result.outcome == .conflict || result.outcome == .rejected,
      let step = plan[result.step], step.effect.kind != .delete
    else { return nil }
    // A row that cannot be read any more is shown as missing.
    return try? items.item(for: step)?.json
  }

  private func open(
    _ dialect: Dialect
  ) throws(StoreError) -> (any ReplayTransport, String) {
    switch options.destination {
    case .store(let path):
      guard FileIdentity(of: path) != FileIdentity(of: source.path) else {
        throw StoreError(.usage, path: path, "a store cannot be replayed into itself")
      }
      let target = try LocalTarget(at: path, dialect: dialect, settings: settings)
      return (target, target.name)
    case .open: throw StoreError(.internalError, "there is no target")
    case .server(let address):
      let target = try ServerTarget(
        at: address, dialect: dialect, options: options, settings: settings)
      return (target, target.name)
    }
  }
}
