import Bytes
import Records

extension FindingKind {
  /// Rows without an id.
  static let missingItemID = FindingKind(
    "missing-item-id", .warning,
    title: "rows without an id",
    meaning:
      "Rows of the table have no id, or an empty one. They can neither be sent nor be matched "
      + "with the server.",
    causes: [
      "The app saved the rows with plain Core Data, past the SDK.",
      "An upsert of an item without id lands on such a row (iOS SDK).",
    ],
    remedies: [
      "Find out what the rows are; give them ids before they are sent as inserts."
    ]
  ) { input, sink in
    // An object that was never saved has only the name that its device gave it.
    guard input.sdk.hasIDsFromTheStart, !input.sdk.sendsBranches else { return }
    for facts in input.tables where facts.missingIDs > 0 {
      sink.raise(table: facts.name, facts.missingIDs.counting("row has", "rows have") + " no id")
    }
  }
}
