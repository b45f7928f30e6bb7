import Records

/// What the checkpoints of Couchbase Lite say about its changes that were never pushed.
extension FindingKind {
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
