import Bytes
import Records

extension FindingKind {
  /// Rows that the server has deleted.
  static let softDeletedRows = FindingKind(
    "soft-deleted-rows", .note,
    title: "rows that the server has deleted",
    meaning:
      "Rows carry the server's mark of deletion and are still here. To the app they look "
      + "alive.",
    causes: [
      "Previews of the iOS SDK before September 2014 did not ask for the mark when they "
        + "pulled, and nothing removed such rows."
    ],
    remedies: [
      "Leave them out when the data moves to a new system."
    ]
  ) { input, sink in
    // What Parse marks is about to be deleted by the app, and an operation tells of it.
    guard input.sdk.hasDeletionMarks else { return }
    for facts in input.tables where facts.deletedRows > 0 {
      sink.raise(
        table: facts.name, facts.deletedRows.counting("row is", "rows are") + " marked as deleted")
    }
  }
}
