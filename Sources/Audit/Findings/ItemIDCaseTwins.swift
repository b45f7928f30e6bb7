import Records

extension FindingKind {
  /// Ids that differ only in letter case.
  static let itemIDCaseTwins = FindingKind(
    "item-id-case-twins", .warning,
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
    for facts in input.tables {
      for shared in facts.sharedIDs where Set(shared.spellings).count > 1 {
        sink.raise(
          table: facts.name, itemID: shared.spellings.first,
          "\(Set(shared.spellings).count) spellings of this id differ only in letter case")
      }
    }
  }
}
