import Records

extension FindingKind {
  /// Objects of an XML store have no usual identifier.
  static let objectIDUnusual = FindingKind(
    "object-id-unusual", .note,
    title: "objects have no usual identifier",
    meaning:
      "Objects of a Core Data XML store have an id that is not z and a number. They get "
      + "keys after the largest number that is in use.",
    causes: [
      "A file that was written by hand or by another tool."
    ],
    remedies: [
      "Nothing; references to these objects are kept."
    ]
  )
}
