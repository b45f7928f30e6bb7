import Bytes
import Records

extension FindingKind {
  /// A row that the server may never have had.
  static let rowWithoutVersionOrOperation = FindingKind(
    "row-without-version-or-operation", .warning,
    severityNote:
      "A note where no row of the table has a version: then the table is hardly synchronised "
      + "with versions at all.",
    title: "a row that the server may never have had",
    meaning:
      "The row has no version, which the server gives to every item that it knows, and no "
      + "operation waits to send it. Either it was never sent, or its version was lost.",
    causes: [
      "The concurrent write queue of the iOS SDK before 2.2.0 overwrote its operation.",
      "The app wrote the row with plain Core Data, past the SDK, or was killed between the "
        + "two saves that an SDK makes for a change.",
      "Builds of the iOS SDK of June 2014 pulled rows without their versions.",
      "An app update renamed ms_version to version without a renaming identifier, so that "
        + "all versions were lost.",
    ],
    remedies: [
      "Ask the server for the item. If it is not there, insert it from the export."
    ]
  ) { input, sink in
    guard !input.sdk.sendsBranches else { return }
    for facts in input.tables where facts.unexplainedRows > 0 {
      guard facts.rowsWithVersion > 0 else {
        sink.raise(
          .note, table: facts.name, itemID: facts.rows == 1 ? facts.unexplainedIDs.first : nil,
          "no row of the table has a version, and \(facts.unexplainedRows) have no operation either"
        )
        continue
      }
      for id in facts.unexplainedIDs {
        sink.raise(
          table: facts.name, itemID: id,
          "the row has no version, and no operation waits to send it")
      }
      let rest = facts.unexplainedRows - facts.unexplainedIDs.count
      if rest > 0 {
        sink.raise(
          table: facts.name, rest.counting("more row is", "more rows are") + " without both",
          count: rest)
      }
    }
  }
}
