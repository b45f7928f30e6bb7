import Bytes
import Canonical
import CommandLineKit
import Records
import Replay

/// One replay, from the journal's lock to the report.
struct ReplayRun {
  let source: ReplaySource
  let options: ReplayOptions
  let session: Session

  /// Sends or applies what is pending; `begin` is called when nothing is left that may refuse it, and
  /// until then neither the store nor the target is changed.
  ///
  /// - Throws: `StoreError` when the store or the target cannot be worked with; what was sent
  ///   until then is in the journal.
  func run(_ begin: () -> Void) throws(StoreError) -> ReplayReport {
    let lock = try ReplayLock(on: source.path)
    defer { withExtendedLifetime(lock) {} }
    let check = try PlanCheck(session.arguments)
    try check?.check(source, options, session, isBegun: try isBegun(check?.mark))
    let queue = try ReplayQueue(of: source.path, session)
    let store = try LiveStore(at: source.path)
    let setUp = try ReplaySetUp(consume queue, in: store, options, session.arguments)
    try setUp.tell(session, options.destination)
    let (operations, dialect) = (setUp.queue.operations, setUp.rules.dialect)
    if setUp.rules.conflicts.asksForNewest {
      session.say(
        "note: the policy newest compares updatedAt, which the SDKs leave as the server set it, so "
          + "the server's copy mostly counts as the newer one")
    }
    let (transport, target) = try open(setUp)
    var report = ReplayReport(operations, target: target, dialect: dialect)
    report.hasPolicy = ["on-conflict", "rules"].contains { session.arguments.flag($0) }
    let (plan, _) = try setUp.plan(for: target)
    report.add(plan.done)
    report.add(plan.held, behind: plan.doubts)
    let items = try setUp.items()
    try transport.begin()
    try store.transaction { () throws(StoreError) in
      try store.setFact(Self.planKey, to: check?.mark ?? "")
    }
    let journal = try ReplayJournal(in: store, target: target)
    let runner = ReplayRunner(
      session: session, journal: journal, items: items, transport: transport,
      total: operations.count - plan.done.count - plan.held.count)
    var machine = ReplayMachine(plan, setUp.rules)
    begin()
    if source.isNew {
      session.say("the journal is \(escapedAsOneWord(source.path)); keep it until all is done")
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
    let view = try StoreView(at: source.path, temporaryFolder: session.temporaryFolder)
    return try view.fact(Self.planKey) == mark
  }

  /// What a step would have sent, where the report shows it; of a delete, what was deleted.
  private static func item(
    of result: StepResult, _ plan: ReplayPlan, _ items: ReplayItems
  ) -> [UInt8]? {
    guard [.conflict, .rejected, .dropped].contains(result.outcome),
      let step = plan[result.step]
    else { return nil }
    if step.effect.kind == .delete { return step.effect.item }
    // A row that cannot be read any more is shown as missing.
    return try? items.item(for: step)?.json
  }

  private func open(
    _ setUp: ReplaySetUp
  ) throws(StoreError) -> (any ReplayTransport, String) {
    try source.expectAnother(options.destination)
    switch options.destination {
    case .store(let path):
      let target = try LocalTarget(
        at: path, for: setUp.queue, dialect: setUp.rules.dialect, session: session)
      return (target, target.name)
    case .open: throw StoreError(.internalError, "there is no target")
    case .server(let address):
      let target = try ServerTarget(
        at: address, dialect: setUp.rules.dialect, options: options, session: session)
      return (target, target.name)
    }
  }
}
