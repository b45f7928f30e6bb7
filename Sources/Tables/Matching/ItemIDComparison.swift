import Bytes
import Records

/// When two ids name the same item.
package enum ItemIDComparison: Sendable {
  /// When they are spelled alike.
  case exact
  /// When they differ at most in the case of ASCII letters.
  case ignoringASCIICase
  /// When they differ at most in case.
  case ignoringCase

  /// A hash that is the same for all ids of an item.
  package func hash(_ id: Span<UInt8>, seed: UInt64) -> UInt64 {
    switch self {
    case .exact: spelledHash(id, seed: seed)
    case .ignoringASCIICase: asciiFoldedHash(id, seed: seed)
    case .ignoringCase: foldedHash(id, seed: seed)
    }
  }

  func match(_ id: Span<UInt8>, _ operation: borrowing PendingOperation) -> RowMatches.Match {
    if operation.isItemID(id) { return .exact }
    guard self != .exact, isValidUTF8(id) else { return .none }
    return operation.withItemID { isSame(id, $0) } == true ? .otherSpelling : .none
  }

  func match(_ operation: borrowing PendingOperation, _ other: borrowing PendingOperation)
    -> RowMatches.Match
  {
    operation.withItemID { match($0, other) } ?? .none
  }

  private func isSame(_ id: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
    // Folding whole texts is slow, and ids of SDKs need none of it.
    if id.isEqualIgnoringASCIICase(to: other) { return true }
    guard self == .ignoringCase else { return false }
    // Letters with marks may be spelled in two ways, which no SDK and no hash takes for one.
    return ExactText(folding: text(id)) == ExactText(folding: text(other))
  }

  private func text(_ id: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.append(id)
    return String(decoding: bytes, as: UTF8.self)
  }
}
