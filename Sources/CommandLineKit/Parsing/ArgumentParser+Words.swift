import Bytes

extension ArgumentParser {
  /// Reads a subcommand's name or a word for a positional.
  mutating func readWord(_ word: String, at index: Int) {
    guard !path.leaf.subcommands.isEmpty else {
      words.append(ArgumentValue(text: word, label: "", index: index))
      return
    }
    // After an unknown command nothing is known about the words that follow.
    guard firstError?.code != .unknownCommand else { return }
    if let child = path.child(named: word) {
      path = child
      scope = child.options
    } else if word == "help" {
      wantsHelp = true
      wantsAllHelp = true
    } else if let synonym = path.leaf.synonym(word),
      let meant = synonym.names.reduce(Optional(path), { $0?.child(named: $1) })
    {
      follow(synonym, to: meant, from: word)
    } else if let topic = path.leaf.topic(named: word) {
      subject = .topic(topic)
      note(.unknownCommand, "'\(word)' is no command; '\(path.name) help \(word)' explains it")
    } else {
      let names = path.leaf.subcommands.map(\.name)
      let near = word == "version" ? "--version" : nearestWord(to: word, among: names)
      let advice =
        near.map { "did you mean \($0)?" } ?? "use one of \(names.joined(separator: ", "))"
      note(.unknownCommand, "unknown command '\(shownArgument(word))'; \(advice)")
    }
  }

  /// Leads from a word that people try to the command that they mean.
  private mutating func follow(
    _ synonym: Command.Synonym, to meant: CommandPath, from word: String
  ) {
    subject = .synonym(word, synonym)
    let message =
      "unknown command '\(shownArgument(word))'; '\(meant.name)' does that: "
      + synonym.example.explanation
    if firstError == nil {
      firstError = UsageError(
        .unknownCommand, message, commandPath: meant.names,
        example: synonym.example.commandLine)
    }
    path = meant
    scope = meant.options
  }

  /// The mistake of ending where a subcommand is needed.
  func missingCommand() -> UsageError {
    let names = path.leaf.subcommands.map(\.name).joined(separator: ", ")
    return error(.missingCommand, "no command given; use one of \(names)")
  }

  /// Deals the words out to the positionals, leaving each later one what it needs.
  func assignedWords() throws(UsageError) -> [String: [ArgumentValue]] {
    var assigned: [String: [ArgumentValue]] = [:]
    var rest = words[...]
    var neededLater = path.leaf.positionals.reduce(0) { $0 + $1.minimumCount }
    for positional in path.leaf.positionals {
      neededLater -= positional.minimumCount
      let free = max(rest.count - neededLater, min(positional.minimumCount, rest.count))
      let count = positional.isVariadic ? free : min(1, free)
      guard count >= positional.minimumCount else {
        throw error(.missingArgument, "\(positional.name) is missing: \(positional.help)")
      }
      assigned[positional.name] = try labelled(rest.prefix(count), positional)
      rest = rest.dropFirst(count)
    }
    if let extra = rest.first { throw unexpected(extra) }
    return assigned
  }

  private func labelled(
    _ words: ArraySlice<ArgumentValue>, _ positional: Positional
  ) throws(UsageError) -> [ArgumentValue] {
    var labelled: [ArgumentValue] = []
    for word in words {
      let value = ArgumentValue(text: word.text, label: positional.name, index: word.index)
      if let message = choiceProblem(value, positional.completion) {
        throw error(.invalidChoice, message)
      }
      labelled.append(value)
    }
    return labelled
  }

  private func unexpected(_ word: ArgumentValue) -> UsageError {
    let places = path.leaf.positionals.map(\.usage).joined(separator: " ")
    if let header = Self.nameOfHeader(word.text) {
      return error(
        .unexpectedArgument,
        "unexpected argument '\(shownArgument(header)): …'; a header may hold a secret, which no "
          + "argument takes"
          + (scope.contains { $0.name == "header-file" } ? ": put it into a --header-file" : ""))
    }
    if let output = scope.first(where: { $0.name == "output" }),
      !options.contains(where: { $0.name == output.name })
    {
      return error(
        .unexpectedArgument,
        "unexpected argument '\(shownArgument(word.text))'; if that is the output, write "
          + "--output \(escapedForTerminal(quotedForShell(word.text)))")
    }
    let takes = places.isEmpty ? "takes no such words" : "takes only \(places)"
    return error(
      .unexpectedArgument,
      "unexpected argument '\(shownArgument(word.text))'; '\(path.name)' \(takes)")
  }

  /// The name of a header of HTTP, as other programs take one from an argument; nil for other words.
  private static func nameOfHeader(_ word: String) -> String? {
    guard let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix(": ") else { return nil }
    let name = word[..<colon]
    let isName = name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "-") }
    return name.isEmpty || !isName ? nil : String(name)
  }
}
