import Records

extension FindingKind {
  /// Two generations in one file.
  static let twoSDKGenerations = FindingKind(
    "two-sdk-generations", .note,
    title: "a file that two generations of an SDK have written to",
    meaning:
      "The file holds columns or settings of an older SDK beside those of the one that "
      + "wrote last. Where system columns stand side by side, those of the newer one count.",
    causes: [
      "The app was updated to a newer SDK and kept its store."
    ],
    remedies: [
      "Nothing, as long as the newer columns are filled; look at the evidence that inspect "
        + "shows."
    ]
  )
}
