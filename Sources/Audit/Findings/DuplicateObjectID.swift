import Records

extension FindingKind {
  /// Objects of an XML store share an identifier.
  static let duplicateObjectID = FindingKind(
    "duplicate-object-id", .warning,
    title: "objects share an identifier",
    meaning:
      "Several objects of a Core Data XML store have the same id. All are kept; "
      + "references mean the first of them.",
    causes: [
      "A file that was edited or merged by hand."
    ],
    remedies: [
      "Check whether the later objects are copies, and what should refer to them."
    ]
  )
}
