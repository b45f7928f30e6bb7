import Records

extension FindingKind {
  /// A change that the server took and keeps with other values.
  static let serverChangedValue = FindingKind(
    "server-changed-value", .warning,
    title: "a change that the server took and keeps with other values",
    meaning:
      "The server answered that it has taken the change, and showed the item with another value "
      + "than was sent, or without the field. The change counts as applied. Properties that the "
      + "server itself sets do not count, nor do other spellings of the same number, truth, time "
      + "or UUID; times may differ by less than a millisecond, because servers show no more.",
    causes: [
      "A server written in JavaScript keeps numbers as doubles, so whole numbers beyond "
        + "9007199254740991 lose their last digits.",
      "The server's column has another type, fewer digits or less room, or there is none.",
      "A script or trigger on the server changes what comes in.",
    ],
    remedies: [
      "Compare what was sent with what the server has, which the report of 'rehome replay' shows "
        + "field by field.",
      "Correct the value on the server, or send such numbers as text.",
    ]
  ) { input, sink in
    for index in input.operations.indices {
      guard let note = input.delivery(of: index)?.changedFields else { continue }
      sink.raise(at: index, "the server keeps other values in \(note)")
    }
  }
}
