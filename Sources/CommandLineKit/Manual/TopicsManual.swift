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
