import Records

/// How one step goes on with a server: what is sent next, and what an answer means.
protocol Course: Sendable {
  var step: ReplayStep { get }
  /// What the server's item is to become.
  var goal: CourseGoal { get }
  /// What is sent next.
  var need: CourseNeed { get }
  /// Whether a change was sent of which nobody knows whether it arrived.
  var isUncertain: Bool { get }
  /// When the server spoke of success without showing what it did; nil where it did not.
  var promise: Promise? { get }
  /// The status with which the server refused the change before it was asked why; nil where it did
  /// not.
  var refusedStatus: Int? { get }
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
  mutating func take(_ failure: TransportFailure) -> CourseVerdict
  /// Takes an answer to the request that left last; `table` is what the server has shown of its table.
  mutating func take(
    _ answer: ReplayAnswer, _ item: SentItem?, in table: TableStanding
  ) -> CourseVerdict
  /// Turns to what the server has, for the policy that a conflict was given.
  ///
  /// - Returns: whether there is a way.
  mutating func overrule(_ situation: ConflictSituation, _ item: ServerItem?) -> Bool
}

/// What the server's item is to become.
enum CourseGoal: Sendable {
  case create
  case replace
  case remove
}

/// What is sent next.
enum CourseNeed: Sendable {
  case change
  case undelete
  case question
}

/// What an answer or a failure comes to.
enum CourseVerdict: Sendable {
  /// The next request may leave at once.
  case go
  /// The next request waits a while, at least as long as the server asked.
  case wait(retryAfter: String?, words: String?)
  /// The change is on the server.
  case done(ReplayOutcome, version: String?)
  /// The server refuses the change for good.
  case refused(words: String?)
  /// The server has something that the change does not fit.
  case conflict(ConflictSituation, ServerItem?)
  /// The change was sent, and the server does not say whether it arrived.
  case unknown(words: String?)
  /// The same, where a person may decide by what the server has.
  case undecided(ServerItem?, words: String)
  /// The server wants other credentials.
  case forbidden(words: String?)
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

extension Course {
  /// What is told where the server says that it took a change, and its item is as before.
  static var nothingDone: String { Delivery.promiseMark + ", and shows nothing of it" }

  /// What is told where a page came as the answer to a change, which is not there.
  static var pageForChange: String { "a page came as the answer, and the change is not there" }
}
