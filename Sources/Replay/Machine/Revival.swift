/// How far a change has come that first brings the deleted item back, as the journal keeps it.
///
/// An item that is back looks like one that somebody else has changed, so that what was deleted
/// would be taken for another conflict after a lost answer or in a later run.
enum Revival: Sendable, Equatable {
  /// It was asked for, of an item that held what the mark tells while it was deleted.
  case asked(mark: String)
  /// The item is back, and has a version unless the server keeps none.
  case done(version: String?)

  private static let askedWord = "undelete"
  private static let doneWord = "undeleted"

  /// Reads what the journal keeps; nil where that is something else.
  init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    switch (words.first, words.count) {
    case (Self.askedWord, 2): self = .asked(mark: words[1])
    case (Self.doneWord, _): self = .done(version: words.count > 1 ? words[1] : nil)
    default: return nil
    }
  }

  /// As the journal keeps it; values of items are not in it.
  var text: String {
    switch self {
    case .asked(let mark): Self.askedWord + " " + mark
    case .done(let version): ([Self.doneWord] + [version].compactMap(\.self)).joined(separator: " ")
    }
  }
}
