extension Span<UInt8> {
  /// Whether the bytes are the same.
  package func isEqual(to other: Span<UInt8>) -> Bool {
    count == other.count && order(of: self, and: other) == 0
  }

  /// Whether the bytes differ at most in the case of ASCII letters.
  package func isEqualIgnoringASCIICase(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for place in indices where self[place] != other[place] {
      let letter = self[place] | 0x20
      guard letter == other[place] | 0x20, letter &- 0x61 < 26 else { return false }
    }
    return true
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
