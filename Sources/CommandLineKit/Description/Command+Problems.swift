extension Command {
  /// What is wrong with the description itself; a tool's tests expect an empty list.
  package func descriptionProblems() -> [String] {
    CommandPath.every(in: self).flatMap { path in
      let problems = [
        nameProblems(of: path), textProblems(of: path), paragraphProblems(of: path),
        positionalProblems(of: path), guidanceProblems(of: path),
      ]
      return problems.joined().map { "\(path.name): \($0)" }
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

private func paragraphProblems(of path: CommandPath) -> [String] {
  let paragraphs = path.leaf.discussion + path.leaf.sections.flatMap(\.paragraphs)
  let options = Set(
    paragraphs.flatMap { $0.matches(of: #/--([a-z][a-z-]*[a-z])/#) }.map { String($0.1) })
  let unfinished = paragraphs.filter { !$0.hasSuffix(".") }
  let missing = options.filter { !path.hasOption(named: $0) }.sorted()
  return unfinished.map { "'\($0.prefix(20))…' is no full sentence" }
    + missing.map { "there is no --\($0) to tell of" }
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

/// A command or long option of a tree, for tests that compare other texts with the description.
package struct DescribedName: Sendable, Hashable {
  /// The command that has the name, as in `tool ops list`.
  package let commandPath: String
  /// The name as a person types it: `list` or `--output`.
  package let name: String
}

extension Command {
  /// Every command name and long option in the tree below, built-in options included.
  package func describedNames() -> [DescribedName] {
    CommandPath.every(in: self).flatMap { path in
      [DescribedName(commandPath: path.name, name: path.leaf.name)]
        + path.options.map { DescribedName(commandPath: path.name, name: "--\($0.name)") }
    }
  }

  /// The described names that `text`, plain or troff, does not mention as whole words.
  package func namesMissing(from text: String) -> [DescribedName] {
    let words = wordsOfDocument(text)
    return describedNames().filter { !words.contains($0.name) }
  }

  /// The long options that `text`, plain or troff, mentions and no command in the tree has.
  package func unknownOptions(in text: String) -> [String] {
    let known = Set(describedNames().map(\.name))
    return wordsOfDocument(text).filter { word in
      word.hasPrefix("--") && word.count > 2 && !known.contains(word)
        && word.dropFirst(2).contains { $0 != "-" }
    }.sorted()
  }
}

/// The words of a plain or troff text: letters, digits and hyphens.
private func wordsOfDocument(_ text: String) -> Set<String> {
  var words: Set<String> = []
  var word = ""
  var skipped = 0
  let scalars = Array(text.unicodeScalars)
  for (index, scalar) in scalars.enumerated() {
    if skipped > 0 {
      skipped -= 1
    } else if scalar == "\\", index + 1 < scalars.count {
      // `\-` is a hyphen; `\fB` and the like only change the font.
      if scalars[index + 1] == "f" {
        skipped = 2
        words.insert(word)
        word = ""
      }
    } else if scalar == "-" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
      word.unicodeScalars.append(scalar)
    } else {
      words.insert(word)
      word = ""
    }
  }
  words.insert(word)
  words.remove("")
  return words
}
