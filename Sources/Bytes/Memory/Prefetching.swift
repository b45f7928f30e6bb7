import CMemory

/// Asks for a word that will be looked at soon, so that many are on their way at once.
package func prefetch(_ words: Span<some BitwiseCopyable>, at index: Int) {
  // Extracting checks the bounds, and the address is not even read from.
  unsafe words.extracting(index..<index + 1).withUnsafeBytes {
    unsafe rehome_prefetch($0.baseAddress)
  }
}
