import Bytes

/// Rows of cells aligned in columns, for people.
///
/// Where the columns do not fit the screen, each row becomes a few lines of headings and cells, so
/// that nothing is cut and long words can be copied whole. In a pipe every cell is whole.
package struct TextTable {
  /// On which side a column's cells are filled up.
  package enum Alignment: Sendable, Equatable {
    case left
    case right
  }

  /// One column: its heading, its side, and how wide a cell may get.
  package struct Column: Sendable, Equatable {
    let header: String
    /// The side on which cells are filled up.
    let alignment: Alignment
    /// The widest a cell may get on a screen, nil for no limit.
    let widest: Int?
    /// Whether cells are names or paths, which are there to be copied.
    let isName: Bool

    /// Describes a column; on a screen, cells wider than `widest` are cut and end in `…`, and names
    /// stay in one piece even where they are wider than the screen.
    package init(
      _ header: String, alignment: Alignment = .left, widest: Int? = nil, isName: Bool = false
    ) {
      self.header = header
      self.alignment = alignment
      self.widest = widest
      self.isName = isName
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// How far the further lines of a row are moved in where the columns do not fit.
  private static let indentation = 2

  /// An empty table.
  package init(columns: [Column]) {
    self.columns = columns
  }

  /// Whether the table has no rows.
  package var isEmpty: Bool { rows.isEmpty }

  /// Adds a row with one cell a column; cells are escaped, so they may come from a database.
  package mutating func addRow(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row needs one cell for each column")
    rows.append(cells)
  }

  /// The lines with a heading line, columns two spaces apart, no spaces at line ends.
  package func text(style: TextStyle = .plain) -> String {
    var text = ""
    write(rows, style: style) { text += $0 }
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
    try writeLines(rows.lazy.map { shown($0, isOnScreen: style.width != nil) }, style, write)
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
    if let limit = style.width, widths.reduce(2 * (widths.count - 1), +) > limit {
      for row in rows { for line in record(row, width: limit) { try write(line + "\n") } }
      return
    }
    try write(style.bold(line(columns.map(\.header), widths: widths)) + "\n")
    for row in rows { try write(line(row, widths: widths) + "\n") }
  }

  private func shown(_ cells: [String], isOnScreen: Bool) -> [String] {
    precondition(cells.count == columns.count, "a row needs one cell for each column")
    return zip(cells, columns).map { cell, column in
      guard isOnScreen, let widest = column.widest else { return escapedForTerminal(cell) }
      return escapedForTerminal(cell, width: widest)
    }
  }

  /// A row as lines of headings and cells, at most `width` columns wide.
  private func record(_ cells: [String], width: Int) -> [String] {
    let indentation = String(repeating: " ", count: Self.indentation)
    var lines: [String] = []
    var line = ""
    func end() {
      if !line.isEmpty { lines.append(line) }
      line = ""
    }
    for (cell, column) in zip(cells, columns) where !cell.isEmpty {
      let isMark = column.header.utf8.count < 2
      let piece = column.header + (isMark ? "" : ": ") + cell
      let room = width - (line.isEmpty ? 0 : displayWidth(of: line) + 2)
      if !line.isEmpty, displayWidth(of: piece) > room { end() }
      if line.isEmpty, !lines.isEmpty { line = indentation }
      let isFirst = displayWidth(of: line) <= (lines.isEmpty ? 0 : Self.indentation)
      guard displayWidth(of: piece) > width - displayWidth(of: line) else {
        line += (isFirst ? "" : "  ") + piece
        continue
      }
      // A long cell gets lines of its own, so that what can be copied stays together.
      line = (lines.isEmpty ? "" : indentation) + column.header + (isMark ? "" : ":")
      end()
      let pieces =
        column.isName
        ? [asOneWord(cell)] : cell.split(atWidth: max(1, width - Self.indentation))
      lines += pieces.map { indentation + $0 }
    }
    end()
    return lines
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

extension String {
  /// The text in pieces of at most so many columns, broken at blanks where there are some.
  fileprivate func split(atWidth width: Int) -> [String] {
    var pieces: [String] = []
    var line = ""
    var used = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let size = displayWidth(of: word)
      if !line.isEmpty, used + 1 + size <= width {
        line += " " + word
        used += 1 + size
        continue
      }
      if !line.isEmpty { pieces.append(line) }
      (line, used) = ("", 0)
      for scalar in word.unicodeScalars {
        let size = displayWidth(of: scalar)
        if used + size > width, !line.isEmpty {
          pieces.append(line)
          (line, used) = ("", 0)
        }
        line.unicodeScalars.append(scalar)
        used += size
      }
    }
    if !line.isEmpty { pieces.append(line) }
    return pieces
  }
}

/// The number of terminal columns a text takes, approximately.
///
/// Combining marks and format characters count 0, wide East Asian characters and emoji 2, all
/// others 1. Terminals disagree about some emoji.
package func displayWidth(of text: some StringProtocol) -> Int {
  if isPlain(text) { return text.utf8.count }
  return text.unicodeScalars.reduce(0) { $0 + displayWidth(of: $1) }
}

/// Whether a text is printable ASCII throughout, one column a byte, as most texts are.
func isPlain(_ text: some StringProtocol) -> Bool {
  text.utf8.allSatisfy { $0 &- 0x20 < 0x5F }
}

/// The number of columns of one scalar.
func displayWidth(of scalar: Unicode.Scalar) -> Int {
  if scalar.value < 0x300 { return isControl(scalar) || scalar == "\u{AD}" ? 0 : 1 }
  if isWide(scalar) { return 2 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format: return 0
  default: return 1
  }
}

/// Unicode's East Asian Width "W" and "F", by block, and what is drawn as emoji.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F: true
  case 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6: true
  case 0x1B000...0x1B2FF, 0x20000...0x3FFFD: true
  // Two of these make one flag of two columns.
  case 0x1F1E6...0x1F1FF: false
  default: scalar.properties.isEmojiPresentation
  }
}
