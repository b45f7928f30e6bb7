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
