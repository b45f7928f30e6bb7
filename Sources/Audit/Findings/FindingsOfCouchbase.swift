import Records

extension FindingKind {
  /// A document with several live branches.
  static let documentConflict = FindingKind(
    "document-conflict", .warning,
    title: "a document with several live branches",
    meaning:
      "Two or more revisions of the document are live, and none was made from another. The row shows "
      + "the one that the SDK shows to the app. The others are no rows; those above the checkpoint "
      + "are operations, each of them an effect of its own.",
    causes: [
      "The document was changed here and elsewhere before the devices had synchronised.",
      "The app never resolves conflicts, so that they stay and are synchronised as they are.",
    ],
    remedies: [
      "Compare the branches with 'rehome ops show', and decide which is meant before anything is sent: "
        + "mark the operations of the others as dropped."
    ], asksFirst: true)

  /// A live branch whose body is not in the file.
  static let missingRevisionBody = FindingKind(
    "missing-revision-body", .warning,
    title: "a live document whose body is missing",
    meaning:
      "The revision that counts has no body. Its row has an id and a version, and nothing else. A push "
      + "leaves such a revision out and counts it as done; a replay sends nothing of it either.",
    causes: [
      "A pull was ended between the list of changes and the bodies.", "The file was damaged.",
    ],
    remedies: ["Take the document from the server, or from an older backup."])

  /// A document of which no revision counts.
  static let documentWithoutLeaf = FindingKind(
    "document-without-leaf", .warning,
    title: "a document of which no revision counts",
    meaning:
      "The document is listed, but none of its revisions is marked as current, so that the app cannot "
      + "see it. It is in no table.",
    causes: [
      "The app or the SDK was ended between two writes.", "A purge took the revisions only.",
    ],
    remedies: ["Ask the server for the document; older revisions in the file may hold its content."]
  )

  /// A document whose time has run out.
  static let expiredDocument = FindingKind(
    "expired-document", .note,
    title: "a document whose time has run out",
    meaning:
      "The app gave the document a time to expire, which is over. At its next start the SDK would purge "
      + "it, without a trace and without telling the server. It is read like any other.",
    causes: ["The app has not run since then."],
    remedies: ["Leave the document out where it should be gone."])

  /// A file of an attachment that holds something else.
  static let attachmentDigestMismatch = FindingKind(
    "attachment-digest-mismatch", .error,
    title: "an attachment that is not what it was",
    meaning:
      "The files of attachments are named by the SHA-1 of their bytes, and the bytes of this one have "
      + "another. 'rehome inspect' and 'rehome convert' look at all of them; other commands do not.",
    causes: ["The file was cut off or damaged, or the attachments are encrypted."],
    remedies: ["Copy it again, or take the attachment from the server."])

  /// What an upgrade of the SDK left beside the database.
  static let leftoverUpgrade = FindingKind(
    "leftover-upgrade", .warning,
    title: "an older copy of the database beside it",
    meaning:
      "A database of the same name lies beside this one, as an upgrade of the SDK leaves it that was "
      + "interrupted. It may hold documents, changes and attachments that the upgrade lost.",
    causes: ["The app was ended while it upgraded its database to Couchbase Lite 1.2."],
    remedies: ["Read the other one, too, and compare the two with 'rehome verify'."])

  /// What is told in each of them: what else counts as unsent.
  private static let unsentWords =
    "There is no list of unsent changes in the file: revisions above the last checkpoint of a push "
    + "count as unsent. Those that were pulled since then lie above it, too, and nothing tells them "
    + "from unsent ones; the SDK itself asks the server which it lacks."

  private static let askServer =
    "Ask the server for the revisions, as with POST /<database>/_revs_diff: what it has was sent or "
    + "pulled. Drop those operations with 'rehome ops drop'."

  /// No checkpoint that a push may have written.
  static let noPushCheckpoint = FindingKind(
    "no-push-checkpoint", .warning,
    title: "no sign of a push, so every change counts as unsent",
    meaning: "No checkpoint is here that a push may have written. " + unsentWords,
    causes: [
      "The database was never pushed, or the app only pulls.",
      "The address of the server, the filter or another setting of the push was changed, or the "
        + "database was upgraded from version 1.0: the next push starts from 0.",
    ],
    remedies: [askServer])

  /// Several checkpoints that may be those of a push.
  static let pushCheckpointAmbiguous = FindingKind(
    "push-checkpoint-ambiguous", .warning,
    title: "several checkpoints that may be those of a push",
    meaning:
      "Several checkpoints are here, and none tells whether a push or a pull has written it, or for "
      + "which server. The least is taken, so that nothing unsent is hidden; some of the operations "
      + "may have been sent. " + unsentWords,
    causes: [
      "A pull whose server counts its changes as numbers writes the same as a push.",
      "The address of the server or a filter was changed, and the old checkpoint stays.",
    ],
    remedies: [askServer])

  /// Pushes to several servers, of which not all have everything.
  static let pushedToSomeRemotes = FindingKind(
    "pushed-to-some-remotes", .note,
    title: "a server that has less than another one",
    meaning:
      "Several pushes have come to different sequences. The greatest is taken: what lies below it "
      + "was sent to one server at least, and is no operation. " + unsentWords,
    causes: ["The app pushes to several servers, or the address of its server was changed."],
    remedies: ["Find out which server counts; one that was left behind lacks changes."])

  /// A push that had come further than the database.
  static let checkpointBeyondStore = FindingKind(
    "checkpoint-beyond-store", .error,
    title: "a push that had come further than the database",
    meaning:
      "The checkpoint of a push lies above the last sequence that the database ever gave. The SDK "
      + "takes all that is below it for sent, so that changes which are made now will never be "
      + "pushed.",
    causes: ["The file was replaced or restored from a backup, but its checkpoint was not."],
    remedies: [
      "Compare all documents with the server's copies: 'rehome verify --by-id' shows the differences."
    ])
}
