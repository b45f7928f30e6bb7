import Bytes
import Records

extension FindingKind {
  /// Several operations with one id.
  static let duplicateOperationID = FindingKind(
    "duplicate-operation-id", .warning,
    title: "several operations with one id",
    meaning:
      "The SDK's own id of the operation is not unique. The SDK finds operations by it, so one "
      + "of them can hide, overwrite or remove another.",
    causes: [
      "The write queue of the iOS SDK before 2.2.0 was concurrent, so the counter could give "
        + "a number twice."
    ],
    remedies: [
      "Expect rows in this store that were changed without any operation, and compare them "
        + "with the server.",
      "Name operations by their sequence, not by their original id.",
    ]
  ) { input, sink in
    // Counters that grow leave nothing to look for, and most queues have such.
    guard !input.originalIDsGrow else { return }
    let operations = input.operations
    var known = HashPlaces(capacity: operations.count)
    for (index, operation) in operations.enumerated() {
      guard let hash = operation.originalIDHash(seed: known.seed) else { continue }
      guard let earlier = known.first(of: hash, where: { operation.isOwnTwin(of: operations[$0]) })
      else {
        known.add(index, hash: hash)
        continue
      }
      sink.raise(
        at: index,
        "operation \(operations.sequence(at: earlier)) has the same id of the SDK's")
    }
  }
}

extension PendingOperation {
  /// A hash of the SDK's own id and of its source; nil where there is none.
  fileprivate func originalIDHash(seed: UInt64) -> UInt64? {
    texts.originalID.map { id in
      spelledHash(packed.span.extracting(id), seed: seed ^ UInt64(truncatingIfNeeded: source))
    }
  }

  /// Whether another operation of the same device has the same id of the SDK's.
  fileprivate func isOwnTwin(of other: PendingOperation) -> Bool {
    source == other.source && originalID == other.originalID
  }
}
