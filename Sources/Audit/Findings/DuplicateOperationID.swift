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
    var first: [OwnID: Int] = Dictionary(minimumCapacity: input.operations.count)
    for index in input.operations.indices {
      guard let text = input.operations[index].originalID else { continue }
      let id = OwnID(source: input.operations[index].source, text: text)
      guard let earlier = first[id] else {
        first[id] = index
        continue
      }
      sink.raise(
        at: index,
        "operation \(input.operations[earlier].sequence) has the same id of the SDK's")
    }
  }
}

/// An id of the SDK's, which tells operations of one device apart.
private struct OwnID: Hashable {
  let source: Int32
  let text: String
}
