/// What a value looks like: what a shell offers for it and what the parser accepts.
///
/// A word list that is only known at run time is computed before the description is built and
/// given as `choices` or `suggestions`.
package enum CompletionKind: Sendable, Equatable {
  /// Anything; a shell offers nothing.
  case free
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// One of these words; any other is a usage error.
  case choices([String])
  /// These words are offered, any other is accepted too.
  case suggestions([String])

  /// The words that a shell offers, empty where it offers paths or nothing.
  package var words: [String] {
    switch self {
    case .free: []
    case .file: []
    case .folder: []
    case .choices(let words): words
    case .suggestions(let words): words
    }
  }
}
