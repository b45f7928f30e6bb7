/// Text from anywhere, made safe to show on a terminal.
///
/// Control characters, direction overrides, zero-width and other invisible characters are shown as
/// `\u{XX}`, newline and tab as `\n` and `\t`; everything else stays. Backslashes are not doubled:
/// the result is for reading, not for decoding.
package func escapedForTerminal(_ text: String) -> String {
  // Most text is plain, and then nothing is copied.
  guard text.utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return text }
  var result = ""
  var previous: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    append(scalar, after: previous, to: &result)
    previous = scalar
  }
  return result
}

/// The same for at most `width` columns; where something is cut off, the end is `…`.
///
/// Looks only at the part that is shown, so it is cheap for a long text too.
package func escapedForTerminal(_ text: String, width: Int) -> String {
  var result = ""
  // The longest part that leaves room for the ellipsis.
  var shortened = ""
  var used = 0
  var previous: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    var piece = ""
    append(scalar, after: previous, to: &piece)
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

private func append(
  _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, to result: inout String
) {
  switch scalar {
  case "\n": result += "\\n"
  case "\t": result += "\\t"
  // A variation selector is part of how many ordinary emoji are written.
  case "\u{FE0E}" where isEmojiBase(previous): result.unicodeScalars.append(scalar)
  case "\u{FE0F}" where isEmojiBase(previous): result.unicodeScalars.append(scalar)
  case _ where isUnsafeOnTerminal(scalar):
    result += "\\u{\(hexadecimal(scalar, minimumDigits: 2))}"
  default: result.unicodeScalars.append(scalar)
  }
}

private func isEmojiBase(_ scalar: Unicode.Scalar?) -> Bool {
  scalar.map { !$0.isASCII && $0.properties.isEmoji } ?? false
}

/// Whether a scalar acts on a terminal, or hides, instead of showing itself.
func isUnsafeOnTerminal(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.value < 0x300 { return isControl(scalar) || scalar == "\u{AD}" }
  if scalar.properties.isDefaultIgnorableCodePoint { return true }
  switch scalar.properties.generalCategory {
  case .format, .lineSeparator, .paragraphSeparator: return true
  default: return false
  }
}
