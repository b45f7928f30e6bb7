/// Text for people as it stands on a screen: lines that are too long for it are broken at blanks,
/// and go on a little further in.
///
/// Words stay whole, and so do lines of JSON and what `escapedAsOneWord` made, because all of these
/// are there to be copied. Nothing is broken where the width is nil, as it is in a pipe.
package func fitted(_ text: String, to width: Int?) -> String {
  guard let width, width > 0 else { return withBlanks(text) }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return withBlanks(lines.map { fittedLine($0, to: width) }.joined(separator: "\n"))
}

/// A name or path as `escapedForTerminal` shows it, which `fitted` leaves in one piece.
///
/// Only what goes through `fitted` may hold it: there its blanks become blanks again.
package func escapedAsOneWord(_ text: String) -> String { asOneWord(escapedForTerminal(text)) }

/// The same for a text that is escaped already.
func asOneWord(_ text: String) -> String {
  text.replacing(" ", with: String(unbrokenBlank))
}

/// Stands for a blank inside a name; of those in data, nothing is left by the escaping.
private let unbrokenBlank: Unicode.Scalar = "\u{1F}"

private func withBlanks(_ text: String) -> String {
  text.unicodeScalars.contains(unbrokenBlank)
    ? text.replacing(String(unbrokenBlank), with: " ") : text
}

private func fittedLine(_ line: Substring, to width: Int) -> String {
  let content = line.drop { $0 == " " }
  guard displayWidth(ofMarked: line) > width, !isJSONLine(content) else { return String(line) }
  let indentation = line.utf8.count - content.utf8.count
  let margin = min(indentation + 2, width / 2)
  var result = blanks(indentation)
  var used = indentation
  for (place, piece) in pieces(of: content).enumerated() {
    let size = displayWidth(ofMarked: piece)
    if place > 0, used + 1 + size > width {
      result += "\n" + blanks(margin)
      used = margin
    } else if place > 0 {
      result += " "
      used += 1
    }
    result += piece
    used += size
  }
  return result
}

/// What stands between single blanks: a break takes the place of one, so that runs of several stay.
private func pieces(of content: Substring) -> [String] {
  var pieces: [String] = []
  var isInRun = false
  for word in content.split(separator: " ", omittingEmptySubsequences: false) {
    if let last = pieces.indices.last, isInRun || word.isEmpty {
      pieces[last] += " " + word
    } else {
      pieces.append(String(word))
    }
    isInRun = word.isEmpty
  }
  return pieces
}

private func isJSONLine(_ line: Substring) -> Bool {
  line.utf8.first.map { Array("{[\"".utf8).contains($0) } ?? false || line.contains(": {\"")
}

private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

/// The columns of text in which `TextStyle` may have marked something, which takes none.
package func displayWidth(ofMarked text: some StringProtocol) -> Int {
  if isPlain(text) { return text.utf8.count }
  var (width, isMark) = (0, false)
  for scalar in text.unicodeScalars {
    if scalar == "\u{1B}" {
      isMark = true
    } else if isMark {
      isMark = scalar != "m"
    } else {
      width += scalar == unbrokenBlank ? 1 : displayWidth(of: scalar)
    }
  }
  return width
}
