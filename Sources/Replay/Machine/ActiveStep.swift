import Bytes
import Records

/// A step that is under way.
struct ActiveStep: Sendable {
  /// How far it has come with the server.
  var course: any Course
  /// What it sends, once that was asked for.
  var item: SentItem?
  /// Whether its request has left and nothing came back yet.
  var isInFlight = false
  /// When its next request may leave.
  var due: Int64
  /// Whether the journal knows that its change was sent.
  var isJournalled: Bool
  /// How often its change was sent.
  var changes = 0
  /// How many requests in a row went on at once.
  var turns = 0
  /// How often the server or the network failed.
  var failures = 0
  /// How many answers of the server had made sense when that began.
  var answersBefore = 0
  /// How often a policy sent the change on top of what the server had.
  var overrules = 0
  /// The status of the last answer.
  var status: Int?
  /// The status with which the server said that it took the change, where it did not show the item.
  var promisedStatus: Int?
  /// What the last failure said.
  var words: String?
  /// How the server failed at the change that left last; nil where it did not.
  var fault: ServerFault?
  /// Whether nothing more is sent but the question what became of the change.
  var isLastLook = false
  var asksForTable = false
  /// The item's id without regard to letter case, where the server has none.
  let foldedID: ExactText?

  /// What a server that failed for good said.
  struct ServerFault: Sendable {
    let status: Int
    let words: String?
  }

  init(_ course: any Course, foldedID: ExactText? = nil, at now: Int64) {
    self.course = course
    self.foldedID = foldedID
    due = now
    isJournalled = course.step.isInDoubt
  }

  var id: Int { course.step.id }

  /// What becomes of it when it cannot go on.
  func unfinished(_ reason: PendingReason) -> StepResult {
    var result = result(course.isUncertain ? .inDoubt : .pending)
    if result.outcome == .pending { result.reason = reason }
    result.words = words
    return result
  }

  /// What becomes of it when the server has failed at its change again and again.
  func failed(_ fault: ServerFault) -> StepResult {
    var result = result(.rejected)
    result.status = fault.status
    result.words = fault.words
    return result
  }

  /// A result with what the last answer said, or the refusal that was asked about.
  func result(_ outcome: ReplayOutcome) -> StepResult {
    var result = StepResult(
      step: id, sequences: course.step.effect.sequences, outcome: outcome)
    result.status = promisedStatus ?? status
    switch outcome {
    // What was asked after the refusal was answered well.
    case .conflict, .rejected, .dropped: result.status = course.refusedStatus ?? result.status
    case .applied, .alreadyApplied, .pending, .inDoubt: break
    }
    return result
  }
}
