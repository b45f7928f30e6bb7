import Records
import SyncSDKs

/// Why no replay sends an operation for what it holds itself.
enum UnsentReason: Sendable {
  case send(SendObstacle)
  case parse(ParseObstacle)

  /// The same in words for people.
  var words: String {
    switch self {
    case .send(let obstacle): obstacle.words
    case .parse(let obstacle): obstacle.words
    }
  }
}

extension ParseObstacle {
  fileprivate var words: String {
    switch self {
    case .noChange: "objects of its class are made by no change, but by a sign-up or a registration"
    case .withoutChanges: "the changes that one of its operations was to send are gone"
    case .withoutFile: "it holds a file that was never uploaded, and whose bytes are not here"
    }
  }
}

extension SendObstacle {
  /// Why nothing is sent, in words for people.
  var words: String {
    switch self {
    case .besideUnreadable:
      "another operation on the item cannot be read, so what the item should be is not known"
    case .withoutTable: "it names no table"
    case .withoutItem: "it names no item"
    case .withoutRow: "the row that it would send is gone"
    case .notSendable: "its table, id or version cannot be put into a request"
    }
  }
}
