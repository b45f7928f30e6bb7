/// The operations that a replay would hold back, since it has sent a later change of another device on
/// what is one item to the server.
package struct LateOperations: Sendable {
  /// What is known of the later change.
  package enum Reason: Int, Sendable {
    /// The server has it, and this one would end on top of it.
    case overtaken
    /// Nobody knows whether it arrived.
    case afterDoubt

    /// What it is, for people.
    package var words: String {
      switch self {
      case .overtaken:
        "a later change of another device was sent before, and this one would end on top of it; give "
          + "it up with 'rehome ops drop'"
      case .afterDoubt:
        "a later change of another device was sent, and it was not known whether it had arrived; once "
          + "that is known, run again"
      }
    }
  }

  private var reasons = PackedPairs()

  /// None.
  package init() {}

  /// Operations by their numbers, in any order.
  package init(_ operations: consuming [(sequence: Int64, reason: Reason)]) {
    operations.sort { $0.sequence < $1.sequence }
    for operation in operations {
      reasons.append(Int(operation.sequence), operation.reason.rawValue)
    }
  }

  /// Whether there are none.
  package var isEmpty: Bool { reasons.count == 0 }

  /// Why an operation is held back; nil where it is not.
  package subscript(sequence: Int64) -> Reason? {
    guard !isEmpty else { return nil }
    let place = reasons.firstPosition(from: Int(sequence))
    guard place < reasons.count, reasons[place].0 == Int(sequence) else { return nil }
    return Reason(rawValue: reasons[place].1)
  }
}
