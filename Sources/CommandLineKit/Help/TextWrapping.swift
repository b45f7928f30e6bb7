/// Breaks text into lines of at most `width` columns at spaces; longer words stay whole.
///
/// Always gives at least one line, which is empty for empty text.
package func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  var lineWidth = 0
  for word in text.split(whereSeparator: \.isWhitespace) {
    let wordWidth = displayWidth(of: word)
    if lineWidth > 0, lineWidth + 1 + wordWidth > width {
      lines.append(line)
      line = ""
      lineWidth = 0
    }
    line += (lineWidth > 0 ? " " : "") + word
    lineWidth += (lineWidth > 0 ? 1 : 0) + wordWidth
  }
  return lines + (line.isEmpty && !lines.isEmpty ? [] : [line])
}

/// A list of terms with their explanations, aligned in two columns.
struct DefinitionList {
  /// How far the list is indented.
  static let indentation = 2
  /// Terms up to this width share a line with their explanation.
  static let widestTerm = 26

  /// What to list, in order.
  var entries: [(term: String, text: String)] = []

  /// Where the explanations of some terms start, so that several lists can be aligned.
  static func textStart(for terms: [String]) -> Int {
    let widths = terms.map { displayWidth(of: $0) }.filter { $0 <= widestTerm }
    return indentation + (widths.max() ?? widestTerm) + 2
  }

  /// The lines with explanations beginning at column `start` and ending before `width`.
  func lines(start: Int, width: Int) -> [String] {
    entries.flatMap { lines(of: $0, start: start, width: width) }
  }

  private func lines(of entry: (term: String, text: String), start: Int, width: Int) -> [String] {
    let margin = String(repeating: " ", count: start)
    let text = wrapped(entry.text, width: width - start)
    let term = String(repeating: " ", count: Self.indentation) + entry.term
    let gap = start - displayWidth(of: term)
    // A term that reaches into the second column stands on a line of its own.
    guard gap >= 2 else { return [term] + text.map { margin + $0 } }
    let first = term + String(repeating: " ", count: gap) + (text.first ?? "")
    return [first] + text.dropFirst().map { margin + $0 }
  }
}
