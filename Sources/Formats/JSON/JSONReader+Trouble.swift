extension JSONReader {
  /// Words that other writers put where JSON has none.
  package static let foreignWords = [
    "NaN", "nan", "Infinity", "undefined", "None", "True", "False", "NULL", "Null",
  ]

  /// What to say where no value begins: what other writers put there, or else that none is there.
  func missingValue() -> FormatError {
    if let word = Self.foreignWords.first(where: stands) {
      return error(.invalid, "\(word) is no value of JSON")
    }
    if stands("'") {
      return error(.invalid, "text stands in single quotes, which JSON does not have")
    }
    if stands("]") {
      return error(.invalid, "a value is missing, as a comma stands before the closing bracket")
    }
    return error(.invalid, "a value is missing")
  }

  /// The same where no key begins.
  func missingKey() -> FormatError {
    if stands("'") {
      return error(.invalid, "a key stands in single quotes, which JSON does not have")
    }
    if stands("}") {
      return error(.invalid, "a key is missing, as a comma stands before the closing bracket")
    }
    return error(.invalid, "a key is missing")
  }

  /// Whether the next bytes are a text, as far as they are in the buffer.
  private func stands(_ text: String) -> Bool { buffer[place...].starts(with: text.utf8) }
}
