import Bytes
import Records

extension FindingKind {
  /// References to rows that are not there.
  static let danglingReference = FindingKind(
    "dangling-reference", .warning,
    title: "references to rows that are not there",
    meaning:
      "A column points to rows of another table that do not exist. The numbers are kept. Where a "
      + "seed was told with --reference that a column holds ids, an id that is not there becomes "
      + "NULL and is a reject.",
    causes: [
      "The rows were deleted past the app's framework, or a pull removed them.",
      "The file was damaged and repaired.",
    ],
    remedies: [
      "Decide per reference: clear it, or restore the row from a backup or the server.",
      "In a seed, see whether all pages of the other table are there.",
    ]
  ) { input, sink in
    for facts in input.tables {
      for link in facts.dangling {
        sink.raise(
          table: facts.name,
          link.keys.counting("key in \(link.column) leads", "keys in \(link.column) lead")
            + " to no row of \(link.target), the first is \(link.example)"
        )
      }
    }
  }
}
