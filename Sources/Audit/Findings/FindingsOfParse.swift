import Records

/// What the queue of a Local Datastore of Parse shows.
extension FindingKind {
  /// Changes that no queue will ever send.
  static let unsavedChanges = FindingKind(
    "unsaved-changes", .warning,
    title: "changes that are on the device only and that no queue sends",
    meaning:
      "The object was changed or made, and nothing waits to save it. Either the app had not saved it "
      + "yet, or a save was handed to the SDK and its outcome was never noted; such an operation is "
      + "told as attempted.",
    causes: [
      "The app pins drafts and saves them later, which is a documented practice.",
      "A save was refused for good, or the app was killed while it was under way.",
    ],
    remedies: [
      "Compare the object with the server's copy; 'rehome replay' sends the changes, and "
        + "'rehome ops drop' keeps it from that."
    ])

  /// A queued save without its changes.
  static let operationSetMissing = FindingKind(
    "operation-set-missing", .error,
    title: "a queued save whose changes are gone",
    meaning:
      "A save waits in the queue, but its object no longer holds the changes that it was to send. "
      + "They are lost. The SDK for Android waits for them for ever, and all that was queued later "
      + "waits behind it; that for iOS sends an empty body.",
    causes: ["The app was killed between the two writes that the SDK makes for a queued save."],
    remedies: [
      "Look at the object itself and in an older backup; compare it with the server's copy."
    ])

  /// A queued command that is no change of an object.
  static let commandOperation = FindingKind(
    "command-operation", .note,
    severityNote: "A warning where the command is no event for the statistics of the service.",
    title: "a queued command that is no change of an object",
    meaning:
      "The queue holds a request to the service that saves and deletes no object. It is listed "
      + "without a kind, table and item, and is never replayed.",
    causes: ["The app tracked an event of its own or that it was opened, while it was offline."],
    remedies: [
      "Nothing for an event. Look at any other with 'rehome ops show', and send it by hand."
    ])
}

/// What the objects of a Local Datastore show, and what stands beside it.
extension FindingKind {
  /// An object of which not all fields are here.
  static let incompleteObject = FindingKind(
    "incomplete-object", .note,
    title: "an object of which not all fields were fetched",
    meaning:
      "The store holds only some fields of the object. NULL in the others may mean that they were "
      + "never fetched.",
    causes: ["A query asked for some keys only, or the object came as a pointer."],
    remedies: ["Never overwrite the server's copy with such a row."])

  /// An object of which only its name is here.
  static let placeholderObject = FindingKind(
    "placeholder-object", .note,
    title: "an object to which something merely points",
    meaning: "Another object points to this one, which itself was never stored. Its row is empty.",
    causes: ["The object that points was stored, and the other was not part of it."],
    remedies: ["Nothing, where the server has the object; otherwise it is lost."])

  /// An object that the SDK may forget.
  static let unpinnedObject = FindingKind(
    "unpinned-object", .note,
    title: "an object that no pin keeps",
    meaning:
      "The SDK removes objects when the last pin that keeps them goes. This one has none and is "
      + "still here.",
    causes: ["The app was killed between two writes."],
    remedies: ["Nothing; it is read like any other."])

  /// A second queue in files.
  static let commandCacheBeside = FindingKind(
    "command-cache-beside", .warning,
    title: "a second queue beside the store",
    meaning:
      "A folder beside the store holds commands in files, a queue of the time before the Local "
      + "Datastore was switched on. They are not read with the store.",
    causes: [
      "The app was updated to use the Local Datastore; the SDK for iOS then deletes these commands "
        + "at the next start, unsent, and that for Android runs them once."
    ],
    remedies: [
      "Give the folder itself to 'rehome audit', and to 'rehome replay' after the store's own queue."
    ])
}
