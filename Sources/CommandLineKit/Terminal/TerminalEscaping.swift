import Bytes

/// Text from anywhere, made safe to show on a terminal.
///
/// Control characters, direction overrides, zero-width and other invisible characters are shown as
/// `\u{XX}`, newline and tab as `\n` and `\t`; everything else stays. Backslashes are not doubled:
/// the result is for reading, not for decoding.
package func escapedForTerminal(_ text: String) -> String {
  // Most text is plain, and then nothing is copied.
  if isSurelySafe(text) { return text }
  let scalars = text.unicodeScalars
  var result = ""
  var copied = scalars.startIndex
  var previous: Unicode.Scalar?
  for place in scalars.indices {
    let scalar = scalars[place]
    defer { previous = scalar }
    guard let escape = visibleSpelling(of: scalar, after: previous) else { continue }
    result += text[copied..<place]
    result += escape
    copied = scalars.index(after: place)
  }
  return copied == scalars.startIndex ? text : result + text[copied...]
}

/// JSON text made safe to show on a terminal so that it stays the same JSON.
///
/// What could act on a terminal stands within its strings, and is spelled as JSON spells it. Its lines
/// become one unless they shall stay.
package func escapedJSONForTerminal(_ json: String, keepsLines: Bool = false) -> String {
  if isSurelySafe(json) { return json }
  var result = ""
  var previous: Unicode.Scalar?
  for scalar in json.unicodeScalars {
    defer { previous = scalar }
    if visibleSpelling(of: scalar, after: previous) == nil || keepsLines && scalar == "\n" {
      result.unicodeScalars.append(scalar)
    } else if scalar == "\n" || scalar == "\t" || scalar == "\r" {
      // JSON has these between its tokens only.
      result += " "
    } else {
      appendJSONEscape(of: scalar, to: &result)
    }
  }
  return result
}

/// Lines in a format of their own, such as CSV, made safe to show on a terminal; tabs and ends of lines
/// stay.
package func escapedLinesForTerminal(_ text: String) -> String {
  let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.enumerated().map { number, line in
    // A return before anything else than the end of a line would write over it.
    let isEnded = number < lines.count - 1 && line.last == "\r"
    let fields = (isEnded ? line.dropLast() : line)
      .split(separator: "\t", omittingEmptySubsequences: false)
    return fields.map { escapedForTerminal(String($0)) }.joined(separator: "\t")
      + (isEnded ? "\r" : "")
  }.joined(separator: "\n")
}

/// The same as `escapedForTerminal` for at most `width` columns; where something is cut off, the end is `…`.
///
/// Looks only at the part that is shown, so it is cheap for a long text too.
func escapedForTerminal(_ text: String, width: Int) -> String {
  if text.utf8.count <= width, isPlain(text) { return text }
  var result = ""
  // The longest part that leaves room for the ellipsis.
  var shortened = ""
  var used = 0
  var previous: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    let piece = visibleSpelling(of: scalar, after: previous) ?? String(scalar)
    previous = scalar
    used += displayWidth(of: piece)
    if used > width || result.unicodeScalars.count > mostScalars(in: width) {
      return width > 0 ? shortened + "…" : ""
    }
    result += piece
    if used < width { shortened = result }
  }
  return result
}

/// Piles of combining marks take no columns, so the number of scalars is bounded too.
private func mostScalars(in width: Int) -> Int { 64 + 8 * min(max(width, 0), 100_000) }

/// Whether a text shows itself, as a look at its bytes tells for text of European languages.
private func isSurelySafe(_ text: String) -> Bool {
  var lead: UInt8 = 0
  return text.utf8.allSatisfy { byte in
    defer { lead = byte }
    return switch byte {
    case 0x20...0x7E: true
    // After this byte come controls, the soft hyphen, and what is harmless.
    case 0x80..<0xC0: lead != 0xC2 || byte >= 0xA0 && byte != 0xAD
    // Up to U+02FF.
    case 0xC2...0xCB: true
    default: false
    }
  }
}
