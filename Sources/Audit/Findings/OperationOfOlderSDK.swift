import Records

extension FindingKind {
  /// An operation whose code means something else now.
  static let operationOfOlderSDK = FindingKind(
    "operation-of-older-sdk", .error,
    title: "an operation that an older SDK queued under other codes",
    meaning:
      "The operation was queued by the SDK for Mobile Apps, and the file was then opened by "
      + "Microsoft.Datasync.Client, which gives the same numbers other meanings: an update "
      + "reads as a delete, and a delete as an insert.",
    causes: [
      "The app moved to Microsoft.Datasync.Client and kept its store without converting it."
    ],
    remedies: [
      "Do not send it as it is: take the operations from a backup made before the app was "
        + "updated, or mark this one as dropped and compare the item with the server's copy."
    ]
  )
}
