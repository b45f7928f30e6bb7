import Records

extension FindingKind {
  /// An operation whose id is not positive.
  static let oddOperationID = FindingKind(
    "odd-operation-id", .note,
    severityNote:
      "A warning for a negative id: the iOS SDK's own push never ends while such an operation "
      + "fails.",
    title: "an operation whose id is not positive",
    meaning:
      "Ids count from 1. An id of 0 or below comes from a counter that could not be read at "
      + "start-up; the order is still that of the ids.",
    causes: [
      "The query for the highest id failed when the app started (all releases of the iOS SDK)."
    ],
    remedies: [
      "Nothing for reading or replaying. An app that still runs on this store should push "
        + "once with the cause removed."
    ]
  ) { input, sink in
    guard input.sdk.hasKindsInPayloads else { return }
    for index in input.pending where input.isSo(.hasOddID, index) {
      let id = input.operations[index].originalID.flatMap { Int64($0) } ?? 0
      sink.raise(
        at: index, as: id < 0 ? .warning : nil, "the SDK's id is not positive")
    }
  }
}
