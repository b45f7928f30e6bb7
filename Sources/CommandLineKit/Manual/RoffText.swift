/// Text as one line of troff source, with everything escaped that troff would act on.
///
/// Hyphens become `\-`, so that options can be copied from the formatted page.
func roffText(_ text: String) -> String { guarded(roffEscaped(text)) }

/// Running text as troff source, in lines of at most 76 bytes where words allow it.
func roffLines(_ text: String) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(whereSeparator: \.isWhitespace) {
    let escaped = roffEscaped(String(word))
    if !line.isEmpty, line.utf8.count + 1 + escaped.utf8.count > 76 {
      lines.append(guarded(line))
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + escaped
  }
  return lines + (line.isEmpty ? [] : [guarded(line)])
}

/// A full stop or quote at the start of a line would make it a request.
private func guarded(_ line: String) -> String {
  line.hasPrefix(".") || line.hasPrefix("\\(aq") ? "\\&" + line : line
}

private func roffEscaped(_ text: String) -> String {
  let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
  return line.unicodeScalars.reduce(into: "") { $0 += roffEscape($1) }
}

/// Text as one quoted argument of a macro.
func roffArgument(_ text: String) -> String { "\"\(roffText(text))\"" }

private func roffEscape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\\": "\\e"
  case "-": "\\-"
  case "'": "\\(aq"
  case "`": "\\(ga"
  case "^": "\\(ha"
  case "~": "\\(ti"
  case "\"": "\\(dq"
  case " "..."~": String(scalar)
  case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": " "
  default: "\\[u\(hexadecimal(scalar, minimumDigits: 4))]"
  }
}

/// The upper-case hexadecimal number of a scalar.
func hexadecimal(_ scalar: Unicode.Scalar, minimumDigits: Int) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, minimumDigits - digits.count)) + digits
}
