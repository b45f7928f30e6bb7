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

/// Whether a scalar is a C0 or C1 control character or DEL.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
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
