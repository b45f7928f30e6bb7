/// Bold and coloured text, or plain text where colour is off.
package struct TextStyle: Sendable, Equatable {
  /// Whether anything is marked at all.
  package let usesColor: Bool
  /// How many columns lines may take; nil where nobody has to look at a screen of that width.
  package let width: Int?

  /// The style for a stream that does or does not take colour, and may be of a certain width.
  package init(usesColor: Bool, width: Int? = nil) {
    self.usesColor = usesColor
    self.width = width
  }

  /// Leaves all text as it is.
  package static let plain = TextStyle(usesColor: false)

  /// For headings.
  package func bold(_ text: String) -> String { marked(text, "1") }

  /// For what matters less.
  package func dim(_ text: String) -> String { marked(text, "2") }

  /// For errors.
  package func red(_ text: String) -> String { marked(text, "31") }

  /// For warnings.
  package func yellow(_ text: String) -> String { marked(text, "33") }

  private func marked(_ text: String, _ code: String) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
