import Bytes
import Records

/// What only stores of PowerSync show; most of it is seen by their reader.
extension FindingKind {
  /// Uploads that were never confirmed.
  static let uploadUnconfirmed = FindingKind(
    "upload-unconfirmed", .warning,
    title: "uploads that were never confirmed",
    meaning:
      "The upload queue is empty, but the service has not confirmed what was uploaded. Until it does, "
      + "downloads are stored and not applied.",
    causes: [
      "The app was stopped after an upload and not online since.",
      "The app's backend took the changes and the service never saw them.",
    ],
    remedies: ["Compare the rows with the server's: the last changes may not have arrived."])

  /// A row that differs from the service's copy.
  static let localChangeWithoutOperation = FindingKind(
    "local-change-without-operation", .warning,
    title: "a change that is neither queued nor confirmed",
    meaning:
      "The row was written here, or its copy was removed, since downloads were last applied. Nothing "
      + "waits to be sent for it, and it is not as the service sent it.",
    causes: [
      "The change left the queue and was never confirmed.",
      "The app gave an upload up that its backend refused; the next download takes the row back.",
      "The service removed the row, and that waits to be applied.",
    ],
    remedies: ["Compare the row with the server's, and send the difference by hand."])

  /// A newer copy of an item with operations.
  static let conflictWithDownloadedCopy = FindingKind(
    "conflict-with-downloaded-copy", .warning,
    title: "a newer copy for an item with waiting operations",
    meaning:
      "The service has sent a copy of the item that waits until the queue is empty. Somebody else "
      + "has changed the item, or it is an earlier change of this device.",
    causes: ["The item was changed on another device."],
    remedies: [
      "Compare the fields that differ before the operation is sent, and mark it as dropped where the "
        + "service's copy is to stay."
    ], asksFirst: true)

  /// A row whose document cannot be read.
  static let rowJSONUnreadable = FindingKind(
    "row-json-unreadable", .error,
    title: "a row whose document is no JSON object",
    meaning:
      "The text that holds the values of the row is no JSON object. The row is kept with empty cells, "
      + "and the raw text goes to rehome_reject.",
    causes: ["The file is damaged, or another tool wrote it."],
    remedies: ["Look at the raw text in the table rehome_reject of the converted store."]
  ) { input, sink in
    input.raiseRejects(.rowJSONUnreadable, &sink)
  }

  /// An attachment that is on the device alone.
  static let attachmentNotUploaded = FindingKind(
    "attachment-not-uploaded", .warning,
    title: "an attachment that was never uploaded",
    meaning:
      "The row names a file on the device and says that it is still to be uploaded. The files lie "
      + "outside of the store, in a folder that the app names.",
    causes: ["The device was not online, or the upload failed."],
    remedies: ["Look for the file in the app's folder, by its column local_uri."])

  /// Rows that the app never saw.
  static let rowsOfUnknownTable = FindingKind(
    "rows-of-unknown-table", .note,
    title: "rows of a type that the app had no table for",
    meaning:
      "The service sent rows of a type that the app's schema does not have. They are a table here.",
    causes: ["The app is older or newer than the service's rules."],
    remedies: ["Leave the table away with --exclude-table where nobody needs it."])

  /// Keys that no view shows.
  static let hiddenColumns = FindingKind(
    "hidden-columns", .note,
    title: "values that the app's view does not show",
    meaning:
      "The rows hold keys for which the app's schema has no column. They are columns here, behind the "
      + "others, with a type that follows from their values.",
    causes: ["The app is older or newer than the service's rules."],
    remedies: ["Nothing, unless the values are not meant to be passed on."])

  /// A table that is on the device alone.
  static let localOnlyTable = FindingKind(
    "local-only-table", .note,
    title: "a table that exists on the device alone",
    meaning: "The rows of the table are never uploaded, so no server has them.",
    causes: ["The app's schema says so."],
    remedies: ["Decide whether the new system needs them."])

  /// A store that a newer SDK wrote.
  static let schemaNewerThanKnown = FindingKind(
    "schema-newer-than-known", .warning,
    title: "a store that is newer than what is known",
    meaning:
      "The store has a migration that came after the last one that is known. What is known is read; "
      + "what is new may be missing.",
    causes: ["The app was made with a newer SDK."],
    remedies: ["Look for a newer version of this tool."])
}
