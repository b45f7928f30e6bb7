/// What is known of an object on a server of Parse, in the place of a version.
package struct ParseVersion: Sendable, Equatable {
  /// Its id there.
  package let objectID: String
  /// When it was last changed there, as the server spells it; nil where that is not known.
  package let updatedAt: String?

  /// What is known of an object.
  package init(objectID: String, updatedAt: String?) {
    self.objectID = objectID
    self.updatedAt = updatedAt
  }

  /// Reads what a journal keeps; nil where it names no object.
  package init?(_ text: String) {
    guard let mark = text.lastIndex(of: "@"), mark != text.startIndex else { return nil }
    objectID = String(text[..<mark])
    let time = text[text.index(after: mark)...]
    updatedAt = time.isEmpty ? nil : String(time)
  }

  /// As the journal keeps it.
  package var text: String { objectID + "@" + (updatedAt ?? "") }
}
