import Records

/// What the bookkeeping of Amplify DataStore shows about items that the server has, or had.
extension FindingKind {
  static let rowDeletedOnServer = FindingKind(
    "row-deleted-on-server", .warning,
    title: "a row of an item that the server has deleted",
    meaning:
      "The server has told that the item is deleted, and its row is still here, because a change of "
      + "it waited at that time. An update that is sent now meets a deleted item.",
    causes: [
      "Somebody deleted the item on another device while a change of it waited on this one."
    ],
    remedies: [
      "Decide whether the change or the deletion counts; to keep the change, create the item anew."
    ])

  /// An item that the server has and that is missing here.
  static let versionWithoutRow = FindingKind(
    "version-without-row", .warning,
    title: "an item that the server has and that has no row here",
    meaning:
      "The store knows a version of the item, not that it was deleted; but there is no row of it, and "
      + "no operation waits for it.",
    causes: [
      "The app deleted the item, and the SDK gave the delete up when the server refused it: the SDK "
        + "removes whatever fails for good from its queue, without a word.",
      "On Android a row was refused because the row that it belongs to was not there.",
    ],
    remedies: [
      "Ask the server for the item. If it was meant to be deleted, delete it there."
    ])

  /// How much is known of items that are gone.
  static let tombstonesKept = FindingKind(
    "tombstones-kept", .note,
    title: "how many deleted items a store still knows",
    meaning:
      "The SDK keeps the version of an item that was deleted, without its row. The message counts "
      + "them table by table; the canonical store does not keep them.",
    causes: ["Items were deleted on the server or by the app, as is ordinary."],
    remedies: ["Nothing."])

  /// A version that may be that of another item.
  static let ambiguousVersionKey = FindingKind(
    "ambiguous-version-key", .warning,
    title: "a version that may be that of an item in another table",
    meaning:
      "The first releases of the SDK kept versions under the bare ids of items, and several tables "
      + "have an item with this id. All of them are given the version.",
    causes: ["The app uses one id for items of several models."],
    remedies: ["Compare the items with the server's copies before changes of them are sent."])

  /// A store that no server has ever seen.
  static let neverSynced = FindingKind(
    "never-synced", .note,
    severityNote: "A warning in stores of WatermelonDB in which changes wait.",
    title: "a store that was never synchronised",
    meaning:
      "There are rows, but no versions, no queue and no tokens: the app kept its data on the device "
      + "alone. So it is not told of each row that the server may never have had it. Of WatermelonDB "
      + "it says that rows wait to be sent, and the SDK's own synchronisation never completed: they "
      + "may be meant to stay on the device, or the app sends them in another way.",
    causes: [
      "The app uses the SDK without a service, for storage alone.",
      "The device never had a connection since the app was installed.",
    ],
    remedies: [
      "Find out how the app sends its data before anything of a queue is sent.",
      "Export the rows and insert them all where they belong.",
    ])
}

/// What the queue of Amplify DataStore shows.
extension FindingKind {
  /// An operation under a condition that only its service understands.
  static let conditionalOperation = FindingKind(
    "conditional-operation", .note,
    title: "an operation that was to be carried out only under a condition",
    meaning:
      "The app saved or deleted the item under a condition on its fields, which the service was to "
      + "check. The condition is kept with the raw payload; a replay does not carry it, and may "
      + "overwrite what it was to protect.",
    causes: ["The app called save or delete with a condition."],
    remedies: [
      "Read the condition with 'rehome ops show', and check it against the server's copy first."
    ], asksFirst: true)

  /// A payload with only what was changed.
  static let partialPayload = FindingKind(
    "partial-payload", .note,
    title: "a payload that holds only a part of the item",
    meaning:
      "The operation keeps only the fields that were changed, and not the whole item. What is "
      + "missing in it is not to be taken for NULL; the row has all of it.",
    causes: [
      "The SDK for React Native keeps only changes of an update.",
      "So did that for Android from 1.6.10 to 1.32.1.",
    ],
    remedies: [
      "Nothing: the row is sent, with what the payload says of the fields that it has."
    ])

  /// A queue whose first record stops all others.
  static let queueBlocked = FindingKind(
    "queue-blocked", .error,
    title: "a queue that its first record blocks",
    meaning:
      "The SDK cannot read the first record of its queue. It then ends without sending anything, at "
      + "each start again, so everything that was changed since has stayed on the device.",
    causes: [
      "A class of the app was renamed, or a custom type or an empty list was written in a way that "
        + "the SDK does not read.",
      "A condition of several parts was written without their types (up to 2.30.0).",
    ],
    remedies: [
      "Send the other operations with 'rehome replay'.",
      "Look at the raw record with 'rehome ops show', and send what it says by hand.",
    ])

  /// A payload that its own SDK would send as nulls.
  static let payloadClassMismatch = FindingKind(
    "payload-class-mismatch", .warning,
    title: "a payload that is not of the class that its record names",
    meaning:
      "The record names a class of the app, but holds the item in the SDK's general form. The SDK "
      + "would send null for every field but the key; the payload itself is whole.",
    causes: ["A fault of the SDK for Android from 1.6.10 to 1.17.1."],
    remedies: [
      "Send the operation with 'rehome replay', and look whether items with nothing but nulls came "
        + "to the server before."
    ])
}
