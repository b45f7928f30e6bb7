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
    // Parse has no versions at all, as everybody knows who uses it.
    guard input.sdk.hasVersions, !input.sdk.sendsBranches else { return }
    var unversioned = [Int](repeating: 0, count: input.catalogue.tables.count)
    for index in input.pending where input.kind(ofOperation: index) == .update {
      guard !input.isSo(.hasBaseVersion, index), let table = input.table(ofOperation: index),
        !input.lacksRow(index), input.beginsEffect(index)
      else { continue }
      if input.hasVersionColumn(index) {
        sink.raise(at: index, "the update has no version, so it would be sent without a condition")
      } else {
        unversioned[table] += 1
      }
    }
    let counts = zip(input.catalogue.tables.map(\.name), unversioned)
    for (table, count) in counts.sorted(by: { $0.0 < $1.0 }) where count > 0 {
      sink.raise(
        .note, table: table,
        "the table has no column for versions, so its updates (\(count)) go without a condition")
    }
  }
}
