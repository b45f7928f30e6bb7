/// Rows of cells aligned in columns, for people.
package struct TextTable {
  /// On which side a column's cells are filled up.
  package enum Alignment: Sendable, Equatable {
    /// For text.
    case left
    /// For numbers.
    case right
  }

  /// One column: its heading, its side, and how wide a cell may get.
  package struct Column: Sendable, Equatable {
    /// The heading.
    let header: String
    /// The side on which cells are filled up.
    let alignment: Alignment
    /// The widest a cell may get, nil for no limit.
    let widest: Int?

    /// Describes a column; cells wider than `widest` are cut and end in `…`.
    package init(_ header: String, alignment: Alignment = .left, widest: Int? = nil) {
      self.header = header
      self.alignment = alignment
      self.widest = widest
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// An empty table.
  package init(columns: [Column]) {
    self.columns = columns
  }

  /// Whether the table has no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// Adds a row with one cell a column; cells are escaped, so they may come from a database.
  package mutating func addRow(_ cells: [String]) {
    rows.append(shown(cells))
  }

  /// The lines with a heading line, columns two spaces apart, no spaces at line ends.
  package func text(style: TextStyle = .plain) -> String {
    var text = ""
    writeLines(rows, style) { text += $0 }
    return text
  }

  /// Writes the same for rows that are too many to be kept: each is made twice, to measure and to
  /// write.
  ///
  /// - Throws: whatever `write` throws; it gets a line at a time.
  package func write<Failure: Error>(
    _ rows: some Collection<[String]>, style: TextStyle = .plain,
    to write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    try writeLines(rows.lazy.map(shown), style, write)
  }

  private func writeLines<Failure: Error>(
    _ rows: some Collection<[String]>, _ style: TextStyle,
    _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    var widths = columns.map { displayWidth(of: $0.header) }
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], displayWidth(of: cell))
      }
    }
    try write(style.bold(line(columns.map(\.header), widths: widths)) + "\n")
    for row in rows { try write(line(row, widths: widths) + "\n") }
  }

  private func shown(_ cells: [String]) -> [String] {
    precondition(cells.count == columns.count, "a row needs one cell for each column")
    return zip(cells, columns).map(shownCell)
  }

  private func shownCell(_ cell: String, _ column: Column) -> String {
    column.widest.map { escapedForTerminal(cell, width: $0) } ?? escapedForTerminal(cell)
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    var pending = 0
    for (index, cell) in cells.enumerated() {
      let padding = widths[index] - displayWidth(of: cell)
      let isLeft = columns[index].alignment == .left
      line += String(repeating: " ", count: pending + (isLeft ? 0 : padding)) + cell
      pending = 2 + (isLeft ? padding : 0)
    }
    while line.utf8.last == UInt8(ascii: " ") { line.unicodeScalars.removeLast() }
    return line
  }
}
