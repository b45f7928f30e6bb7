/// A word from the command line that remembers where it came from.
package struct ArgumentValue: Sendable, Equatable {
  /// The value itself.
  package let text: String
  /// What the person would call it: the option as typed, or the positional's name.
  package let label: String
  /// The position among the arguments, counted from 0 after the tool's name.
  package let index: Int

  /// Pairs a word with its origin.
  package init(text: String, label: String, index: Int) {
    self.text = text
    self.label = label
    self.index = index
  }
}
