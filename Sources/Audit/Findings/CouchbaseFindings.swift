import Records

/// What documents of Couchbase Lite show.
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
      "Compare the branches with 'rehome ops show', and decide which is meant before anything is sent."
    ])

  /// A live branch whose body is not in the file.
  static let missingRevisionBody = FindingKind(
    "missing-revision-body", .warning,
    title: "a live document whose body is missing",
    meaning:
      "The revision that counts has no body. Its row has an id and a version, and nothing else. A push "
      + "leaves such a revision out and counts it as done.",
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
}
