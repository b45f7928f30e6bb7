extension Option {
  /// The long form with its value, as in `--output OUT`.
  var longUsage: String { "--\(name)" + (placeholder.map { " \($0)" } ?? "") }

  /// Both forms, as in `-o, --output OUT`.
  var usage: String { letter.map { "-\($0), \(longUsage)" } ?? longUsage }

  /// The same as a list shows it, where long forms stand below each other.
  var listUsage: String { (letter == nil ? "    " : "") + usage }

  /// The short form where there is one, as in `-o OUT`.
  var shortestUsage: String {
    letter.map { "-\($0)" + (placeholder.map { " \($0)" } ?? "") } ?? longUsage
  }

  /// The help text and the words allowed.
  var helpWithChoices: String {
    guard case .choices(let words) = completion else { return help }
    return "\(help) (one of \(words.joined(separator: ", ")))"
  }

  /// The help text and what follows from the rest of the description.
  var fullHelp: String {
    var notes: [String] = []
    if case .choices(let words) = completion {
      notes.append("one of " + words.joined(separator: ", "))
    }
    if isRequired { notes.append("required" + (waiver.map { ", but for --\($0)" } ?? "")) }
    if isRepeatable { notes.append("may be repeated") }
    if let defaultText { notes.append("default \(defaultText)") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}

extension Positional {
  /// The help text and the words allowed.
  var fullHelp: String {
    guard case .choices(let words) = completion else { return help }
    guard words.count <= 20 else { return "\(help) (one of \(words.count))" }
    return "\(help) (one of \(words.joined(separator: ", ")))"
  }
}

extension CommandPath {
  /// What follows the command's name in its usage line, word by word.
  var usageWords: [String] {
    let required = options.filter(\.isRequired).map(\.shortestUsage)
    let places = leaf.subcommands.isEmpty ? leaf.positionals.map(\.usage) : ["COMMAND"]
    return ["[options]"] + required + places
  }

  /// The options of the command's own page by heading, both in the order of their first appearance.
  var optionGroups: [HelpText.OptionGroup] {
    var groups: [HelpText.OptionGroup] = []
    for option in ownOptions {
      if let index = groups.firstIndex(where: { $0.title == option.group }) {
        groups[index].options.append(option)
      } else {
        groups.append(HelpText.OptionGroup(title: option.group, options: [option]))
      }
    }
    return groups
  }
}
