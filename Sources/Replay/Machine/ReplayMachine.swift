import Bytes
package import Records

/// Decides what is sent when, and what answers mean; it has no clock, no network and no files.
///
/// Feed `start`, carry out the actions in order, and feed what comes of them until `finish`.
/// Several events may be fed at once: they share one journal action, and so one flush of the disk.
package struct ReplayMachine: Sendable {
  /// What gives a step's item: nil where its row is gone.
  package typealias ItemSource = (ReplayStep) throws(StoreError) -> ReplayItem?

  let plan: ReplayPlan
  let settings: ReplaySettings
  var maker: RequestMaker
  var queue: StepQueue
  /// The items of which no other change is sent in this run.
  private var unsettled: UnsettledItems
  var pace: Pace
  var active: [ActiveStep] = []
  var tables = TableQuestions()
  var summary = ReplaySummary()
  /// Whether steps that are under way may still send.
  var isHalted = false
  var failedOperations = 0
  /// How many answers came, and how many that were no failure of the server.
  var answers = 0
  var soundAnswers = 0
  /// Whether the server has let a change pass, so that it takes the credentials.
  var takesCredentials = false
  /// The status with which it did not let an item be read, so that a change stays in doubt.
  var refusedReading: Int?
  /// How many steps in a row were given up without a sound answer in between.
  var givenUp = 0
  private var drained = 0
  /// What the plan passes over, until the journal has it.
  private var passedOver: OperationSequences
  private var isFinished = false

  /// A machine at the beginning of its run.
  package init(_ plan: ReplayPlan, _ settings: ReplaySettings) {
    self.plan = plan
    self.settings = settings
    maker = RequestMaker(
      dialect: settings.dialect, tables: settings.tables, pointers: plan.pointers)
    queue = StepQueue(plan)
    unsettled = UnsettledItems(capacity: plan.count)
    pace = Pace(settings)
    passedOver = plan.passedOver
  }

  /// Takes events at a time in milliseconds since 1970 and says what to do.
  ///
  /// `item` gives what an insert or update sends, from the row as it is now; nil where it is gone.
  package mutating func handle(
    _ events: [ReplayEvent], at now: Int64, item: ItemSource
  ) throws(StoreError) -> [ReplayAction] {
    guard !isFinished else { return [] }
    var turn = Turn(now: now)
    for event in events { try take(event, &turn, item) }
    repeat {
      if summary.stop == nil { fill(&turn) }
    } while try dispatch(&turn, item) && !turn.isFull
    if active.isEmpty, queue.isEmpty { stopIfNothingWasPermitted() }
    if active.isEmpty, summary.stop != nil || queue.isEmpty { drain(&turn) }
    return turn.actions + nextAction(turn)
  }

  private mutating func take(
    _ event: ReplayEvent, _ turn: inout Turn, _ item: ItemSource
  ) throws(StoreError) {
    switch event {
    case .start, .tick: break
    case .stop(let reason): halt(.requested(reason), .stopped, &turn)
    case .failure(let step, let failure):
      guard let place = landed(step) else { return }
      active[place].status = nil
      if active[place].asksForTable {
        return judge(.wait(retryAfter: nil, words: failure.words), at: place, &turn)
      }
      if active[place].course.need != .question { active[place].fault = nil }
      judge(active[place].course.take(failure), at: place, &turn)
    case .answer(let step, let answer):
      guard let place = landed(step) else { return }
      count(answer, turn.now)
      active[place].status = answer.status
      if active[place].asksForTable { return judgeTable(answer, at: place, &turn) }
      try fetchItem(at: place, item)
      noteFault(answer, at: place)
      noteRights(answer.status, at: place)
      let table = standing(ofTableAt: place)
      judge(active[place].course.take(answer, active[place].item, in: table), at: place, &turn)
    }
  }

  /// Keeps what is older than the changes of later devices that this run may send, for a run that
  /// could send it; what neither sends anything nor learns what was sent changes no order.
  mutating func notePassedOver(_ turn: inout Turn) {
    guard !passedOver.isEmpty else { return }
    turn.journal.append(JournalEntry(passedOver, .held))
    passedOver = []
  }

  /// Whether the journal must have a result, be it that nothing was sent: that the change is older
  /// than those of later devices, which do not wait for it.
  func mustBeKnown(_ result: StepResult) -> Bool {
    result.outcome != .pending
      || plan.isOfSeveral && !result.isUnsettled && result.sequences.contains(where: plan.isNew)
  }

  /// Where the step is whose request came back; nil when none of its requests is under way.
  private mutating func landed(_ step: Int) -> Int? {
    guard let place = active.firstIndex(where: { $0.id == step && $0.isInFlight }) else {
      return nil
    }
    active[place].isInFlight = false
    return place
  }

  /// Remembers how the server failed at a change.
  private mutating func noteFault(_ answer: ReplayAnswer, at place: Int) {
    guard active[place].course.need != .question else { return }
    active[place].fault =
      isServerFault(answer.status)
      ? ActiveStep.ServerFault(status: answer.status, words: words(of: answer)) : nil
  }

  /// Remembers whether the credentials are good for changes, which a question does not tell.
  private mutating func noteRights(_ status: Int, at place: Int) {
    guard active[place].course.need != .question else { return }
    if (200..<300).contains(status) || status == 409 || status == 412 { takesCredentials = true }
  }

  /// Where no change has passed, it is the credentials that let nothing be read.
  private mutating func stopIfNothingWasPermitted() {
    guard summary.stop == nil, !takesCredentials, let refusedReading else { return }
    summary.stop = .notPermitted(status: refusedReading)
  }

  private mutating func count(_ answer: ReplayAnswer, _ now: Int64) {
    answers += 1
    switch answer.status {
    case 408, 425, 429, 500...:
      if let wait = answer.retryAfter.flatMap({ retryAfter($0, at: now) }) {
        pace.keepQuiet(wait, at: now)
      }
    default:
      soundAnswers += 1
      givenUp = 0
    }
  }

  /// Begins steps for as long as there are workers.
  private mutating func fill(_ turn: inout Turn) {
    while active.count < max(settings.jobs, 1), !turn.isFull, let id = queue.begin() {
      guard let step = plan[id] else { continue }
      let foldedID =
        settings.dialect.tellsCaseTwinsApart ? nil : ExactText(folding: step.itemID)
      if let reason = queue.obstacle(to: id) ?? unsettledObstacle(to: step) {
        keepOrder(behind: report(step, reason, &turn), of: step)
      } else if let foldedID, let twin = twin(of: step, foldedID) {
        queue.postpone(id, behind: twin)
      } else {
        let course = settings.course(of: step, version: queue.version(for: step))
        active.append(ActiveStep(course, foldedID: foldedID, at: turn.now))
      }
    }
  }

  /// The step under way on what is one item to the server, though devices spell its id in two ways.
  private func twin(of step: ReplayStep, _ foldedID: ExactText) -> Int? {
    func path(_ step: ReplayStep) -> ExactText {
      ExactText(folding: settings.tables.path(of: step.table, settings.dialect))
    }
    return active.first { other in
      other.foldedID == foldedID && path(other.course.step) == path(step)
    }?.id
  }

  /// Whether another change of the item, of a device before or under another spelling of the id, waits
  /// for a later run, which must not find this one done.
  private func unsettledObstacle(to step: ReplayStep) -> PendingReason? {
    guard !unsettled.isEmpty, unsettled.mayContain(itemHash(of: step)) else { return nil }
    return .afterUnfinished
  }

  /// Lets nothing more be sent of the item of a step that a later run begins with again.
  mutating func keepOrder(behind result: StepResult, of step: ReplayStep) {
    if result.isUnsettled { unsettled.insert(itemHash(of: step)) }
  }

  private func itemHash(of step: ReplayStep) -> UInt64 {
    settings.tables.itemHash(ofTable: step.table, id: step.itemID, settings.dialect)
  }

  /// Tells of the steps that never began.
  private mutating func drain(_ turn: inout Turn) {
    while !turn.isFull, let id = queue.drain(from: &drained) {
      guard let step = plan[id] else { continue }
      report(step, queue.obstacle(to: id) ?? .stopped, &turn)
    }
    isFinished = !turn.isFull
  }

  /// Ends a step that sent nothing.
  @discardableResult
  private mutating func report(
    _ step: ReplayStep, _ reason: PendingReason, _ turn: inout Turn
  ) -> StepResult {
    var result = StepResult(
      step: step.id, sequences: step.effect.sequences,
      outcome: step.isInDoubt ? .inDoubt : .pending)
    if !step.isInDoubt { result.reason = reason }
    if !step.isInDoubt, mustBeKnown(result) {
      turn.journal.append(JournalEntry(result.sequences, .held))
    }
    queue.end(result)
    summary.count(result)
    turn.settled.append(result)
    return result
  }

  private func nextAction(_ turn: Turn) -> [ReplayAction] {
    if isFinished { return [.finish(summary)] }
    if turn.isFull { return [.wake(at: turn.now)] }
    let next = active.indices.lazy
      .filter { place in
        !active[place].isInFlight && !tables.isWaiting(active[place]) && !isBehindCreation(place)
      }
      .map { max(active[$0].due, pace.opens) }.min()
    return next.map { [.wake(at: max($0, turn.now))] } ?? []
  }
}

/// Whether a status says that the server failed by itself, and not that it is busy or away.
func isServerFault(_ status: Int) -> Bool {
  status >= 500 && !(502...504).contains(status)
}

extension ReplaySettings {
  /// The request that a step begins with where nothing is in doubt, for people to look at.
  ///
  /// The version that an earlier step on the item will leave is not known yet, but that a delete
  /// leaves none.
  package func firstRequest(
    of step: ReplayStep, _ item: ReplayItem?, _ pointers: LocalPointers = LocalPointers()
  ) -> ReplayRequest? {
    let sent = item.flatMap { SentItem($0, id: step.itemID, dialect) }?.shown(by: pointers)
    // A new object is called as on its device until the server gives it an id.
    let isUnnamed = dialect.serverGivesIDs && step.effect.kind != .insert
    let version =
      (step.followsDelete && !dialect.serverGivesIDs ? nil : step.baseVersion)
      ?? (isUnnamed ? ParseVersion(objectID: step.itemID, updatedAt: nil).text : nil)
    var course = course(of: step, version: version)
    course.forgetDoubt()
    return course.request(RequestMaker(dialect: dialect, tables: tables), sent)
  }

  /// The beginning of a step's course in the server's dialect.
  func course(of step: ReplayStep, version: String?) -> any Course {
    dialect == .parse
      ? ParseCourse(step, version: version) : ItemCourse(step, version: version, dialect)
  }
}
