extension ParsedArguments {
  /// The value of an option as a whole number within `range`; nil when it was not given.
  ///
  /// - Throws: `UsageError` with code `invalidValue`.
  package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = Int(value.text), range.contains(number) else {
      let limits =
        range.upperBound == .max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw invalid(value, "is not a whole number \(limits)")
    }
    return number
  }

  /// The error for a value that a command itself finds wrong; `reason` goes on from the value.
  package func invalid(_ value: ArgumentValue, _ reason: String) -> UsageError {
    UsageError(
      .invalidValue, "\(value.label): '\(shownArgument(value.text))' \(reason)",
      commandPath: path.names)
  }

  /// The error for arguments that are right one by one but not together.
  package func conflict(_ message: String) -> UsageError {
    UsageError(.conflictingArguments, message, commandPath: path.names)
  }

  /// Checks that at most one of some options was given.
  ///
  /// - Throws: `UsageError` with code `conflictingArguments`.
  package func requireAtMostOne(of names: [String]) throws(UsageError) {
    let given = names.filter { describes(option: $0) && flag($0) }
    guard given.count > 1 else { return }
    let list = given.map { "--\($0)" }.joined(separator: " and ")
    throw conflict("\(list) exclude each other; give only one")
  }
}

/// An argument as it may appear in a message: escaped and not too long.
func shownArgument(_ text: String) -> String { escapedForTerminal(text, width: 60) }
