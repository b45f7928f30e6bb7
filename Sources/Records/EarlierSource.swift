/// A store from which another one was made, as that one remembers it.
package struct EarlierSource: Sendable, Equatable {
  /// The number by which rows and operations name it, from 1.
  package var number: Int64
  /// What it was, with the files that were read.
  package var source: SourceDescription
  /// Where the names of its tables and columns came from.
  package var nameOrigin: NameOrigin
  /// When it was read, in canonical spelling; nil where that is not known.
  package var readAt: String?
  /// The version of the tool that read it.
  package var toolVersion: String?

  /// A store under its number.
  package init(number: Int64, _ source: SourceDescription, nameOrigin: NameOrigin) {
    self.number = number
    self.source = source
    self.nameOrigin = nameOrigin
  }
}
