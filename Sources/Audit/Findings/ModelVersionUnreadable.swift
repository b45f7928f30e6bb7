import Records

extension FindingKind {
  /// One version of the given model cannot be read.
  static let modelVersionUnreadable = FindingKind(
    "model-version-unreadable", .note,
    title: "one version of the given model cannot be read",
    meaning:
      "The model that --model names has several versions, and this one could not be "
      + "tried. Another version belongs to the store.",
    causes: [
      "A damaged file, or a form that only newer tools write."
    ],
    remedies: [
      "Nothing, as long as the version that was chosen is right."
    ]
  )
}
