import Records

extension FindingKind {
  /// An update that would overwrite whatever the server has.
  static let updateWithoutVersion = FindingKind(
    "update-without-version", .warning,
    severityNote: "A note, once for each table, where the table has no column for versions.",
    title: "an update that would overwrite whatever the server has",
    meaning:
      "The update has no version to compare with, so it would be sent without a condition and "
      + "overwrite changes of others unseen.",
    causes: [
      "The item was edited while its insert was being sent; the SDK then throws the answer "
        + "with the version away (issue 612 of azure-mobile-services).",
      "The model has no version attribute, so that no update ever carries a condition.",
      "The row came from a build of the iOS SDK that pulled no versions (June 2014), or lost "
        + "its version in a migration.",
    ],
    remedies: [
      "Compare the row with the server's copy before sending, or send with a policy that "
        + "asks: 'rehome replay --on-conflict stop'."
    ]
  ) { input, sink in
    var unversioned: [String: Int] = [:]
    for index in input.pending where input.operations[index].kind == .update {
      let operation = input.operations[index]
      guard operation.baseVersion == nil, let table = operation.table,
        input.tablePlaces[table] != nil, !input.lacksRow(index), input.beginsEffect(index)
      else { continue }
      if input.hasVersionColumn(operation) {
        sink.raise(operation, "the update has no version, so it would be sent without a condition")
      } else {
        unversioned[table, default: 0] += 1
      }
    }
    for (table, count) in unversioned.sorted(by: { $0.key < $1.key }) {
      sink.raise(
        .note, table: table,
        "the table has no column for versions, so its updates (\(count)) go without a condition")
    }
  }
}
