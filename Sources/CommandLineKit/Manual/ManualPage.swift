/// Manual pages in the man(7) macro language, from the same description as the help.
package struct ManualPage {
  private let path: CommandPath
  private var page: ManualText

  /// The pages of commands are in the first section of the manual.
  private static let section = 1

  /// The source of one command's page.
  ///
  /// `date` is written as given (`2025-01-31`), so that equal input gives equal bytes.
  package static func troff(for path: CommandPath, date: String, version: String) -> String {
    var page = ManualPage(path, date: date, version: version)
    page.addText()
    return page.page.text
  }

  private init(_ path: CommandPath, date: String, version: String) {
    self.path = path
    page = ManualText(
      page: path.pageName, section: Self.section, date: date, source: "\(path.names[0]) \(version)",
      heading: "User Commands")
  }

  private mutating func addText() {
    page.section("NAME")
    page.lines(path.pageName, dash: path.leaf.summary)
    page.section("SYNOPSIS")
    page.synopsis(path.name, path.usageWords.joined(separator: " "))
    addDescription()
    addList("COMMANDS", path.leaf.subcommands.map { ($0.name, $0.summary) })
    addList("ARGUMENTS", path.leaf.positionals.map { ($0.usage, $0.fullHelp) })
    addOptions()
    if !path.leaf.examples.isEmpty { page.section("EXAMPLES") }
    for example in path.leaf.examples { page.example(example) }
    addList("EXIT STATUS", path.exitStatuses.map { (String($0.code), $0.meaning) })
    addList("ENVIRONMENT", path.leaf.variables.map { ($0.name, $0.meaning) })
    addNeighbours()
  }

  private mutating func addDescription() {
    page.section("DESCRIPTION")
    let summary = [sentence(path.leaf.summary)]
    for text in path.leaf.discussion.isEmpty ? summary : path.leaf.discussion {
      page.paragraph(text)
    }
    for section in path.leaf.sections {
      page.subsection(section.title)
      for text in section.paragraphs { page.paragraph(text) }
    }
  }

  private mutating func addOptions() {
    page.section("OPTIONS")
    let groups = path.optionGroups
    for group in groups {
      if groups.count > 1 { page.subsection(group.title) }
      for option in group.options { page.entry(option.usage, option.fullHelp) }
    }
    // What the command has in common with others, by name.
    let shared = path.sharedOptions
    guard !shared.isEmpty else { return }
    page.subsection("Options of many commands")
    page.paragraph(
      "Explained in \(optionsPage), and by '\(path.names[0]) help' with the word in front.")
    for (topic, options) in shared {
      page.entry(topic.name, options.map { "--\($0.name)" }.joined(separator: ", "))
    }
  }

  private var optionsPage: String { "\(path.names[0])-options(7)" }

  private mutating func addNeighbours() {
    let parent = path.commands.dropLast().map(\.name).joined(separator: "-")
    let own = ([parent].filter { !$0.isEmpty } + path.children.map(\.pageName)).map {
      "\($0)(\(Self.section))"
    }
    let shared = path.sharedOptions.isEmpty ? [] : [optionsPage]
    page.references(own + path.leaf.seeAlso + shared.filter { !path.leaf.seeAlso.contains($0) })
  }

  private mutating func addList(_ title: String, _ entries: [(term: String, text: String)]) {
    if !entries.isEmpty { page.section(title) }
    for entry in entries { page.entry(entry.term, entry.text) }
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
    page.references(["\(root.name)(1)"])
    return page.text
  }

  private static func add(_ topic: Command.Topic, of root: Command, to page: inout ManualText) {
    page.section(topic.name.uppercased())
    page.paragraph(sentence(topic.summary))
    for paragraph in topic.discussion { page.paragraph(paragraph) }
    for option in topic.options { page.entry(option.usage, option.fullHelp) }
    for example in topic.examples { page.example(example) }
  }
}
