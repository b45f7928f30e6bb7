extension Command {
  /// What is wrong with the description itself; a tool's tests expect an empty list.
  package func descriptionProblems() -> [String] {
    CommandPath.every(in: self).flatMap { path in
      (nameProblems(of: path) + textProblems(of: path) + positionalProblems(of: path)
        + guidanceProblems(of: path))
        .map { "\(path.name): \($0)" }
    }
  }
}

private func nameProblems(of path: CommandPath) -> [String] {
  let ownLetters = path.leaf.options.compactMap(\.letter)
  // A clash between inherited options is reported where they are described.
  let letters = path.options.compactMap(\.letter).filter(ownLetters.contains).map { "-\($0)" }
  let own = path.leaf.options.map { "--\($0.name)" }
  return repeated(path.leaf.subcommands.map(\.name)).map { "two subcommands are called \($0)" }
    + repeated(own).map { "two options are called \($0)" }
    + repeated(letters).map { "two options use \($0)" }
    + repeated(path.leaf.positionals.map(\.name)).map { "two positionals are called \($0)" }
}

private func textProblems(of path: CommandPath) -> [String] {
  let leaf = path.leaf
  let phrases =
    [("summary", leaf.summary)] + leaf.options.map { ("--\($0.name)", $0.help) }
    + leaf.positionals.map { ($0.name, $0.help) }
  return phrases.compactMap { name, text in
    if text.isEmpty { return "\(name) has no text" }
    if text.contains("\n") { return "the text of \(name) is more than one line" }
    return text.hasSuffix(".") ? "the text of \(name) ends with a full stop" : nil
  }
}

private func positionalProblems(of path: CommandPath) -> [String] {
  var problems: [String] = []
  if !path.leaf.positionals.isEmpty && !path.leaf.subcommands.isEmpty {
    problems.append("it has both subcommands and positionals")
  }
  // With two open-ended places the second would never get a word that the first can take.
  if path.leaf.positionals.count(where: { $0.cardinality != .one }) > 1 {
    problems.append("more than one positional has no fixed number of words")
  }
  return problems
}

private func guidanceProblems(of path: CommandPath) -> [String] {
  let leaf = path.leaf
  let missing = leaf.essentials.filter { !path.hasOption(named: $0) }
  let words = leaf.synonyms.flatMap(\.words)
  let hidden = words.filter { leaf.subcommand(named: $0) != nil }
  let lost = leaf.synonyms.filter { synonym in
    CommandPath(following: path.names.dropFirst() + synonym.names, from: path.commands[0]) == nil
  }
  return missing.map { "there is no --\($0) for -h to show" }
    + repeated(words).map { "two synonyms are called \($0)" }
    + hidden.map { "the synonym \($0) is a subcommand" }
    + lost.map { "\($0.words.joined(separator: " ")) leads nowhere" }
    + repeated(leaf.topics.map(\.name)).map { "two topics are called \($0)" }
}

private func repeated(_ names: [String]) -> [String] {
  var seen: Set<String> = []
  return names.filter { !seen.insert($0).inserted }
}
