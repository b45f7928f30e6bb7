import Bytes
import Formats
import Records

extension ReplayMachine {
  /// What keeps a step from being sent now.
  enum Hindrance {
    /// Another step asks for its table.
    case wait
    /// Its table must be asked for first.
    case question
    /// There is no such table.
    case end(StepResult)
  }

  /// What keeps the step at a place from being sent; nil when nothing does.
  func hindrance(at place: Int) -> Hindrance? {
    if isBehindCreation(place) { return .wait }
    guard settings.asksForTables else { return nil }
    let step = active[place]
    guard let state = tables[step.course.step.table] else { return .question }
    if case .asking(let asker) = state { return asker == step.id ? .question : .wait }
    return state.result(of: step).map { .end($0) }
  }

  /// How far answers about the item of the step at a place can be relied on.
  func standing(ofTableAt place: Int) -> TableStanding {
    settings.asksForTables ? tables.standing(of: active[place].course.step.table) : .known
  }

  /// Whether a step creates an item whose id the server gives, while another one of its table is under
  /// way: such new ones are told apart only by what they hold.
  func isBehindCreation(_ place: Int) -> Bool {
    guard settings.dialect.serverGivesIDs, active[place].course.goal == .create else {
      return false
    }
    let table = active[place].course.step.table
    return active[..<place].contains {
      $0.course.goal == .create && hasSameBytes($0.course.step.table, table)
    }
  }

  mutating func judgeTable(_ answer: ReplayAnswer, at place: Int, _ turn: inout Turn) {
    let table = active[place].course.step.table
    switch answer.status {
    case 407:
      judge(.forbidden(words: words(of: answer)), at: place, &turn)
    case 404, 410:
      tables.settle(table, missing(table, answer))
      goOn(at: place, &turn)
    case 400 where settings.dialect != .parse && isAboutVersion(answer):
      let words = "the server asks for another version of the protocol" + said(words(of: answer))
      tables.settle(table, .missing(status: 400, words: words, lack: .version))
      goOn(at: place, &turn)
    case ..<200, 300..<400, 408, 425, 429, 500...:
      judge(
        .wait(retryAfter: answer.retryAfter, words: words(of: answer)), at: place, &turn)
    case 200..<300:
      guard let standing = shown(answer) else {
        // An answer may have been cut; a page that comes every time is told.
        let words = "what answers is no table service" + said(words(of: answer))
        return judge(.wait(retryAfter: nil, words: words), at: place, &turn)
      }
      tables.settle(table, .there(standing))
      goOn(at: place, &turn)
    case 405:
      // Only a route that is there refuses a method.
      tables.settle(table, .there(.known))
      goOn(at: place, &turn)
    default:
      tables.settle(table, .there(.closed))
      goOn(at: place, &turn)
    }
  }

  /// Whether a refusal is about the version of the protocol, which would refuse every change, too, and not
  /// about the query alone.
  private func isAboutVersion(_ answer: ReplayAnswer) -> Bool {
    guard let words = words(of: answer)?.lowercased(), !words.contains("$") else { return false }
    let letters = words.filter(\.isLetter)
    return letters.contains("apiversion")
      && ["invalid", "unsupported", "notsupported", "required", "specif"].contains {
        letters.contains($0)
      }
  }

  /// Gives up a table at which the server fails for good, or of which it shows no items.
  mutating func giveUpTable(at place: Int, _ fault: ActiveStep.ServerFault) {
    let step = active[place].course.step
    let words = "the table \(path(of: step.table)) cannot be read" + said(fault.words)
    let lack = isServerFault(fault.status) ? nil : TableLack.service
    tables.settle(step.table, .missing(status: fault.status, words: words, lack: lack))
  }

  private func missing(_ table: String, _ answer: ReplayAnswer) -> TableQuestions.State {
    .missing(
      status: answer.status,
      words: "the server has no table " + path(of: table) + said(words(of: answer)),
      lack: .table)
  }

  /// What an answer with success shows: the services list items in a few forms, all of them JSON;
  /// nil where it is something else, or nothing.
  private func shown(_ answer: ReplayAnswer) -> TableStanding? {
    // The lists of Parse have one form, and its word for a deletion is an object, too.
    if settings.dialect == .parse { return ParseAnswer(answer).results.map { _ in .known } }
    // What is no JSON is told as that.
    switch answeredJSON(answer, limits: FormatLimits())?.value {
    case .array?: return .known
    case .object(let object)?:
      let isList = ["items", "results", "value"].contains { name in
        if case .array? = object[name] { true } else { false }
      }
      return isList ? .known : .unlisted
    default: return nil
    }
  }

  private func path(of table: String) -> String {
    settings.tables.path(of: table, settings.dialect)
  }

  private func said(_ words: String?) -> String { words.map { ": " + $0 } ?? "" }
}
