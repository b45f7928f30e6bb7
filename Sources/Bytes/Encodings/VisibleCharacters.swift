// Which characters people would not see, or would see the effects of, and how they are spelled for them:
// on a terminal and on a page alike.

/// What is shown to a person instead of a character; nil where it shows itself.
///
/// Controls, marks that turn the direction of text, zero-width and other invisible characters are
/// spelled `\u{XX}`, newline and tab `\n` and `\t`.
package func visibleSpelling(
  of scalar: Unicode.Scalar, after previous: Unicode.Scalar?
) -> String? {
  switch scalar {
  case "\n": "\\n"
  case "\t": "\\t"
  // A variation selector is part of how many ordinary emoji are written.
  case "\u{FE0E}" where isEmojiBase(previous): nil
  case "\u{FE0F}" where isEmojiBase(previous): nil
  case _ where showsItself(scalar): nil
  default: "\\u{\(hexadecimal(scalar, minimumDigits: 2))}"
  }
}

private func isEmojiBase(_ scalar: Unicode.Scalar?) -> Bool {
  scalar.map { !$0.isASCII && $0.properties.isEmoji } ?? false
}

/// Whether a character neither hides nor acts on what shows it.
package func showsItself(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.value < 0x300 { return !isControl(scalar) && scalar != "\u{AD}" }
  if scalar.properties.isDefaultIgnorableCodePoint { return false }
  switch scalar.properties.generalCategory {
  case .format, .lineSeparator, .paragraphSeparator: return false
  default: return true
  }
}

/// Whether a character is a C0 or C1 control character or DEL.
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
}

/// The upper-case hexadecimal number of a character.
package func hexadecimal(_ scalar: Unicode.Scalar, minimumDigits: Int) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, minimumDigits - digits.count)) + digits
}
