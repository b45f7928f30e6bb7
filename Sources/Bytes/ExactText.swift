/// A text that only the very same bytes are equal to: a name or an id that comes from a source.
///
/// To Swift two spellings of one accented letter are one text. To SQLite, to devices and to servers
/// they are two, so what names or ids are looked up by, and what is compared with them, is this.
@propertyWrapper
package struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text itself.
  package var wrappedValue: String

  /// Lets a property be compared byte by byte where its type is compared.
  package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

  /// A text as a key.
  package init(_ text: String) { wrappedValue = text }

  /// A text of our own as a key.
  package init(stringLiteral text: String) { wrappedValue = text }

  /// A text without regard to letter case, as a key.
  package init(folding text: String) { wrappedValue = text.lowercased() }

  /// Whether both are the same bytes.
  package static func == (left: ExactText, right: ExactText) -> Bool {
    hasSameBytes(left.wrappedValue, right.wrappedValue)
  }

  /// Whether the bytes of one come before those of the other.
  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.wrappedValue.utf8.lexicographicallyPrecedes(right.wrappedValue.utf8)
  }

  /// Takes the bytes, and one that ends no text.
  package func hash(into hasher: inout Hasher) {
    // The hasher reads them before the closure ends.
    unsafe wrappedValue.utf8Span.span.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    hasher.combine(UInt8.max)
  }
}

/// Whether two texts have the same bytes; `==` also takes canonically equivalent texts as equal.
package func hasSameBytes(_ left: String, _ right: String) -> Bool {
  left.utf8Span.span.isEqual(to: right.utf8Span.span)
}

/// Whether two texts have the same bytes, or neither is there.
package func hasSameBytes(_ left: String?, _ right: String?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return hasSameBytes(left, right)
}
