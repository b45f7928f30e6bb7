extension Span<UInt8> {
  /// Whether the bytes are the same.
  package func isEqual(to other: Span<UInt8>) -> Bool {
    count == other.count && order(of: self, and: other) == 0
  }

  /// Whether the bytes are those of a literal.
  package func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // The loop stays below the count of both.
    return text.withUTF8Buffer { other in
      for place in indices where unsafe self[place] != other[place] { return false }
      return true
    }
  }
}
