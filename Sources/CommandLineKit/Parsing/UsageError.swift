/// A mistake in the arguments: what is wrong, where, and what to try.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of mistakes.
  package enum Code: Sendable, Equatable {
    /// No command in scope has the option.
    case unknownOption
    /// There is no such subcommand.
    case unknownCommand
    /// A subcommand is needed and none was given.
    case missingCommand
    /// An option that needs a value has none.
    case missingValue
    case unexpectedValue
    case repeatedOption
    /// A value is not one of the allowed words.
    case invalidChoice
    /// A value does not have the form or range it needs.
    case invalidValue
    /// A positional has too few words.
    case missingArgument
    /// There are more words than the command takes.
    case unexpectedArgument
    case missingOption
  }

  /// The kind of mistake.
  package let code: Code
  /// What is wrong and, where known, what was probably meant; safe to show on a terminal.
  package let message: String
  /// The command that was being parsed, root first.
  package let commandPath: [String]
  /// A command line that does what was probably meant.
  let example: String?

  /// Makes an error; `message` must hold text from arguments only in escaped form.
  init(
    _ code: Code, _ message: String, commandPath: [String], example: String? = nil
  ) {
    self.code = code
    self.message = message
    self.commandPath = commandPath
    self.example = example
  }

  /// What follows the message: what to try, where that is known, and where to read on.
  package var hint: String {
    (example.map { "  try: \($0)\n" } ?? "")
      + "see '\(commandPath.joined(separator: " ")) --help'"
  }

  /// All lines as printed, with the command in front.
  package var description: String {
    "\(commandPath.joined(separator: " ")): \(message)\n\(hint)"
  }
}

/// The least number of typing slips between two words.
///
/// Damerau-Levenshtein distance in its "optimal string alignment" form: a slip is a missing, extra
/// or wrong character or two neighbours swapped. Takes time proportional to both lengths.
func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let isSame = left[row] == right[column]
      var best = min(current[column] + 1, previous[column + 1] + 1)
      best = min(best, previous[column] + (isSame ? 0 : 1))
      let isSwap =
        row > 0 && column > 0 && left[row] == right[column - 1] && left[row - 1] == right[column]
      if isSwap { best = min(best, beforePrevious[column - 1] + 1) }
      current.append(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.count]
}

/// The candidate that `word` was probably meant to be, or nil when none is near.
///
/// Near is one slip in every three characters, three at most; a beginning of exactly one candidate
/// is near too, and to a single character nothing is. Upper and lower case count as equal.
package func nearestWord(to word: String, among candidates: [String]) -> String? {
  // Nobody mistypes a word this long, and the distance would take quadratic time.
  guard word.count >= 2, word.utf8.count <= 64 else { return nil }
  let typed = Array(word.lowercased())
  let limit = min(3, max(1, typed.count / 3))
  var nearest: (word: String, distance: Int)?
  for candidate in candidates where candidate != word {
    let letters = Array(candidate.lowercased())
    guard abs(letters.count - typed.count) <= limit else { continue }
    let distance = editDistance(typed, letters)
    guard distance <= limit else { continue }
    if distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
  }
  return nearest?.word ?? onlyCandidate(beginningWith: word, among: candidates)
}

private func onlyCandidate(beginningWith word: String, among candidates: [String]) -> String? {
  let matches = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
  return matches.count == 1 ? matches.first : nil
}
