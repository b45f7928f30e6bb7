import CMemory

/// Lets large blocks of memory go back to the system when they are no longer used.
///
/// The allocator would otherwise take the largest block that was ever freed as the measure of what
/// to keep, and the peak of a run would depend on the order in which lists were given up. It would
/// also give each thread a heap of its own, of which each keeps what is free.
package func returnLargeBlocks() {
  let heaps = Int32(clamping: max(2, processorCount()))
  rehome_set_allocator(heaps, 4 << 20, 2 << 20, 512 << 10)
}

/// Gives memory that was freed in small pieces back to the system, which the allocator would keep.
///
/// It takes a few milliseconds, and is for the moment when much was moved to a file.
package func giveBackFreeMemory() {
  rehome_trim()
}

/// Asks for a word that will be looked at soon, so that many are on their way at once.
package func prefetch(_ words: Span<UInt64>, at index: Int) { prefetch(any: words, at: index) }

/// The same for half a word.
package func prefetch(_ words: Span<UInt32>, at index: Int) { prefetch(any: words, at: index) }

/// The same for a byte.
package func prefetch(_ bytes: Span<UInt8>, at index: Int) { prefetch(any: bytes, at: index) }

// Called for each row, it must not be one for any kind of element.
@inline(__always)
private func prefetch(any words: Span<some BitwiseCopyable>, at index: Int) {
  // Extracting checks the bounds, and the address is not even read from.
  unsafe words.extracting(index..<index + 1).withUnsafeBytes {
    unsafe rehome_prefetch($0.baseAddress)
  }
}
