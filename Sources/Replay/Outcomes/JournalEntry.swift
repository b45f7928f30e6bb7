package import Records

/// One entry of the journal: it holds neither secrets nor items.
package struct JournalEntry: Sendable, Equatable {
  /// What happened; the raw values are what the journal keeps.
  package enum Event: Sendable, Equatable {
    /// A request that changes the item is about to leave.
    case sending
    /// It was not sent, and is older than what was sent of later devices.
    ///
    /// That is a word about the order of changes, and none about a target.
    case held
    case outcome(ReplayOutcome)

    /// The word that the journal keeps.
    package var word: String {
      switch self {
      case .sending: "sending"
      case .held: "held"
      case .outcome(let outcome): outcome.rawValue
      }
    }

    init?(word: String) {
      switch word {
      case "sending": self = .sending
      case "held": self = .held
      default:
        guard let outcome = ReplayOutcome(rawValue: word) else { return nil }
        self = .outcome(outcome)
      }
    }
  }

  /// The operations concerned.
  package var sequences: OperationSequences
  /// What happened.
  package var event: Event
  /// How often the step's change had been sent in this run, this time included.
  package var attempt: Int?
  /// The status of the answer.
  package var status: Int?
  /// The item's version on the server, which the next operation on it starts from.
  package var version: String?
  /// The server's or the network's words.
  package var words: String?

  /// An entry about operations.
  init(_ sequences: OperationSequences, _ event: Event) {
    self.sequences = sequences
    self.event = event
  }
}
