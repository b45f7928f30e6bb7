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
    precondition(cells.count == columns.count, "a row needs one cell for each column")
    rows.append(zip(cells, columns).map(shownCell))
  }

  /// The lines with a heading line, columns two spaces apart, no spaces at line ends.
  package func text(style: TextStyle = .plain) -> String {
    let headers = columns.map(\.header)
    let widths = columns.indices.map { column in
      ([headers] + rows).map { displayWidth(of: $0[column]) }.max() ?? 0
    }
    let heading = style.bold(line(headers, widths: widths)) + "\n"
    return rows.reduce(into: heading) { $0 += line($1, widths: widths) + "\n" }
  }

  private func shownCell(_ cell: String, _ column: Column) -> String {
    column.widest.map { escapedForTerminal(cell, width: $0) } ?? escapedForTerminal(cell)
  }

  private func line(_ cells: [String], widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: widths[index] - displayWidth(of: cell))
      line += (index > 0 ? "  " : "")
      line += columns[index].alignment == .left ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
