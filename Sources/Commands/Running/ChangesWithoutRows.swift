import Bytes
import Records
import SyncSDKs

extension StoreReader {
  /// Tells what becomes of changes of tables of which only the rows stay behind, where only some
  /// tables go.
  ///
  /// What is sent as the queue itself keeps it still can be; the others are the operations that a replay
  /// holds back. Of sets of changes, which can be sent without the rows of their objects, nothing is
  /// told.
  func findingsWithoutRows(
    _ operations: OperationList, besides kept: Set<ExactText>
  ) -> [Finding] {
    var lost: [ExactText: Int] = [:]
    var sent: [ExactText: Int] = [:]
    let effects = Fold(operations, in: catalogue, habits: source.foldHabits).effects
    for effect in effects.indices {
      let places = effects.places(at: effect)
      guard let table = operations[places.first].table, !kept.contains(ExactText(table)) else {
        continue
      }
      let isKept = places.kind == .delete || operations[places.payload].item != nil
      effects.forEachPlace(places) { _ in
        if isKept {
          sent[ExactText(table), default: 0] += 1
        } else {
          lost[ExactText(table), default: 0] += 1
        }
      }
    }
    return catalogue.tables.map(\.name).flatMap { table in
      [
        (
          lost, Severity.warning,
          "the rows of \(table), which was left out, so that changes of them cannot be sent from here"
        ),
        (
          sent, .note,
          "the rows of \(table), which was left out; changes of them that the queue holds can still be "
            + "sent from here"
        ),
      ].compactMap { counts, severity, words in
        counts[ExactText(table)].map {
          Finding("not-carried-over", severity, table: table, message: "\(words): \($0)")
        }
      }
    }
  }
}
