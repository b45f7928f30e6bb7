import Records

extension FindingKind {
  /// A value whose file is missing.
  static let externalDataMissing = FindingKind(
    "external-data-missing", .error,
    title: "a value whose file is missing",
    meaning:
      "The row says that a value is kept in a file beside the store, and the file is not "
      + "there. The value is lost unless the file is found.",
    causes: [
      "The store was copied without its hidden folder, .<name>_SUPPORT/_EXTERNAL_DATA.",
      "A store of Couchbase Lite was copied without the folder of its attachments: attachments in "
        + "the folder of the database, or '<name> attachments' beside it.",
      "Couchbase Lite never downloaded the attachment, or the upgrade from version 1.0 lost it.",
    ],
    remedies: [
      "Copy the folder too, and run again."
    ]
  ) { input, sink in
    input.raiseRejects(.externalDataMissing, &sink) { "\($0) values lie in files that are missing" }
  }
}
