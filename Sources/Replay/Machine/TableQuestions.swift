import Bytes
import Records

/// Which of the server's tables were asked for, and what came of it.
///
/// Each table is asked for once, before anything is sent to it: where a name or the path in front
/// of it is wrong, the answers would otherwise look as if the items were gone.
struct TableQuestions: Sendable {
  enum State: Sendable {
    /// A step's request asks for it.
    case asking(step: Int)
    /// Steps may send, and know how far answers can be relied on.
    case there(TableStanding)
    /// Nothing can be sent to it.
    case missing(status: Int, words: String, lack: TableLack?)
  }

  private var states: [ExactText: State] = [:]

  /// What is known of a table; nil before it is asked for.
  subscript(table: String) -> State? { states[ExactText(table)] }

  /// How far answers about a table's items can be relied on.
  func standing(of table: String) -> TableStanding {
    if case .there(let standing)? = states[ExactText(table)] { standing } else { .closed }
  }

  /// Keeps others from asking for a table.
  mutating func ask(for table: String, step: Int) { states[ExactText(table)] = .asking(step: step) }

  /// Whether a step waits for the answer to another one's question.
  func isWaiting(_ step: ActiveStep) -> Bool {
    if case .asking(let asker)? = states[ExactText(step.course.step.table)] {
      asker != step.id
    } else {
      false
    }
  }

  mutating func settle(_ table: String, _ state: State) { states[ExactText(table)] = state }

  /// Takes what an applied change proves of its table.
  ///
  /// A server that lists nothing may show whatever it is sent: there only what it says of an item that
  /// it has deleted is proof.
  mutating func noteApplied(_ course: any Course) {
    let isLookedUp = course.goal == .remove && course.need == .question
    guard case .there(let standing)? = self[course.step.table],
      standing != .unlisted || isLookedUp
    else { return }
    settle(course.step.table, .there(.known))
  }

  /// Lets another step ask where one ends that did and has no answer.
  mutating func release(_ step: ActiveStep) {
    let table = step.course.step.table
    if case .asking(step.id)? = states[ExactText(table)] { states[ExactText(table)] = nil }
  }
}

/// What the question for a table has shown.
enum TableStanding: Sendable {
  case known
  /// The server shows its items to nobody, so that only it can tell what is there.
  case closed
  /// The server speaks of success and lists no items, as one does that answers everything so.
  case unlisted
}

extension TableQuestions.State {
  /// What a step's table was refused with, as its result.
  func result(of step: ActiveStep) -> StepResult? {
    guard case .missing(let status, let words, let lack) = self else { return nil }
    var result = step.result(step.course.isUncertain ? .inDoubt : .rejected)
    result.status = status
    result.words = words
    result.lack = lack
    return result
  }
}
