import Formats
import Records

/// How far one set of changes has come with a server of Parse, and what an answer means for it.
///
/// Parse knows no conditions. So the object is looked at before it is changed, and what was seen is
/// written to the journal; when no answer comes, a second look tells whether the change is there.
struct ParseCourse: Course {
  let step: ReplayStep
  let goal: CourseGoal
  private(set) var need = CourseNeed.question
  private(set) var isUncertain: Bool
  private(set) var serverChanges: [ServerChange] = []
  /// The object's id on the server; nil for a new one without an id of the app's.
  private var objectID: String?
  /// When the object was last changed, as the device or an earlier step knew it.
  private var known: String?
  /// What the look before the change showed; nil where there was none, or nothing could be seen.
  private var before: ParseSight?
  /// Whether the change goes on top of whatever the server has.
  private var isOverruled = false
  /// When the server spoke of success without showing what it did.
  private(set) var promise: Promise?
  /// Whether a page came instead of the server's word about the change.
  private var isAnsweredByPage = false
  /// Whether the server says that it has seen the request before.
  private var isRepeated = false
  /// The status with which the server says that a value of a new object is taken.
  private(set) var refusedStatus: Int?
  /// Whether the server takes no conditions in questions.
  private var isPlainSearch = false
  /// How often a refusal of a change came in no form of Parse's.
  private var strangeAnswers = 0
  /// How often the server spoke of a change that was not there afterwards.
  private var attempts = 0

  /// The beginning of a step's course; `version` is what is known of the object on the server.
  init(_ step: ReplayStep, version: String?) {
    self.step = step
    let version = version.flatMap { ParseVersion($0) }
    objectID = version?.objectID
    known = version?.updatedAt
    goal =
      switch step.effect.kind {
      case .insert: .create
      case .update: .replace
      case .delete: .remove
      }
    isUncertain = step.isInDoubt
    promise = step.isPromised ? .earlier : nil
    before = step.mark.flatMap { ParseSight($0) }
    // A deletion does no more the second time than the first.
    if goal == .remove, known == nil, !step.isInDoubt { need = .change }
  }

  var mark: String? { need == .change ? before?.text : nil }

  var lacksID: Bool { goal != .create && objectID == nil }

  mutating func forgetDoubt() { need = .change }

  func request(_ maker: RequestMaker, _ item: SentItem?) -> ReplayRequest? {
    guard let id = id(of: item) else {
      guard goal == .create, let item else { return nil }
      guard need == .question else {
        return maker.saving(step, item, id: nil, attempt: attempts)
      }
      return maker.search(
        step, isPlainSearch ? JSONObject() : ParseChanges(item).condition)
    }
    guard need != .question else { return maker.object(step, id: id) }
    if goal == .remove { return maker.deletion(step, id: id) }
    return item.map {
      maker.saving(step, $0, id: goal == .create ? nil : id, attempt: attempts)
    }
  }

  /// The object's id on the server; the app may have given one to a new object.
  private func id(of item: SentItem?) -> String? {
    goal == .create ? objectID ?? item?.object.text("objectId") : objectID
  }

  mutating func overrule(_ situation: ConflictSituation, _ item: ServerItem?) -> Bool {
    // An object that is gone does not come back under its id, and a new one has nothing below it.
    guard situation == .changed, goal == .create ? isUncertain : item != nil else { return false }
    isOverruled = true
    isUncertain = false
    promise = nil
    before = nil
    need = .question
    return true
  }

  mutating func take(_ failure: TransportFailure) -> CourseVerdict {
    if case .notSent(let words) = failure { return .wait(retryAfter: nil, words: words) }
    return doubt(retryAfter: nil, words: failure.words)
  }

  /// Takes an answer, whose codes tell more than the table does.
  mutating func take(
    _ answer: ReplayAnswer, _ item: SentItem?, in _: TableStanding
  ) -> CourseVerdict {
    let answered = ParseAnswer(answer)
    switch answered.meaning {
    case .busy: return doubt(retryAfter: answer.retryAfter, words: answered.words)
    case .forbidden: return .forbidden(words: answered.words)
    default: break
    }
    if need != .question { return takeChange(answered, item) }
    return id(of: item) == nil ? takeSearch(answered, item) : takeReading(answered, item)
  }

  /// The request may have been carried out: looks before it is sent again.
  private mutating func doubt(retryAfter: String?, words: String?) -> CourseVerdict {
    if need != .question { isUncertain = true }
    need = .question
    return .wait(retryAfter: retryAfter, words: words)
  }

  private var isTaken: Bool { refusedStatus != nil }

  /// Whether the object is looked at before the change was sent.
  private var isFirstLook: Bool { !isUncertain && promise == nil && !isTaken }
}

extension ParseCourse {
  private mutating func takeChange(_ answer: ParseAnswer, _ item: SentItem?) -> CourseVerdict {
    switch answer.meaning {
    case .success:
      if goal == .remove, answer.endsObject { return .done(.applied, version: nil) }
      if goal != .remove, let object = answer.object,
        let id = goal == .create ? object.text("objectId") ?? id(of: item) : objectID
      {
        serverChanges = ParseChanges(item).differences(in: object)
        let time = object.text("updatedAt") ?? object.text("createdAt")
        return done(.applied, ParseVersion(objectID: id, updatedAt: time))
      }
      isAnsweredByPage = answer.isPage
      promise = isAnsweredByPage ? nil : .now
      isUncertain = true
      return look()
    case .missing where goal == .remove: return .done(.alreadyApplied, version: nil)
    case .missing where goal == .replace: return .conflict(.deleted, nil)
    case .duplicate where goal == .create:
      refusedStatus = answer.status
      return look()
    case .repeated:
      isRepeated = true
      isUncertain = true
      return look()
    default:
      // An answer may have been spoilt on its way; a page that comes every time is told.
      guard answer.object == nil, strangeAnswers < 2 else {
        return .refused(words: answer.words ?? Self.strange)
      }
      strangeAnswers += 1
      isUncertain = true
      return look()
    }
  }

  private static let strange = "nothing was found there, and the answer does not say what"

  private func done(_ outcome: ReplayOutcome, _ version: ParseVersion) -> CourseVerdict {
    .done(outcome, version: version.text)
  }

  private mutating func look() -> CourseVerdict {
    need = .question
    return .go
  }

  /// Lets the change leave.
  private mutating func change() -> CourseVerdict {
    need = .change
    return .go
  }

  /// The change is not there, so it is sent again, unless the server says that it took it; as
  /// another request, where it has taken the last one for a repetition.
  private mutating func changeAgain() -> CourseVerdict {
    if isRepeated { attempts += 1 }
    // A new object may be there under what the server made of it.
    if promise != nil {
      return goal == .create
        ? .undecided(nil, words: Delivery.promiseMark + ", and shows no such object")
        : .refused(words: Self.nothingDone)
    }
    if isAnsweredByPage { return .unknown(words: Self.pageForChange) }
    guard attempts < Self.mostAttempts else { return .refused(words: Self.nothingDone) }
    isUncertain = false
    isRepeated = false
    return change()
  }

  private static let mostAttempts = 4
}

extension ParseCourse {
  /// Takes what a question for a new object of unknown id found.
  private mutating func takeSearch(_ answer: ParseAnswer, _ item: SentItem?) -> CourseVerdict {
    guard answer.meaning == .success else {
      if answer.object == nil { return .wait(retryAfter: nil, words: answer.words) }
      if answer.meaning == .refused, !isPlainSearch {
        isPlainSearch = true
        return .go
      }
      // The class can be written to and not be searched.
      if isTaken { return .conflict(.exists, nil) }
      return isUncertain ? .unknown(words: answer.words) : change()
    }
    guard let results = answer.results else {
      return .wait(retryAfter: nil, words: "the answer shows no list of objects")
    }
    let changes = ParseChanges(item)
    let made = results.filter { changes.isMade($0) && $0.text("objectId") != nil }
    if isFirstLook {
      before = .found(made.compactMap { $0.text("objectId") })
      return change()
    }
    guard case .found(let ids)? = before else {
      if isTaken { return .conflict(.exists, made.first.map { ServerItem(parse: $0) }) }
      return .undecided(
        nil, words: "nobody looked before the object was sent, so that none can be told from it")
    }
    let new = made.first { object in !ids.contains { $0 == object.text("objectId") } }
    if let new, let id = new.text("objectId") {
      return done(
        promise != nil ? .applied : .alreadyApplied,
        ParseVersion(objectID: id, updatedAt: new.text("updatedAt")))
    }
    if isTaken { return .conflict(.exists, made.first.map { ServerItem(parse: $0) }) }
    return changeAgain()
  }

  /// Takes what the server shows of the object.
  private mutating func takeReading(_ answer: ParseAnswer, _ item: SentItem?) -> CourseVerdict {
    switch answer.meaning {
    case .success:
      guard let shown = answer.object, shown.text("objectId") == id(of: item) else {
        return .wait(retryAfter: nil, words: "the answer shows no object or another one")
      }
      return settle(shown, item)
    case .missing: return settleMissing()
    default:
      if answer.object == nil { return .wait(retryAfter: nil, words: answer.words) }
      guard isFirstLook else { return .unknown(words: answer.words) }
      // What is neither an object nor the lack of one comes from a wrong address.
      return answer.meaning == .closed
        ? change() : .refused(words: answer.words ?? Self.strange)
    }
  }

  private mutating func settleMissing() -> CourseVerdict {
    switch goal {
    case .create where isTaken: .conflict(.exists, nil)
    case .create: isFirstLook ? change() : changeAgain()
    case .replace: .conflict(.deleted, nil)
    case .remove: .done(promise != nil ? .applied : .alreadyApplied, version: nil)
    }
  }

  /// Compares what the server has with what the device knew, and with what was to be made of it.
  private mutating func settle(_ shown: JSONObject, _ item: SentItem?) -> CourseVerdict {
    let changes = ParseChanges(item)
    let found = ServerItem(parse: shown)
    let isNewer = !isOverruled && isNewer(shown)
    switch goal {
    case .create:
      return changes.isMade(shown)
        ? finished(shown) : .conflict(.exists, found)
    case .remove:
      if isNewer { return .conflict(.changed, found) }
      return isFirstLook ? change() : changeAgain()
    case .replace:
      guard isFirstLook else { return settleDoubt(shown, changes) }
      if isNewer, changes.overwrites {
        let isThere = !changes.adds && changes.sight(in: shown, mark: nil) == .all
        return isThere ? finished(shown) : .conflict(.changed, found)
      }
      before = .object(shown, changes)
      return change()
    }
  }

  /// Finds out whether a change of an object arrived, by what the server shows after it.
  private mutating func settleDoubt(_ shown: JSONObject, _ changes: ParseChanges) -> CourseVerdict {
    guard case .object(let time, let mark)? = before else {
      switch changes.sight(in: shown, mark: nil) {
      case .all: return finished(shown)
      case .notAll where !changes.adds, .unknown where !changes.adds:
        return changeAgain(shown, changes)
      default: return undecided(shown)
      }
    }
    let isUntouched = time != nil && time == shown.text("updatedAt")
    switch changes.sight(in: shown, mark: mark) {
    case .all: return finished(shown)
    case .notAll where isUntouched, .unknown where isUntouched: return changeAgain(shown, changes)
    // A change of a relation is the same whenever it is made.
    case .unknown where !changes.adds: return changeAgain(shown, changes)
    case .notAll where !changes.adds:
      return isOverruled
        ? changeAgain(shown, changes) : .conflict(.changed, ServerItem(parse: shown))
    default: return undecided(shown)
    }
  }

  private func undecided(_ shown: JSONObject) -> CourseVerdict {
    .undecided(
      ServerItem(parse: shown),
      words: "the object was changed since, and nothing tells whether this change is part of that")
  }

  private func finished(_ shown: JSONObject) -> CourseVerdict {
    done(
      promise != nil ? .applied : .alreadyApplied,
      ParseVersion(
        objectID: shown.text("objectId") ?? objectID ?? "", updatedAt: shown.text("updatedAt")))
  }

  private mutating func changeAgain(_ shown: JSONObject, _ changes: ParseChanges) -> CourseVerdict {
    before = .object(shown, changes)
    return changeAgain()
  }

  /// Whether the server's object was changed after the device saw it.
  private func isNewer(_ shown: JSONObject) -> Bool {
    guard let known = known.flatMap(moment), let now = shown.text("updatedAt").flatMap(moment)
    else { return false }
    return known < now
  }
}

/// What a look at the server showed before a change was sent, as the journal keeps it.
enum ParseSight {
  /// When the object was last changed, and a mark of what the change makes of it.
  case object(updatedAt: String?, mark: String?)
  /// The ids of the objects that looked like the new one.
  case found([String])

  static func object(_ shown: JSONObject, _ changes: ParseChanges) -> ParseSight {
    .object(updatedAt: shown.text("updatedAt"), mark: changes.mark(after: shown))
  }

  /// Reads what the journal keeps; nil where that is something else.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch (words.first, words.count) {
    case ("seen", 3):
      self = .object(
        updatedAt: words[1] == "-" ? nil : words[1], mark: words[2] == "-" ? nil : words[2])
    case ("found", _): self = .found(words.dropFirst().map { $0.replacing("%20", with: " ") })
    default: return nil
    }
  }

  private static func word(_ text: String) -> String { text.replacing(" ", with: "%20") }

  /// As the journal keeps it; values of objects are not in it.
  var text: String {
    switch self {
    case .object(let time, let mark):
      ["seen", time.map(Self.word) ?? "-", mark ?? "-"].joined(separator: " ")
    case .found(let ids): (["found"] + ids.map(Self.word)).joined(separator: " ")
    }
  }
}
