/// How one step goes on with a server: what is sent next, and what an answer means.
protocol Course: Sendable {
  var step: ReplayStep { get }
  /// What the server's item is to become.
  var goal: StepCourse.Goal { get }
  /// What is sent next.
  var need: StepCourse.Need { get }
  /// Whether a change was sent of which nobody knows whether it arrived.
  var isUncertain: Bool { get }
  /// When the server spoke of success without showing what it did; nil where it did not.
  var promise: Promise? { get }
  /// Whether the table is known to be there.
  var isTableKnown: Bool { get set }
  /// What the server keeps otherwise than it was sent, once the change is there.
  var serverChanges: [ServerChange] { get }
  /// What the journal keeps of the server's item before a request leaves; nil for nothing.
  var mark: String? { get }
  /// Whether the server's id of the item is not known, so that nothing can be sent.
  var lacksID: Bool { get }

  /// Begins with the change even where an earlier run has left a doubt.
  mutating func forgetDoubt()
  /// The next request; nil when it needs an item and there is none.
  func request(_ maker: RequestMaker, _ item: SentItem?) -> ReplayRequest?
  /// Takes the lack of an answer.
  mutating func take(_ failure: TransportFailure) -> StepCourse.Verdict
  /// Takes an answer to the request that left last.
  mutating func take(_ answer: ReplayAnswer, _ item: SentItem?) -> StepCourse.Verdict
  /// Turns to what the server has, for the policy that a conflict was given.
  ///
  /// - Returns: whether there is a way.
  mutating func overrule(_ situation: ConflictSituation, _ item: ServerItem?) -> Bool
}

/// When a server said that it took a change, and did not show the item.
///
/// Such a change is never sent again by itself: where nothing shows it, the server may keep it under
/// an id of its own.
enum Promise: Sendable {
  /// In an earlier run, after which a person was told.
  case earlier
  case now
}

extension StepCourse: Course {
  var lacksID: Bool { false }
}
