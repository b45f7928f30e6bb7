import Formats
import Records

/// How far one step has come with a server of items, and what an answer means for it.
///
/// It knows no time and no policy. Whatever the server says about a change is compared with what
/// it has, where the two could differ.
struct ItemCourse: Course {
  /// What the refusal of a change may mean, and what the server said of it.
  private struct Suspicion: Sendable {
    let situation: ConflictSituation
    let status: Int
    let words: String?
  }

  let step: ReplayStep
  /// What the server's item is to become.
  private(set) var goal: CourseGoal
  /// The version that the server's item should have.
  private(set) var version: String?
  /// What is sent next.
  private(set) var need: CourseNeed
  /// Whether a change was sent of which nobody knows whether it arrived.
  private(set) var isUncertain: Bool
  /// Whether the change also brings a deleted item back.
  private(set) var bringsBack = false
  /// When the server spoke of success without showing the item.
  private(set) var promise: Promise?
  /// Whether a page came instead of the server's word about the change.
  private var isAnsweredByPage = false
  /// The item of another id that it showed instead.
  private var otherItem: ServerItem?
  /// What the server's refusal of a change pointed to, until it is asked.
  private var suspicion: Suspicion?
  private var refusals = 0
  /// The words of a refusal that may speak of the address and not of the item.
  private var strangeWords: String?
  /// Whether the server says that the id of a new item is taken, and shows no item.
  private var isHidden = false
  /// How far the item is on its way back; nil where the change brings none back.
  private var revival: Revival?
  /// What the server has shown of the table.
  private var table = TableStanding.known
  /// What the server keeps otherwise than it was sent, once the change is there.
  private(set) var serverChanges: [ServerChange] = []
  private let dialect: Dialect

  /// The beginning of a step's course; one in doubt begins with a question.
  init(_ step: ReplayStep, version: String?, _ dialect: Dialect) {
    self.step = step
    self.version = version
    self.dialect = dialect
    goal =
      switch step.effect.kind {
      case .insert: step.effect.replaces ? .replace : .create
      case .update: .replace
      case .delete: .remove
      }
    need = step.isInDoubt ? .question : .change
    isUncertain = step.isInDoubt
    promise = step.isPromised ? .earlier : nil
    resume()
  }

  /// Goes on with an item that an earlier run has brought back, or may have.
  private mutating func resume() {
    guard goal != .remove, let revival = step.mark.flatMap({ Revival($0) }) else { return }
    switch revival {
    case .asked: if isUncertain { self.revival = revival }
    case .done(let version):
      goal = .replace
      self.version = version
      self.revival = revival
    }
  }

  /// Begins with the change even where an earlier run has left a doubt.
  mutating func forgetDoubt() {
    need = .change
  }

  var lacksID: Bool { false }

  var refusedStatus: Int? { suspicion?.status }

  var mark: String? {
    switch (need, revival) {
    case (.undelete, .asked?), (.change, .done?): revival?.text
    default: nil
    }
  }

  /// The next request; nil when it needs an item and there is none.
  func request(_ maker: RequestMaker, _ item: SentItem?) -> ReplayRequest? {
    switch (need, goal) {
    case (.question, _): maker.question(step)
    case (.undelete, _): maker.undeletion(step, version: version)
    case (.change, .remove): maker.deletion(step, version: version)
    case (.change, .create): item.map { maker.creation(step, $0) }
    case (.change, .replace):
      item.map { maker.change(step, $0, version: version, bringsBack: bringsBack) }
    }
  }
}

extension ItemCourse {
  /// Takes the lack of an answer.
  mutating func take(_ failure: TransportFailure) -> CourseVerdict {
    switch failure {
    case .notSent(let words):
      return .wait(retryAfter: nil, words: words)
    case .unknown(let words):
      return doubt(retryAfter: nil, words: words)
    case .redirected:
      return doubt(retryAfter: nil, words: failure.words)
    }
  }

  /// Takes an answer to the request that left last.
  mutating func take(
    _ answer: ReplayAnswer, _ item: SentItem?, in table: TableStanding
  ) -> CourseVerdict {
    self.table = table
    switch answer.status {
    // Some tables and items may be changed by those who may not read them.
    case 401 where need != .question, 403 where need != .question, 407:
      return .forbidden(words: words(of: answer))
    case 408, 425, 429, 500...: return doubt(answer)
    case ..<200, 300..<400: return doubt(answer)
    default: break
    }
    switch need {
    case .question: return takeReading(answer, item)
    case .undelete: return takeUndeletion(answer)
    case .change: return takeChange(answer, item)
    }
  }

  /// Turns to what the server has, for the policy that a conflict was given.
  ///
  /// - Returns: whether there is a way.
  mutating func overrule(_ situation: ConflictSituation, _ item: ServerItem?) -> Bool {
    suspicion = nil
    strangeWords = nil
    let wasPromised = promise != nil
    isAnsweredByPage = false
    promise = nil
    bringsBack = false
    revival = nil
    refusals = 0
    need = .change
    switch (situation, item) {
    case (.exists, nil) where goal == .create && !isHidden:
      // A service that shows no deleted items may still bring one back.
      isHidden = true
      bringBack(nil)
    case (.deleted, nil):
      goal = .create
      version = nil
    case (.deleted, let item?): bringBack(item)
    case (_, let item?):
      version = item.version
      if goal == .create { goal = .replace }
    case (_, nil): return wasPromised
    }
    return true
  }

  /// Turns to a deleted item; the Toolkit brings it back together with the change.
  private mutating func bringBack(_ item: ServerItem?) {
    version = item?.version
    if dialect == .toolkit {
      goal = .replace
      bringsBack = true
    } else {
      need = .undelete
      revival = item.map { .asked(mark: $0.mark(dialect)) }
    }
  }

  private mutating func doubt(_ answer: ReplayAnswer) -> CourseVerdict {
    doubt(retryAfter: answer.retryAfter, words: words(of: answer))
  }

  /// The request may have been carried out: asks before it is sent again.
  private mutating func doubt(retryAfter: String?, words: String?) -> CourseVerdict {
    if need != .question { isUncertain = true }
    // A hidden item that may be back is either shown now, or hidden as before.
    if need == .undelete { isHidden = false }
    need = .question
    return .wait(retryAfter: retryAfter, words: words)
  }

  /// Asks at once.
  private mutating func look() -> CourseVerdict {
    suspicion = nil
    need = .question
    return .go
  }

  /// Asks at once whether a refusal means what it seems to.
  private mutating func look(_ situation: ConflictSituation, after answer: ReplayAnswer)
    -> CourseVerdict
  {
    suspect(situation, after: answer)
    need = .question
    return .go
  }

  private mutating func suspect(_ situation: ConflictSituation, after answer: ReplayAnswer) {
    // An item that is shown has values, and no words.
    let isShown = ServerItem(answer, dialect) != nil
    suspicion = Suspicion(
      situation: situation, status: answer.status, words: isShown ? nil : words(of: answer))
  }
}

extension ItemCourse {
  private mutating func takeChange(_ answer: ReplayAnswer, _ item: SentItem?) -> CourseVerdict {
    switch answer.status {
    case 200..<300: return takeSuccess(answer, item)
    case 404, 410:
      let isGone = isMissing(answer)
      switch goal {
      case .remove where isGone: return .done(.alreadyApplied, version: nil)
      case .replace:
        if !isGone { strangeWords = strange(answer) }
        return look(.deleted, after: answer)
      case .remove, .create: return .refused(words: strange(answer))
      }
    case 409, 412:
      let isShown = answer.status == 412 || dialect.showsItemOnClash
      let clash: ConflictSituation = goal == .create ? .exists : .changed
      guard isShown, let shown = ServerItem(answer, id: step.itemID, dialect) else {
        return look(clash, after: answer)
      }
      suspect(clash, after: answer)
      return settle(shown, item)
    default: return .refused(words: words(of: answer))
    }
  }

  /// Believes a success that shows the item, or that shows nothing where nothing is left.
  private mutating func takeSuccess(_ answer: ReplayAnswer, _ item: SentItem?) -> CourseVerdict {
    let shown = ServerItem(answer, dialect)
    let isOurs = shown?.isCalled(step.itemID) ?? false
    if goal == .remove {
      let isSaid = answer.body.isEmpty && table != .unlisted
      if isSaid || isOurs { return .done(.applied, version: nil) }
    } else if let shown, isOurs {
      noteChanges(item, shown)
      return .done(.applied, version: shown.version)
    }
    // A page is the word of what stands in front of the service, such as a sign-in.
    isAnsweredByPage = isPage(answer.body)
    promise = isAnsweredByPage ? nil : .now
    otherItem = goal == .remove ? nil : shown
    isUncertain = true
    return look()
  }

  /// Whether an answer says that the item is missing; without words it does where the table is known
  /// to be there, or where a server that lists nothing says that it has deleted the item.
  private func isMissing(_ answer: ReplayAnswer) -> Bool {
    let isDeleted = table == .unlisted && goal == .remove && promise != nil
    return saysItemIsMissing(answer, isTableKnown: table == .known || isDeleted)
  }

  private mutating func takeUndeletion(_ answer: ReplayAnswer) -> CourseVerdict {
    switch answer.status {
    case 200..<300:
      guard let shown = ServerItem(answer, id: step.itemID, dialect), !shown.isDeleted else {
        isUncertain = true
        return look(.deleted, after: answer)
      }
      return changeWhatIsBack(shown)
    case 409, 412: return look(.deleted, after: answer)
    case 404 where !isHidden && isMissing(answer),
      410 where !isHidden && isMissing(answer):
      return look(.deleted, after: answer)
    default:
      let said = words(of: answer).map { ": " + $0 } ?? ""
      return .refused(
        words: isHidden
          ? "the server says that the id is taken, shows no such item, and brings none back\(said)"
          : "the server does not bring the deleted item back\(said)")
    }
  }

  /// Goes on to the change of an item that is back.
  private mutating func changeWhatIsBack(_ shown: ServerItem) -> CourseVerdict {
    goal = .replace
    version = shown.version
    revival = .done(version: shown.version)
    suspicion = nil
    // What a run that ends here leaves must not be taken for what the device knew.
    isUncertain = true
    need = .change
    return .go
  }

  /// Whether a server that calls the item otherwise shows it; what has none of the values may be any.
  private func isOurs(_ shown: ServerItem, _ item: SentItem?) -> Bool {
    guard shown.id == otherItem?.id, let item else { return false }
    return isCarriedInPart(item, by: shown, dialect)
  }

  private mutating func takeReading(_ answer: ReplayAnswer, _ item: SentItem?) -> CourseVerdict {
    switch answer.status {
    case 200..<300:
      guard let shown = ServerItem(answer, dialect),
        shown.isCalled(step.itemID) || isOurs(shown, item)
      else { return .wait(retryAfter: nil, words: "the answer shows no item or another one") }
      return settle(shown, item)
    case 404 where isMissing(answer),
      410 where isMissing(answer):
      return settleMissing(item)
    default:
      // Where the sign-in may have ended no policy decides.
      if promise == .earlier, answer.status == 401 { return .unknown(words: words(of: answer)) }
      if promise != nil { return settleUnseen(item, ", and does not let the item be read") }
      // Nothing that was said so far spoke of the item.
      if let strangeWords, !isUncertain { return .refused(words: strangeWords) }
      // The server lets nobody read, so that what was refused cannot be compared.
      if let suspicion, !isUncertain { return .conflict(suspicion.situation, nil) }
      return .unknown(words: words(of: answer))
    }
  }
}

extension ItemCourse {
  private mutating func settle(_ shown: ServerItem, _ item: SentItem?) -> CourseVerdict {
    if goal == .remove {
      if shown.isDeleted { return found(version: nil) }
      guard isExpected(shown) else { return .conflict(.changed, shown) }
      return promise == nil ? changeAgain(shown) : .refused(words: Self.nothingDone)
    }
    if shown.isDeleted { return .conflict(.deleted, shown) }
    let isEqual = item.map { isCarried($0, by: shown, dialect) } ?? false
    if isEqual || promise != nil { noteChanges(item, shown) }
    if !isEqual, isBack(shown) { return changeWhatIsBack(shown) }
    if promise != nil {
      if isEqual || isSeen(item, in: shown) { return found(version: shown.version) }
      let isUntouched = goal == .replace && version != nil && version == shown.version
      return isUntouched
        ? .refused(words: Self.nothingDone) : .undecided(shown, words: Self.nothingDone)
    }
    if goal == .create {
      return isEqual ? found(version: shown.version) : .conflict(.exists, shown)
    }
    // An item of the version that the change started from cannot have been changed yet.
    if let version, version == shown.version { return changeAgain(shown) }
    if isEqual { return found(version: shown.version) }
    return version == nil || shown.version == nil
      ? changeAgain(shown) : .conflict(.changed, shown)
  }

  /// Whether a change that the server says it took is seen in the item, which keeps some values
  /// otherwise.
  ///
  /// That others are as sent says nothing of an item that may be as it was before.
  private func isSeen(_ item: SentItem?, in shown: ServerItem) -> Bool {
    let isOther = version != nil && shown.version != nil && version != shown.version
    guard goal == .create || isOther, let item else { return false }
    return isCarriedInPart(item, by: shown, dialect)
  }

  /// Whether the item is back as it was, although nothing was heard of the request for that.
  private func isBack(_ shown: ServerItem) -> Bool {
    guard case .asked(let mark)? = revival else { return false }
    return mark == shown.mark(dialect)
  }

  private mutating func settleMissing(_ item: SentItem?) -> CourseVerdict {
    switch goal {
    case .remove: return found(version: nil)
    case _ where promise != nil: return settleUnseen(item)
    case .replace where step.effect.replaces:
      goal = .create
      strangeWords = nil
      return changeAgain(nil)
    case .replace: return .conflict(.deleted, nil)
    case .create: return changeAgain(nil)
    }
  }

  /// What a change comes to that the server says it took, and that cannot be seen in the item.
  private mutating func settleUnseen(
    _ item: SentItem?, _ reason: String = ", and shows no such item"
  ) -> CourseVerdict {
    guard goal == .create, let otherItem else {
      return .undecided(nil, words: Delivery.promiseMark + reason)
    }
    // As for the SDKs, the answer's item is the new one.
    noteChanges(item, otherItem)
    return .done(.applied, version: nil)
  }

  private func isExpected(_ shown: ServerItem) -> Bool {
    version == nil || shown.version == nil || version == shown.version
  }

  private func found(version: String?) -> CourseVerdict {
    .done(promise != nil ? .applied : .alreadyApplied, version: version)
  }

  /// What a change comes to that is refused again and again, although nothing speaks against it.
  private func refusedAgain(_ suspicion: Suspicion, _ shown: ServerItem?) -> CourseVerdict {
    // An item that is there was never meant by a refusal that spoke of a missing one.
    if suspicion.situation == .deleted, shown != nil {
      return .refused(words: strangeWords ?? "the server takes no change of an item that it shows")
    }
    // Nor did the condition fail where the item has the version that was asked for.
    if let version, version == shown?.version {
      return .refused(
        words: suspicion.words
          ?? "the server refuses the change of an item that has the version asked for")
    }
    return .conflict(suspicion.situation, shown)
  }

  private mutating func noteChanges(_ item: SentItem?, _ shown: ServerItem) {
    serverChanges = item.map { changes(of: $0, by: shown, dialect) } ?? []
    guard !shown.isCalled(step.itemID) else { return }
    serverChanges.insert(
      ServerChange(field: dialect.idMember, sent: .string(step.itemID), kept: shown.id), at: 0)
  }

  /// The words of an answer that speaks of something else than a missing item.
  private func strange(_ answer: ReplayAnswer) -> String {
    words(of: answer) ?? "nothing was found there, and the answer does not say what"
  }

  /// The change has not been carried out, so it is sent again, unless that was refused before.
  private mutating func changeAgain(_ shown: ServerItem?) -> CourseVerdict {
    if let suspicion {
      refusals += 1
      if refusals > 2 { return refusedAgain(suspicion, shown) }
    }
    // What answers may do so again and again, and pass the change on all the same.
    if isAnsweredByPage {
      return .unknown(words: Self.pageForChange)
    }
    suspicion = nil
    isUncertain = false
    need = .change
    return .go
  }
}
