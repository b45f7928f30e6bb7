/// Appends a run of bytes in one copy.
@inlinable
package func appendBytes(of source: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) {
  // The buffer is read only inside the closure, while the span keeps its memory alive.
  unsafe source.extracting(range).withUnsafeBufferPointer {
    unsafe output.append(contentsOf: $0)
  }
}

/// The eight bytes from `offset` on, in the machine's order; `offset + 8` must be inside.
@inlinable
@inline(__always)
package func loadWord(from source: Span<UInt8>, at offset: Int) -> UInt64 {
  precondition(offset >= 0 && offset <= source.count &- 8, "out of bounds")
  // All eight bytes are inside, and any bytes are an integer.
  return unsafe source.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
}
