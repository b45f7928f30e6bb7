extension JSONReader {
  /// What to say where no value begins: what other writers put there, or else that none is there.
  func missingValue() -> FormatError {
    let words = ["NaN", "Infinity", "undefined", "None", "True", "False"]
    if let word = words.first(where: stands) {
      return error(.invalid, "\(word) is no value of JSON")
    }
    if stands("'") {
      return error(.invalid, "text stands in single quotes, which JSON does not have")
    }
    if stands("]") { return error(.invalid, "a value is missing before the closing bracket") }
    return error(.invalid, "a value is missing")
  }

  /// The same where no key begins.
  func missingKey() -> FormatError {
    if stands("'") {
      return error(.invalid, "a key stands in single quotes, which JSON does not have")
    }
    if stands("}") { return error(.invalid, "a key is missing before the closing bracket") }
    return error(.invalid, "a key is missing")
  }

  /// Whether the next bytes are a text, as far as they are in the buffer.
  private func stands(_ text: String) -> Bool { buffer[place...].starts(with: text.utf8) }
}
