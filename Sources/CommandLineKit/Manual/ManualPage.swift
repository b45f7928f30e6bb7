/// Manual pages in the man(7) macro language, from the same description as the help.
package struct ManualPage {
  private let path: CommandPath
  private let section: Int
  private let date: String
  private let version: String

  /// The source of one command's page.
  ///
  /// `date` is written as given (`2025-01-31`), so that equal input gives equal bytes.
  package static func troff(
    for path: CommandPath, section: Int = 1, date: String, version: String
  ) -> String {
    ManualPage(path: path, section: section, date: date, version: version).text
  }

  private var text: String {
    let lines =
      header + name + synopsis + description + commands + arguments + options + examples
      + exitStatus + environment + seeAlso
    return lines.joined(separator: "\n") + "\n"
  }

  private var header: [String] {
    let tool = path.names.first ?? ""
    let fields = [path.pageName.uppercased(), String(section)].map(roffArgument)
    // A date keeps its plain hyphens: readers of pages parse it.
    let plainDate = roffArgument(date).replacing("\\-", with: "-")
    let source = roffArgument("\(tool) \(version)")
    return [".TH \(fields.joined(separator: " ")) \(plainDate) \(source) \"User Commands\""]
  }

  private var name: [String] {
    [".SH NAME", "\(roffText(path.pageName)) \\- \(roffText(path.leaf.summary))"]
  }

  private var synopsis: [String] {
    let usage = path.usageWords.joined(separator: " ")
    return [".SH SYNOPSIS", ".B \(roffArgument(path.name))"] + roffLines(usage)
  }

  private var description: [String] {
    let summary = [sentence(path.leaf.summary)]
    let paragraphs = path.leaf.discussion.isEmpty ? summary : path.leaf.discussion
    return [".SH DESCRIPTION"] + lines(of: paragraphs)
      + path.leaf.sections.flatMap { section in
        [".SS \(roffArgument(section.title))"] + lines(of: section.paragraphs)
      }
  }

  private func lines(of paragraphs: [String]) -> [String] {
    Array(paragraphs.map(roffLines).joined(separator: [".PP"]))
  }

  private var commands: [String] {
    section("COMMANDS", path.leaf.subcommands.map { ($0.name, $0.summary) })
  }

  private var arguments: [String] {
    section("ARGUMENTS", path.leaf.positionals.map { ($0.usage, $0.fullHelp) })
  }

  private var options: [String] {
    let groups = path.optionGroups
    return [".SH OPTIONS"]
      + groups.flatMap { group in
        (groups.count > 1 ? [".SS \(roffArgument(group.title))"] : [])
          + group.options.flatMap { tagged(usage(of: $0), $0.fullHelp) }
      } + sharedOptions
  }

  /// What the command has in common with others, by name.
  private var sharedOptions: [String] {
    let shared = path.sharedOptions
    guard !shared.isEmpty else { return [] }
    let page = "\(path.names[0])-options(7)"
    return [".SS \(roffArgument("Options of many commands"))"]
      + roffLines("Explained in \(page), and by '\(path.names[0]) help' with the word in front.")
      + shared.flatMap { topic, options in
        tagged(topic.name, options.map { "--\($0.name)" }.joined(separator: ", "))
      }
  }

  private func usage(of option: Option) -> String {
    option.letter.map { "-\($0), \(option.longUsage)" } ?? option.longUsage
  }

  private var examples: [String] {
    guard !path.leaf.examples.isEmpty else { return [] }
    return [".SH EXAMPLES"]
      + path.leaf.examples.enumerated().flatMap { number, example in
        (number == 0 ? [] : [".PP"]) + roffLines(sentence(example.explanation))
          + [".PP", ".RS 4", ".nf"]
          + [roffText(example.commandLine), ".fi", ".RE"]
      }
  }

  private var exitStatus: [String] {
    section("EXIT STATUS", path.exitStatuses.map { (String($0.code), $0.meaning) })
  }

  private var environment: [String] {
    section("ENVIRONMENT", path.leaf.variables.map { ($0.name, $0.meaning) })
  }

  private var seeAlso: [String] {
    let parent = path.commands.dropLast().map(\.name).joined(separator: "-")
    let own = ([parent].filter { !$0.isEmpty } + path.children.map(\.pageName)).map {
      "\($0)(\(section))"
    }
    let shared = path.sharedOptions.isEmpty ? [] : ["\(path.names[0])-options(7)"]
    let all = own + path.leaf.seeAlso + shared.filter { !path.leaf.seeAlso.contains($0) }
    guard !all.isEmpty else { return [] }
    return [".SH SEE ALSO"]
      + all.enumerated().map { reference($0.element, isLast: $0.offset == all.count - 1) }
  }

  /// A page's name in bold and its section in the normal font, as pages refer to each other.
  private func reference(_ page: String, isLast: Bool) -> String {
    let comma = isLast ? "" : ","
    guard let bracket = page.firstIndex(of: "(") else { return roffText(page) + comma }
    return ".BR \(roffText(String(page[..<bracket]))) \(roffText(page[bracket...] + comma))"
  }

  private func section(_ title: String, _ entries: [(term: String, text: String)]) -> [String] {
    guard !entries.isEmpty else { return [] }
    return [".SH \(title)"] + entries.flatMap { tagged($0.term, $0.text) }
  }

  private func tagged(_ term: String, _ text: String) -> [String] {
    [".TP", ".B \(roffArgument(term))"] + roffLines(sentence(text))
  }
}

/// A phrase of the description as a sentence of the manual.
func sentence(_ phrase: String) -> String {
  let start = phrase.prefix(1).uppercased() + phrase.dropFirst()
  return start.isEmpty || start.hasSuffix(".") ? start : start + "."
}

/// The manual page about options that many commands share, as in `tool-options(7)`.
package enum TopicsManual {
  /// The page's troff source; `date` is written as given, so that equal input gives equal bytes.
  package static func troff(for root: Command, date: String, version: String) -> String {
    let name = "\(root.name)-options"
    var page = ManualText(
      page: name, section: 7, date: date, source: "\(root.name) \(version)",
      heading: "Miscellaneous")
    page.section("NAME")
    page.lines(name, dash: "the options that many commands of \(root.name) share")
    page.section("DESCRIPTION")
    page.paragraph(
      "The page of each command names those of these options that it has. "
        + "'\(root.name) help TOPIC' shows a part of this page.")
    for topic in root.topics { add(topic, of: root, to: &page) }
    page.section("SEE ALSO")
    page.reference("\(root.name)(1)", isLast: true)
    return page.text
  }

  private static func add(_ topic: Command.Topic, of root: Command, to page: inout ManualText) {
    page.section(topic.name.uppercased())
    page.paragraph(sentence(topic.summary))
    for paragraph in topic.discussion { page.paragraph(paragraph) }
    for option in topic.options {
      let usage = option.letter.map { "-\($0), \(option.longUsage)" } ?? option.longUsage
      page.entry(usage, option.fullHelp)
    }
    for example in topic.examples { page.example(example) }
  }
}
