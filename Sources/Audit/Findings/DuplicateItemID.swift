import Bytes
import Records

extension FindingKind {
  /// Several rows with one id.
  static let duplicateItemID = FindingKind(
    "duplicate-item-id", .warning,
    title: "several rows with one id",
    meaning:
      "The table has several rows for the same item. The SDK uses the first that it finds; the "
      + "others are neither sent nor refreshed.",
    causes: [
      "No store of these SDKs has a constraint on ids; races (iOS SDK before 2.2.0) and "
        + "imports by the app make twins."
    ],
    remedies: [
      "Compare the rows and keep the one that is meant. The row with the lowest key is the "
        + "one that operations are tied to."
    ]
  ) { input, sink in
    for facts in input.tables {
      for shared in facts.sharedIDs where shared.isRepeated {
        sink.raise(
          table: facts.name, itemID: shared.first,
          shared.rows.counting("row has this id", "rows have this id"))
      }
      let rest = facts.unlistedIDs.repeated
      if rest > 0 {
        sink.raise(
          table: facts.name, rest.counting("more id is", "more ids are") + " those of several rows",
          count: rest)
      }
    }
  }
}
