import Bytes

/// A manual page that is put together from sections, paragraphs and lists.
package struct ManualText {
  private var lines: [String] = []

  /// A page with its title line.
  package init(page: String, section: Int, date: String, source: String, heading: String) {
    let fields = [page.uppercased(), String(section)].map(roffArgument).joined(separator: " ")
    // A date keeps its plain hyphens: readers of pages parse it.
    let plainDate = roffArgument(date).replacing("\\-", with: "-")
    lines = [".TH \(fields) \(plainDate) \(roffArgument(source)) \(roffArgument(heading))"]
  }

  /// The source of the page.
  package var text: String { lines.joined(separator: "\n") + "\n" }

  /// Begins a section.
  package mutating func section(_ title: String) { lines.append(".SH \(roffText(title))") }

  /// Begins a part of a section.
  package mutating func subsection(_ title: String) { lines.append(".SS \(roffArgument(title))") }

  /// The line of the NAME section.
  package mutating func lines(_ name: String, dash summary: String) {
    lines.append("\(roffText(name)) \\- \(roffText(summary))")
  }

  /// Appends a paragraph.
  package mutating func paragraph(_ text: String) {
    // Right after a heading a paragraph begins anyway.
    let follows = lines.last.map { $0.hasPrefix(".SH ") || $0.hasPrefix(".SS ") } ?? false
    lines += (follows ? [] : [".PP"]) + roffLines(text)
  }

  /// Appends a list with bullets.
  package mutating func list(_ entries: [String]) {
    for entry in entries { lines += [".IP \\(bu 2"] + roffLines(entry) }
  }

  mutating func entry(_ term: String, _ text: String) {
    lines += [".TP", ".B \(roffArgument(term))"] + roffLines(sentence(text))
  }

  /// Appends a command line, after what it does.
  mutating func example(_ example: Command.Example) {
    paragraph(sentence(example.explanation))
    lines += [".PP", ".RS 4", ".nf", roffText(example.commandLine), ".fi", ".RE"]
  }

  /// Appends what a person types: a command's name, and what may follow it.
  mutating func synopsis(_ name: String, _ words: String) {
    lines += [".B \(roffArgument(name))"] + roffLines(words)
  }

  /// Appends the section that refers to other pages, as in `sqlite3(1)`; none where there are no such.
  package mutating func references(_ pages: [String]) {
    if !pages.isEmpty { section("SEE ALSO") }
    for (place, page) in pages.enumerated() {
      let name = page.prefix { $0 != "(" }
      let rest = page.dropFirst(name.count) + (place < pages.count - 1 ? "," : "")
      lines.append(".BR \(roffText(String(name))) \(roffText(String(rest)))")
    }
  }
}

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
