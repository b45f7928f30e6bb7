/// Keeps the memory of the answers under way in bounds: only one of them is large, and others that
/// would be wait for its end.
final class AnswerRoom {
  private let smallAnswer: Int
  /// The exchange whose answer is the large one.
  private var large: Int?

  /// Room for any number of answers of some size, and a larger one.
  init(smallAnswer: Int) { self.smallAnswer = smallAnswer }

  /// Whether the answer of an exchange may grow to some size now.
  func admits(_ exchange: Int, _ size: Int) -> Bool {
    guard isLarge(size) else { return true }
    if large == nil { large = exchange }
    return large == exchange
  }

  /// Whether only one answer may have some size at a time.
  func isLarge(_ size: Int) -> Bool { size > smallAnswer }

  /// Forgets the answer of an exchange.
  func leave(_ exchange: Int) {
    if large == exchange { large = nil }
  }
}
