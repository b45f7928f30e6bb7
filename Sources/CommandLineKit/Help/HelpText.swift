/// The text that `--help` prints.
package struct HelpText {
  private let path: CommandPath
  private let width: Int
  private let style: TextStyle

  /// The help of one command, ready to print.
  ///
  /// `terminalWidth` is kept between 60 and 100 columns and is 80 where unknown.
  package static func text(
    for path: CommandPath, terminalWidth: Int?, style: TextStyle
  ) -> String {
    let width = min(100, max(60, terminalWidth ?? 80))
    return HelpText(path: path, width: width, style: style).text
  }

  private var text: String {
    let blocks =
      [[style.bold(path.name) + ": " + path.leaf.summary], examples, usage] + discussion
      + [commands, positionals] + path.optionGroups.map(options) + [exitStatuses, seeAlso, closing]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private var examples: [String] {
    guard !path.leaf.examples.isEmpty else { return [] }
    // Command lines are never broken: they are there to be copied.
    return [style.bold("Examples:")]
      + path.leaf.examples.flatMap { example in
        ["  \(example.commandLine)"]
          + wrapped(example.explanation, width: width - 6).map { "      \($0)" }
      }
  }

  private var usage: [String] {
    let start = "\(path.name) "
    let margin = String(repeating: " ", count: 2 + displayWidth(of: start))
    let lines = unbrokenWrapped(path.usageWords, width: width - displayWidth(of: margin))
    return [style.bold("Usage:")]
      + lines.enumerated().map { ($0.offset == 0 ? "  \(start)" : margin) + $0.element }
  }

  private var discussion: [[String]] {
    path.leaf.discussion.map { wrapped($0, width: width) }
  }

  private var commands: [String] {
    list("Commands:", path.leaf.subcommands.map { ($0.name, $0.summary) })
  }

  private var positionals: [String] {
    list("Arguments:", path.leaf.positionals.map { ($0.usage, $0.fullHelp) })
  }

  private func options(_ group: OptionGroup) -> [String] {
    // All groups share one column, so that the eye finds the explanations.
    let start = DefinitionList.textStart(for: path.options.map(\.listUsage))
    return list("\(group.title):", group.options.map { ($0.listUsage, $0.fullHelp) }, start: start)
  }

  private var exitStatuses: [String] {
    list("Exit status:", path.leaf.exitStatuses.map { (String($0.code), $0.meaning) })
  }

  private var seeAlso: [String] {
    guard !path.leaf.seeAlso.isEmpty else { return [] }
    return wrapped("See also: " + path.leaf.seeAlso.joined(separator: ", "), width: width)
  }

  private var closing: [String] {
    path.leaf.subcommands.isEmpty ? [] : ["Help on one command: \(path.name) COMMAND --help"]
  }

  private func list(
    _ heading: String, _ entries: [(term: String, text: String)], start: Int? = nil
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    let start = start ?? DefinitionList.textStart(for: entries.map(\.term))
    return [style.bold(heading)]
      + DefinitionList(entries: entries).lines(start: start, width: width)
  }
}

/// Lines of whole words, each of which may hold spaces.
private func unbrokenWrapped(_ words: [String], width: Int) -> [String] {
  var lines: [String] = []
  for word in words {
    if let last = lines.last, displayWidth(of: last) + 1 + displayWidth(of: word) <= width {
      lines[lines.count - 1] = "\(last) \(word)"
    } else {
      lines.append(word)
    }
  }
  return lines
}
