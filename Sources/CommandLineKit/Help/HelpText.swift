/// The texts that `--help`, `-h` and `help` print.
package struct HelpText {
  private let path: CommandPath
  private let width: Int
  private let style: TextStyle

  /// The help of one command, ready to print.
  ///
  /// `terminalWidth` is kept between 30 and 100 columns and is 80 where unknown.
  package static func text(
    for path: CommandPath, terminalWidth: Int?, style: TextStyle
  ) -> String {
    HelpText(path: path, width: fitting(terminalWidth), style: style).text
  }

  /// What of the help fits a screen: usage, examples, and the options that matter most.
  package static func screen(
    for path: CommandPath, terminalWidth: Int?, style: TextStyle
  ) -> String {
    HelpText(path: path, width: fitting(terminalWidth), style: style).screen
  }

  /// What a topic says about options that many commands share.
  package static func text(
    about topic: Command.Topic, of root: Command, terminalWidth: Int?, style: TextStyle
  ) -> String {
    let command = Command(
      name: topic.name, summary: topic.summary, discussion: topic.discussion,
      examples: topic.examples)
    let help = HelpText(
      path: CommandPath(root: command), width: fitting(terminalWidth), style: style)
    let owners = CommandPath.every(in: root).filter { path in
      path.leaf.subcommands.isEmpty && topic.options.contains(where: path.options.contains)
    }
    let names = owners.map { described($0, having: topic.options) }.joined(separator: ", ")
    return printed(
      [help.title("\(root.name) help \(topic.name)"), help.examples]
        + help.discussion
        + [
          help.list("Options:", topic.options.map { ($0.listUsage, $0.fullHelp) }),
          wrapped("For: " + names, width: help.width),
        ])
  }

  /// A command's name, with what it takes where it does not take all of the options.
  private static func described(_ path: CommandPath, having options: [Option]) -> String {
    // An option that a command describes in words of its own is neither the same nor missing.
    let taken = options.filter(path.options.contains)
    let missing = options.filter { !path.hasOption(named: $0.name) }
    guard !missing.isEmpty else { return path.name }
    let isShorter = taken.count <= missing.count
    let names = (isShorter ? taken : missing).map { "--" + $0.name }
    return "\(path.name) (\(isShorter ? "only" : "not") \(names.joined(separator: ", ")))"
  }

  private static func fitting(_ terminalWidth: Int?) -> Int {
    min(100, max(30, terminalWidth ?? 80))
  }

  private static func printed(_ blocks: [[String]]) -> String {
    blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private static let fewExamples = 3

  private var screen: String {
    let options = path.leaf.subcommands.isEmpty ? path.essentialOptions : []
    return Self.printed([
      title(path.name), usage,
      examples(Array(path.leaf.examples.prefix(Self.fewExamples))), commands,
      list("Options:", options.map { ($0.listUsage, $0.fullHelp) }),
      fitting(
        path.leaf.subcommands.isEmpty
          ? ["All options: \(path.name) --help"]
          : [
            "Help on one command: \(path.name) COMMAND -h", "All of the help: \(path.name) --help",
          ]),
    ])
  }

  private var text: String {
    Self.printed(
      [title(path.name), examples, usage] + discussion + sections
        + [commands, topics, positionals] + path.optionGroups.map(options)
        + [sharedOptions, exitStatuses, environment, seeAlso, closing])
  }

  private func title(_ name: String) -> [String] {
    fitting([style.bold(name) + ": " + path.leaf.summary])
  }

  private func fitting(_ lines: [String]) -> [String] { lines.map { fitted($0, to: width) } }

  private var examples: [String] { examples(path.leaf.examples) }

  private func examples(_ examples: [Command.Example]) -> [String] {
    guard !examples.isEmpty else { return [] }
    return [style.bold("Examples:")]
      + examples.flatMap { example in
        continued(example.commandLine, width: width - 2).map { "  \($0)" }
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

  /// Paragraphs of a section are indented, so that the eye finds the titles.
  private var sections: [[String]] {
    let margin = String(repeating: " ", count: DefinitionList.indentation)
    return path.leaf.sections.flatMap { section in
      let blocks = section.paragraphs.map { paragraph in
        wrapped(paragraph, width: width - margin.count).map { margin + $0 }
      }
      return [[style.bold("\(section.title):")] + (blocks.first ?? [])] + blocks.dropFirst()
    }
  }

  private var commands: [String] {
    list("Commands:", path.leaf.subcommands.map { ($0.name, $0.summary) })
  }

  private var topics: [String] {
    list("Options of many commands:", path.leaf.topics.map { ($0.name, $0.summary) })
  }

  private var positionals: [String] {
    list("Arguments:", path.leaf.positionals.map { ($0.usage, $0.fullHelp) })
  }

  private func options(_ group: HelpText.OptionGroup) -> [String] {
    // All groups share one column, so that the eye finds the explanations.
    let start = HelpText.DefinitionList.textStart(for: path.ownOptions.map(\.listUsage))
    return list("\(group.title):", group.options.map { ($0.listUsage, $0.fullHelp) }, start: start)
  }

  /// What the command has in common with others, by name.
  private var sharedOptions: [String] {
    let shared = path.sharedOptions
    guard !shared.isEmpty else { return [] }
    let entries = shared.map { topic, options in
      (topic.name, options.map { "--\($0.name)" }.joined(separator: ", "))
    }
    return list("Options of many commands:", entries)
      + fitting([
        "  each explained by '\(path.names[0]) help TOPIC', as in "
          + "'\(path.names[0]) help \(shared[0].topic.name)'"
      ])
  }

  private var exitStatuses: [String] {
    list("Exit status:", path.leaf.exitStatuses.map { (String($0.code), $0.meaning) })
  }

  private var environment: [String] {
    list("Environment:", path.leaf.variables.map { ($0.name, $0.meaning) })
  }

  private var seeAlso: [String] {
    guard !path.leaf.seeAlso.isEmpty else { return [] }
    return wrapped("See also: " + path.leaf.seeAlso.joined(separator: ", "), width: width)
  }

  private var closing: [String] {
    guard !path.leaf.subcommands.isEmpty else { return [] }
    let topics =
      path.leaf.topics.isEmpty ? [] : ["Help on options of many commands: \(path.name) help TOPIC"]
    return fitting(["Help on one command: \(path.name) COMMAND --help"] + topics)
  }

  private func list(
    _ heading: String, _ entries: [(term: String, text: String)], start: Int? = nil
  ) -> [String] {
    guard !entries.isEmpty else { return [] }
    let start = start ?? HelpText.DefinitionList.textStart(for: entries.map(\.term))
    return [style.bold(heading)]
      + HelpText.DefinitionList(entries: entries).lines(start: start, width: width)
  }

  /// Options under one heading.
  struct OptionGroup {
    /// The heading without its colon.
    let title: String
    /// What stands under it, in order.
    var options: [Option]
  }

  /// A list of terms with their explanations, aligned in two columns.
  struct DefinitionList {
    static let indentation = 2
    /// Terms up to this width share a line with their explanation.
    static let widestTerm = 26
    /// Where less is left for explanations, they stand below their terms.
    static let narrowestText = 24

    /// What to list, in order.
    var entries: [(term: String, text: String)] = []

    /// Where the explanations of some terms start, so that several lists can be aligned.
    static func textStart(for terms: [String]) -> Int {
      let widths = terms.map { displayWidth(of: $0) }.filter { $0 <= widestTerm }
      return indentation + (widths.max() ?? widestTerm) + 2
    }

    /// The lines with explanations beginning at column `start` and ending before `width`.
    func lines(start: Int, width: Int) -> [String] {
      let isNarrow = width - start < Self.narrowestText
      let start = isNarrow ? min(start, 3 * Self.indentation) : start
      return entries.flatMap { lines(of: $0, start: start, width: width) }
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

/// A command line in lines of at most `width` columns that a shell takes as one, so that it can
/// still be copied.
private func continued(_ commandLine: String, width: Int) -> [String] {
  guard displayWidth(of: commandLine) > width else { return [commandLine] }
  // Further lines are moved in by four columns, and a mark ends all but the last.
  let width = width - 6
  var words: [String] = []
  for word in shellWords(commandLine) {
    // An option stays beside its value.
    if let last = words.last, last.hasPrefix("--"), !last.contains(" "), !word.hasPrefix("-"),
      displayWidth(of: last) + 1 + displayWidth(of: word) <= width
    {
      words[words.count - 1] += " " + word
    } else {
      words.append(word)
    }
  }
  let lines = unbrokenWrapped(words, width: width)
  return lines.enumerated().map { place, line in
    (place == 0 ? "" : "    ") + line + (place == lines.count - 1 ? "" : " \\")
  }
}

/// The words of a command line as they are spelled, quotes included.
private func shellWords(_ commandLine: String) -> [String] {
  var words = [""]
  var quote: Character?
  for character in commandLine {
    if character == " ", quote == nil {
      words.append("")
      continue
    }
    words[words.count - 1].append(character)
    if character == quote {
      quote = nil
    } else if quote == nil, character == "'" || character == "\"" {
      quote = character
    }
  }
  return words
}

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
