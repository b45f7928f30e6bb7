import Records

extension FindingKind {
  /// Ids that differ only in letter case.
  static let itemIDCaseTwins = FindingKind(
    "item-id-case-twins", .warning,
    severityNote:
      "A note for Amplify DataStore, whose ids are of one item only where they are alike.",
    title: "ids that differ only in letter case",
    meaning:
      "Rows have the same id in different spellings. Servers and newer SDKs take them for one "
      + "item.",
    causes: [
      "Devices make upper-case ids and servers lower-case ones; the iOS SDK before 2.2.0 "
        + "compared them letter by letter."
    ],
    remedies: [
      "Compare the rows and keep the one that is meant."
    ]
  ) { input, sink in
    guard let severity = input.sdk.caseTwins else { return }
    for facts in input.tables {
      for shared in facts.sharedIDs where shared.spellings > 1 {
        sink.raise(
          severity, table: facts.name, itemID: shared.first,
          "\(shared.spellings) spellings of this id differ only in letter case")
      }
      let rest = facts.unlistedIDs.twins
      if rest > 0 {
        sink.raise(
          severity, table: facts.name,
          "\(rest) more ids have spellings that differ only in letter case",
          count: rest)
      }
    }
  }
}
