extension ArgumentParser {
  /// What to say about a long option that no command in scope has.
  func unknownOptionMessage(_ name: String) -> String {
    let start = "unknown option --\(shownArgument(name))"
    if let owner = scope.first(where: { $0.offers(name) }) {
      return "\(start); did you mean --\(owner.name) \(name)?"
    }
    if let near = nearestWord(to: name, among: scope.map(\.name)) {
      return "\(start); did you mean --\(near)?"
    }
    return start + elsewhere(name)
  }

  /// What to say about an unknown letter, alone or within a group.
  func unknownLetterMessage(_ letter: Unicode.Scalar, in argument: String) -> String {
    let shown = shownArgument(String(letter))
    let isGroup = argument.unicodeScalars.count > 2
    let start =
      "unknown option -\(shown)" + (isGroup ? " in '\(shownArgument(argument))'" : "")
    let long = String(Substring(argument.unicodeScalars.dropFirst()))
    if isGroup, scope.contains(where: { $0.name == long }) {
      return "\(start); did you mean --\(long)?"
    }
    if argument.contains(".") {
      return "\(start); if that is a file, write ./\(shownArgument(argument))"
    }
    let otherCase = letter.properties.isUppercase ? shown.lowercased() : shown.uppercased()
    guard scope.contains(where: { $0.letter.map(String.init) == otherCase }) else { return start }
    return "\(start); did you mean -\(otherCase)?"
  }

  /// Names the commands that do have the option, where the one in hand does not.
  private func elsewhere(_ name: String) -> String {
    guard let root = path.commands.first else { return "" }
    let owners = CommandPath.every(in: root).filter { path in
      path.options.contains { $0.name == name }
    }
    if let below = owners.first(where: { $0.names.starts(with: path.names) }) {
      return "; it belongs after the subcommand, as in '\(below.name) --\(name)'"
    }
    guard let first = owners.first else { return "" }
    let others = owners.count > 1 ? " and others have it" : " has it"
    return "; '\(first.name)'\(others)"
  }
}

extension Option {
  /// Whether a word is one of those that the option's value may be.
  fileprivate func offers(_ word: String) -> Bool {
    guard case .choices(let words) = completion else { return false }
    return words.contains(word)
  }
}
