extension [UInt8] {
  /// Appends a copy of the bytes in one block.
  @inlinable
  package mutating func append(_ bytes: Span<UInt8>) {
    // The buffer pointer is used only while `bytes` is borrowed, and both its count and its
    // memory come from the span.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 bytes of a literal.
  @inlinable
  package mutating func append(_ text: StaticString) {
    // A static string's bytes live as long as the process.
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends the UTF-8 bytes of a string.
  @inlinable
  package mutating func append(utf8 text: String) {
    append(contentsOf: text.utf8)
  }

  /// Grows by `size` bytes, all of which `fill` must write.
  ///
  /// `fill` may write the `size` bytes behind the pointer it gets, and nothing else.
  @inlinable
  mutating func append(size: Int, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    append(addingCapacity: size) { output in
      // The buffer has room for `size` bytes, and `fill` writes exactly these.
      unsafe output.withUnsafeMutableBufferPointer { buffer, written in
        guard let start = buffer.baseAddress else { return }
        unsafe fill(start)
        written = size
      }
    }
  }
}
