import Records

extension FindingKind {
  /// An object of an XML store has a property twice.
  static let repeatedProperty = FindingKind(
    "repeated-property", .warning,
    title: "an object has a property twice",
    meaning:
      "An object of a Core Data XML store has the same attribute or relationship more "
      + "than once. Only the first is read.",
    causes: [
      "A file that was edited or merged by hand."
    ],
    remedies: [
      "Look at the object in the file and decide which value is right."
    ]
  )
}
