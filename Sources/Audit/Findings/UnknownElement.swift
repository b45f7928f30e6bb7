import Records

extension FindingKind {
  /// An XML store has elements that mean nothing known.
  static let unknownElement = FindingKind(
    "unknown-element", .warning,
    title: "an XML store has elements that mean nothing known",
    meaning:
      "Elements of a Core Data XML store are none that the framework writes. They are "
      + "left out.",
    causes: [
      "A file that another tool has added something to."
    ],
    remedies: [
      "Look into the file whether something is lost."
    ]
  )
}
