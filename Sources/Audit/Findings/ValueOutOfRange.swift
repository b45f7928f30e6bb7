import Bytes
import Records

extension FindingKind {
  /// Values that their type has no room for.
  static let valueOutOfRange = FindingKind(
    "value-out-of-range", .warning,
    title: "values that their type has no room for",
    meaning:
      "A value is of the right type, but has no spelling there: a date beyond the year 9999. "
      + "The cell is left empty, and the raw value is kept.",
    causes: [
      "A wrong unit, such as milliseconds taken for seconds, or a placeholder of the app."
    ],
    remedies: [
      "Look at the raw values in the table rehome_reject of the converted store."
    ]
  ) { input, sink in
    input.raiseRejects(.valueOutOfRange, &sink) {
      $0.counting("value is", "values are") + " out of range"
    }
  }
}
