import Bytes
import Records

extension FindingKind {
  /// Values that are not of their column's type.
  static let valueOfWrongType = FindingKind(
    "value-of-wrong-type", .warning,
    title: "values that are not of their column's type",
    meaning:
      "A value cannot be read as what its column is for. The row is kept with that cell empty, "
      + "and the raw value goes to rehome_reject.",
    causes: [
      "SQLite lets any value into any column; another tool wrote it, or the model has "
        + "changed since."
    ],
    remedies: [
      "Look at the raw values in the table rehome_reject of the converted store."
    ]
  ) { input, sink in
    input.raiseRejects(.valueOfWrongType, &sink) {
      $0.counting("value is", "values are") + " not of the column's type"
    }
  }
}
