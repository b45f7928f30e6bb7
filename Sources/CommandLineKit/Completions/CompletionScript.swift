/// Scripts that make a shell complete the tool's commands, options and values.
///
/// Each shell has its own file; all three follow the command line to the selected command and
/// count the words for its positionals.
package enum CompletionScript {
  /// The tool's name as a part of shell function names.
  static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// Text in single quotes for bash and zsh.
  static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "'\\''"))'"
  }
}

/// A positional as completion sees it.
struct CompletionPlace {
  /// How many words come before it.
  let index: Int
  /// Whether all later words belong to it too.
  let isOpenEnded: Bool
  /// What a shell can offer there.
  let kind: CompletionKind
}

extension CommandPath {
  /// The positionals by place; what follows an open-ended one cannot be told apart from it.
  var completionPlaces: [CompletionPlace] {
    var places: [CompletionPlace] = []
    for (index, positional) in leaf.positionals.enumerated() {
      places.append(
        CompletionPlace(
          index: index, isOpenEnded: positional.isVariadic, kind: positional.completion))
      if positional.isVariadic { break }
    }
    return places
  }
}

extension Option {
  /// Each way to write the option's name.
  var spellings: [String] { ["--\(name)"] + (letter.map { ["-\($0)"] } ?? []) }
}
