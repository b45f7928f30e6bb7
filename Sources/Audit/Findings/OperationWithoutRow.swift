import Records

extension FindingKind {
  /// An insert or update whose row is gone.
  static let operationWithoutRow = FindingKind(
    "operation-without-row", .error,
    severityNote: "A warning in stores of PowerSync, whose operations hold what they send.",
    title: "an insert or update whose row is gone",
    meaning:
      "The queue holds an insert or an update, but the row that it would send is not in its "
      + "table. There is nothing to send, so the change itself is lost on this device.",
    causes: [
      "The app called cancelOperationAndDiscardItem: on an error; in every release of the "
        + "iOS SDK that deletes the row and leaves the operation (issue 97 of "
        + "azure-mobile-apps-ios-client).",
      "The app deleted the row itself, past the SDK.",
      "Two sync contexts, or the concurrent write queue of SDKs before 2.2.0, crossed each other.",
    ],
    remedies: [
      "Look for a copy of the item in an error of the same item, and in an older backup of "
        + "the device.",
      "If there is none, mark the operation as dropped: it can never be sent, and it keeps "
        + "the app from pulling its table.",
    ]
  ) { input, sink in
    for index in input.pending where input.lacksRow(index) {
      let hasCopy = input.hasErrorCopy(index)
      sink.raise(
        at: index,
        "the row that this \(input.kindName(index)) would send is gone"
          + (hasCopy ? "; an error of the item holds a copy" : ""))
    }
  }
}
