/// Text for people as it stands on a screen: lines that are too long for it are broken at blanks,
/// and go on a little further in.
///
/// Words stay whole, and so do lines of JSON, because both are there to be copied. Nothing is
/// changed where the width is nil, as it is in a pipe.
package func fitted(_ text: String, to width: Int?) -> String {
  guard let width, width > 0 else { return text }
  return text.split(separator: "\n", omittingEmptySubsequences: false)
    .map { fittedLine($0, to: width) }.joined(separator: "\n")
}

private func fittedLine(_ line: Substring, to width: Int) -> String {
  let content = line.drop { $0 == " " }
  guard displayWidth(ofMarked: line) > width, !isJSONLine(content) else { return String(line) }
  let indentation = line.utf8.count - content.utf8.count
  let margin = "\n" + blanks(min(indentation + 2, width / 2))
  var result = blanks(indentation)
  var (used, gap, isFirst) = (indentation, 0, true)
  for word in content.split(separator: " ", omittingEmptySubsequences: false) {
    defer { gap += 1 }
    if word.isEmpty { continue }
    let size = displayWidth(ofMarked: word)
    if !isFirst, used + gap + size > width {
      result += margin
      used = margin.utf8.count - 1
    } else if !isFirst {
      result += blanks(gap)
      used += gap
    }
    result += word
    used += size
    (gap, isFirst) = (0, false)
  }
  return result
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
      width += displayWidth(of: scalar)
    }
  }
  return width
}
