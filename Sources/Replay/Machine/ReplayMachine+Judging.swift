import Bytes
import Formats
import Records

extension ReplayMachine {
  /// How often a change is sent on top of what the server has before it is left as a conflict.
  private static let mostOverrules = 5
  /// After so many requests in a row without an end, a step waits as after a failure.
  private static let mostTurns = 8
  /// After so many steps given up in a row, the server counts as out of order.
  private static let mostGivenUp = 3

  /// Carries out what an answer comes to.
  mutating func judge(_ verdict: CourseVerdict, at place: Int, _ turn: inout Turn) {
    switch verdict {
    case .go:
      notePromise(at: place, &turn)
      // The server was asked once more, and the change at which it fails is not there.
      if active[place].isLastLook, active[place].course.need != .question,
        let fault = active[place].fault
      {
        return end(at: place, active[place].failed(fault), &turn)
      }
      goOn(at: place, &turn)
    case .wait(let header, let words):
      active[place].words = words
      waitForRetry(header, at: place, &turn)
    case .done(let outcome, let version):
      if outcome == .applied { tables.noteApplied(active[place].course) }
      var result = active[place].result(outcome)
      result.version = version
      result.changes = active[place].course.serverChanges
      end(at: place, result, &turn)
    case .refused(let words):
      end(at: place, active[place].result(.rejected), words: words, &turn)
    case .unknown(let words):
      // Parse tells by codes what is closed to a user.
      if settings.dialect != .parse, let status = active[place].status, [401, 403].contains(status)
      {
        refusedReading = status
      }
      end(at: place, active[place].result(.inDoubt), words: words, &turn)
    case .undecided(let item, let words): decideDoubt(item, words, at: place, &turn)
    case .conflict(let situation, let item): decide(situation, item, at: place, &turn)
    case .forbidden(let words):
      let status = active[place].status ?? 401
      active[place].words = words
      end(at: place, active[place].unfinished(.notPermitted), &turn)
      halt(.notPermitted(status: status), .stopped, &turn)
    }
  }

  /// Lets nothing more leave; what is under way may still end by itself.
  mutating func halt(
    _ stop: ReplaySummary.Stop, _ reason: PendingReason, _ turn: inout Turn
  ) {
    if !isHalted { summary.stop = stop }
    isHalted = true
    while let place = active.firstIndex(where: { !$0.isInFlight }) {
      end(at: place, active[place].unfinished(reason), &turn)
    }
  }

  mutating func end(
    at place: Int, _ result: StepResult, words: String? = nil, _ turn: inout Turn
  ) {
    var result = result
    if let words { result.words = words }
    let step = active.remove(at: place)
    if result.outcome == .inDoubt, step.course.promise != nil { result.tellPromise() }
    tables.release(step)
    tie(step, result)
    keepOrder(behind: result, of: step.course.step)
    // What an earlier run has sent may be settled by a question alone.
    if step.course.step.isInDoubt, result.outcome.isFinal { notePassedOver(&turn) }
    // Where nothing was sent there is nothing to take back.
    if step.isJournalled || mustBeKnown(result) {
      let wasSent = step.isJournalled || result.outcome != .pending
      var entry = JournalEntry(result.sequences, wasSent ? .outcome(result.outcome) : .held)
      entry.status = result.status
      entry.version = result.version
      entry.words = result.words ?? result.noteOfChanges
      turn.journal.append(entry)
    }
    queue.end(result)
    summary.count(result)
    turn.settled.append(result)
    countFailure(result)
  }

  /// Keeps at once what the server said of a change that it did not show, so that no run sends it
  /// again by itself.
  private mutating func notePromise(at place: Int, _ turn: inout Turn) {
    guard active[place].course.promise == .now, active[place].promisedStatus == nil else { return }
    active[place].promisedStatus = active[place].status
    var entry = JournalEntry(
      active[place].course.step.effect.sequences, .outcome(.inDoubt))
    entry.status = active[place].status
    entry.words = Delivery.promiseMark
    turn.journal.append(entry)
  }

  /// Lets later changes point to an object by the id that the server gave it.
  private mutating func tie(_ active: ActiveStep, _ result: StepResult) {
    let step = active.course.step
    guard settings.dialect.serverGivesIDs, step.effect.kind == .insert,
      let version = result.version.flatMap({ ParseVersion($0) })
    else { return }
    maker.pointers.tie(
      step.itemID, className: settings.tables.name(of: step.table), objectID: version.objectID)
  }

  private mutating func countFailure(_ result: StepResult) {
    // A conflict waits for a decision, and has a policy of its own that ends the run.
    guard !result.outcome.isFinal, result.outcome != .conflict else { return }
    failedOperations += result.sequences.count
    if let most = settings.maxFailures, failedOperations > most, summary.stop == nil {
      summary.stop = .tooManyFailures
    }
  }

  /// Lets the next request of a step leave at once.
  mutating func goOn(at place: Int, _ turn: inout Turn) {
    guard !isHalted else { return end(at: place, active[place].unfinished(.stopped), &turn) }
    active[place].asksForTable = false
    active[place].turns += 1
    if active[place].turns.isMultiple(of: Self.mostTurns) {
      waitForRetry(nil, at: place, &turn)
    } else {
      active[place].due = turn.now
    }
  }

  private mutating func waitForRetry(_ header: String?, at place: Int, _ turn: inout Turn) {
    if active[place].failures == 0 { active[place].answersBefore = soundAnswers }
    active[place].failures += 1
    let failures = active[place].failures
    guard failures < settings.maxAttempts, !isHalted else { return giveUp(at: place, &turn) }
    let asked = header.flatMap { retryAfter($0, at: turn.now) } ?? 0
    let delay = max(pace.delay(after: failures), min(asked, settings.longestRetryAfter))
    active[place].due = turn.now &+ delay
  }

  private mutating func giveUp(at place: Int, _ turn: inout Turn) {
    if !isHalted, endsInFault(at: place, &turn) { return }
    let step = active[place]
    var result = step.unfinished(isHalted ? .stopped : .retryLater)
    // What lists no items, and answers without the one that it says it took, may be no service.
    if !isHalted, let status = step.status, (200..<300).contains(status),
      step.course.promise != nil, standing(ofTableAt: place) == .unlisted
    {
      result.lack = .service
    }
    end(at: place, result, &turn)
    guard !isHalted, soundAnswers == step.answersBefore else { return }
    givenUp += 1
    let words =
      switch (step.status, step.words) {
      case (let status?, let words?): "\(status): \(words)"
      case (nil, let words?): words
      case (let status?, nil): "status \(status) without words"
      case (nil, nil): "no answer"
      }
    if answers == 0 {
      halt(.unreachable(words), .retryLater, &turn)
    } else if givenUp >= Self.mostGivenUp {
      halt(.unavailable(words), .retryLater, &turn)
    }
  }

  /// Ends a step at which the server itself fails, or looks once more what became of it.
  private mutating func endsInFault(at place: Int, _ turn: inout Turn) -> Bool {
    let step = active[place]
    let isFault = step.status.map(isServerFault) ?? false
    if step.asksForTable {
      guard let status = step.status, isFault || (200..<300).contains(status) else { return false }
      giveUpTable(at: place, ActiveStep.ServerFault(status: status, words: step.words))
      goOn(at: place, &turn)
      return true
    }
    guard isFault, let fault = step.fault else { return false }
    if step.isLastLook {
      end(at: place, step.failed(fault), &turn)
    } else {
      active[place].isLastLook = true
      active[place].due = turn.now
    }
    return true
  }
}

extension ReplayMachine {
  /// Decides about a conflict by the rules that were given.
  private mutating func decide(
    _ situation: ConflictSituation, _ item: ServerItem?, at place: Int, isDoubt: Bool = false,
    _ turn: inout Turn
  ) {
    let policy = policy(for: situation, at: place)
    switch policy == .newest ? newest(item, at: place) : policy {
    case .clientWins:
      active[place].overrules += 1
      let isAgain = isDoubt && active[place].course.promise != nil
      if !isHalted, active[place].overrules <= Self.mostOverrules,
        active[place].course.overrule(situation, item)
      {
        if isAgain { noteSendingAgain(at: place, &turn) }
        return goOn(at: place, &turn)
      }
      leave(
        .conflict, situation, item, at: place,
        words: active[place].overrules > 1
          ? "the change was sent on top of it "
            + (active[place].overrules - 1).counting("time", "times") + ", in vain" : nil,
        &turn)
    case .serverWins: leave(.dropped, situation, item, at: place, &turn)
    case .stop:
      if summary.stop == nil { summary.stop = .conflict }
      leave(.conflict, situation, item, at: place, &turn)
    case .skip:
      leave(.conflict, situation, item, at: place, words: wordsOfSkipping(policy, at: place), &turn)
    case .newest: leave(.conflict, situation, item, at: place, &turn)
    }
  }

  /// What the rules say about a conflict of a step.
  ///
  /// That a device wins against the server does not mean that its change goes on top of what a later
  /// device has sent.
  private func policy(for situation: ConflictSituation, at place: Int) -> ConflictPolicy {
    let step = active[place].course.step
    let policy = settings.conflicts.policy(for: step, situation)
    return policy == .clientWins && step.isOvertaken ? .skip : policy
  }

  /// Why a conflict is left that no rule leaves by itself.
  private func wordsOfSkipping(_ policy: ConflictPolicy, at place: Int) -> String? {
    if policy == .newest { return "nothing tells which of the two is newer" }
    return active[place].course.step.isOvertaken
      ? "a later change of another device was sent before, on top of which none is sent" : nil
  }

  /// Decides about a change of which nobody can tell whether it arrived: without a word of the
  /// person's, who has been told, it stays in doubt.
  ///
  /// A policy that stays in the command from run to run sends once more what the server said it
  /// took, and not each time.
  private mutating func decideDoubt(
    _ item: ServerItem?, _ words: String, at place: Int, _ turn: inout Turn
  ) {
    let step = active[place].course.step
    let policy = active[place].course.promise == .now ? .skip : policy(for: .changed, at: place)
    switch policy {
    case .serverWins: decide(.changed, item, at: place, &turn)
    case .clientWins where !step.wasSentAgain:
      decide(.changed, item, at: place, isDoubt: true, &turn)
    case .clientWins, .newest, .skip, .stop:
      var result = active[place].result(.inDoubt)
      result.reason = .undecided
      end(at: place, result, words: words, &turn)
    }
  }

  /// Keeps that what the server said it took leaves once more, so that no later run repeats that.
  private mutating func noteSendingAgain(at place: Int, _ turn: inout Turn) {
    var entry = JournalEntry(active[place].course.step.effect.sequences, .outcome(.inDoubt))
    entry.words = Delivery.sentAgainMark
    turn.journal.append(entry)
    active[place].isJournalled = false
  }

  private mutating func leave(
    _ outcome: ReplayOutcome, _ situation: ConflictSituation, _ item: ServerItem?, at place: Int,
    words: String? = nil, _ turn: inout Turn
  ) {
    var result = active[place].result(outcome)
    result.situation = situation
    result.version = outcome == .conflict ? item?.version : nil
    result.serverItem = item?.json
    end(at: place, result, words: words, &turn)
  }

  /// Whose change is the later one, if both tell.
  private func newest(_ item: ServerItem?, at place: Int) -> ConflictPolicy {
    let step = active[place].course.step
    let stored = step.effect.item.flatMap {
      SentItem(ReplayItem(json: $0), id: step.itemID, settings.dialect)?.updatedAt
    }
    // A time that .NET begins with was never set.
    func told(_ time: String?) -> String? { time.flatMap { isEmptyText($0) ? nil : $0 } }
    guard let ours = told(active[place].item?.updatedAt ?? stored).flatMap(moment),
      let theirs = told(item?.updatedAt).flatMap(moment)
    else { return .skip }
    return ours > theirs ? .clientWins : .serverWins
  }
}
