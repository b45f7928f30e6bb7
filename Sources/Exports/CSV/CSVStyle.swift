/// For whom CSV is written.
package enum CSVStyle: Sendable {
  /// For programs: every field is as it is.
  case plain
  /// For programs and careless spreadsheets: fields that look like formulas are marked.
  case safe
  /// For a spreadsheet: also with a byte order mark, times that it takes for such, and numbers
  /// that it would change as text.
  case spreadsheet

  /// Whether fields that look like formulas are marked.
  var isSafe: Bool { self != .plain }
}
