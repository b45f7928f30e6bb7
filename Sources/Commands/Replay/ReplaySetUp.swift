import Bytes
import Canonical
import CommandLineKit
import Records
import Replay

/// What decides what a replay sends: a queue, the rules, and what was sent before.
///
/// A preview and a run are set up alike.
struct ReplaySetUp {
  private(set) var queue: ReplayQueue
  private(set) var rules: ReplaySettings
  private let store: any OpenStore

  /// Takes over a queue, whose names are sent as the store's SDK spells them.
  init(
    _ queue: consuming ReplayQueue, in store: any OpenStore, _ options: ReplayOptions,
    _ arguments: ParsedArguments
  ) throws(StoreError) {
    self.store = store
    rules = try options.machineSettings(of: store, queue, arguments)
    for type in queue.typesWithoutTables { rules.tables.setType(of: type, to: type) }
    self.queue = queue
    try self.queue.findNames(from: store, for: rules.dialect)
    rules.tables = try self.queue.completed(rules.tables)
  }

  /// Says what a person should know of what is sent: what of it may be missing, and which names to look
  /// at.
  func tell(
    _ session: Session, _ destination: ReplayOptions.Destination
  ) throws(StoreError) {
    session.sayWhatMayBeMissing(queue.losses, of: queue.source)
    if let words = queue.wordsIfEmpty { session.say(words) }
    tellStates(session)
    tellNames(session)
    let doubts = try DoubtfulColumns(in: store, queue, for: rules.dialect, session.arguments)
    if let words = doubts.words { session.say("note: " + words) }
    let unsent = try UnsentColumns(in: store, queue, rules.dialect)
    for words in unsent.words { session.say("note: " + words) }
    guard case .store(let path) = destination, Paths.exists(path) else { return }
    let target = try session.openCanonicalStore(path).catalogue
    for words in LocalLacks(of: target, for: queue, rules).words {
      session.say("warning: " + words)
    }
  }

  /// Says which operations may have been sent already, as nobody knows what their states mean.
  private func tellStates(_ session: Session) {
    let states = queue.unknownStates
    guard !states.isEmpty else { return }
    let shown = states.map { "\(escapedForTerminal($0.table)): \($0.count)" }
    session.say(
      "warning: operations in a state that the SDK does not have are sent as what waits, though the "
        + "server may have them already (\(firstFew(shown))) [unknown-operation-state]")
  }

  /// Says which names a person should look at: tables of rules that nobody knows, be they those of
  /// another version of the app or a mistake, and columns whose names are guesses.
  private func tellNames(_ session: Session) {
    for table in queue.strangers(among: rules.conflicts.tables) {
      session.say(
        "note: a line of --rules is about the table \(escapedForTerminal(table)), and no table is "
          + "called so")
    }
    let guesses = queue.guessedColumns
    guard !guesses.isEmpty else { return }
    session.say(
      "note: the store does not spell the names of columns, which are sent as "
        + firstFew(guesses.map(escapedForTerminal))
        + "; --model or --rename, of a canonical store where it is converted, tells the app's own "
        + "[names-from-fallback]")
  }

  /// What is to be sent to a target, as the journal calls it; at most `limit` lines of that count.
  ///
  /// - Returns: the plan, and how many lines it knows of.
  func plan(for target: String, limit: Int = .max) throws(StoreError) -> (ReplayPlan, lines: Int) {
    var history = ReplayHistory()
    var lines = 0
    try store.forEachJournalLine(target: target) { line in
      guard lines < limit else { return }
      lines += 1
      history.add(
        line.sequence, event: line.event, version: line.version, status: line.status,
        detail: line.detail)
    }
    let plan = ReplayPlan(
      queue.operations, history: history, dialect: rules.dialect, tables: rules.tables,
      habits: queue.habits, pointers: queue.pointers, gaps: queue.gaps, names: queue.names)
    try checkWhatWasSetAside()
    try expectWholeItems(in: plan)
    return (plan, lines)
  }

  /// Throws where the dialect sends whole items, and an update holds only what changed.
  private func expectWholeItems(in plan: ReplayPlan) throws(StoreError) {
    let dialect = rules.dialect
    guard dialect == .v3 || dialect == .toolkit, plan.hasUpdates(of: queue.habits.changeSources)
    else { return }
    throw StoreError(
      .usage,
      "updates of this store hold only what changed, and \(dialect.rawValue) sends whole items",
      hint: "--dialect v2 changes parts of items")
  }

  /// What the steps of the plan send.
  func items() throws(StoreError) -> ReplayItems {
    try ReplayItems(of: store, queue, for: rules.dialect)
  }
}
