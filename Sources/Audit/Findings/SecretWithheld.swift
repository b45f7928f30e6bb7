import Records

extension FindingKind {
  /// Something that would let others in, and that is in no output.
  static let secretWithheld = FindingKind(
    "secret-withheld", .note,
    title: "something secret that was left out",
    meaning:
      "The store holds tokens, passwords or identifiers that stand for a person's right to sign in. "
      + "They are in no output of any command, neither among rows nor in raw payloads. The message "
      + "says how many were left out and where.",
    causes: [
      "SDKs keep the token of the user who made a change beside it, or the signed-in user as a row."
    ],
    remedies: [
      "Nothing for the data. To send changes as a user, let the user sign in again, and give the new "
        + "token in a file.",
      "Treat the store itself as a secret: whoever has the file has what it holds.",
    ])
}
