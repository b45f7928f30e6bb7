import Records

extension FindingKind {
  /// An operation that the SDK's own push leaves out.
  static let operationNeverPushed = FindingKind(
    "operation-never-pushed", .warning,
    title: "an operation that the SDK's own push leaves out",
    meaning:
      "The SDK reads only operations of the table kind that it knows. This one has another or "
      + "none, so it waits for ever.",
    causes: [
      "The file was made by an early .NET SDK without the column tableKind and upgraded by a "
        + "later one, which filters on it."
    ],
    remedies: [
      "Replay it: to rehome it is an operation like any other."
    ]
  )
}
