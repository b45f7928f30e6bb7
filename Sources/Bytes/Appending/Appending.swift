extension [UInt8] {
  /// A copy of the bytes.
  @inlinable
  package init(copying bytes: Span<UInt8>) {
    self.init()
    append(bytes)
  }

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

extension OutputSpan<UInt8> {
  /// Appends a copy of the bytes, for which there must be room.
  @inlinable
  package mutating func append(_ bytes: Span<UInt8>) {
    unsafe append(size: bytes.count) { target in
      // As many bytes as the span has are asked for, and it gives exactly these.
      unsafe bytes.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress else { return }
        unsafe target.update(from: start, count: source.count)
      }
    }
  }

  /// Appends the UTF-8 bytes of a literal, for which there must be room.
  @inlinable
  package mutating func append(_ text: StaticString) {
    let size = text.utf8CodeUnitCount
    // A static string's bytes live as long as the process, and all of them are copied.
    unsafe append(size: size) { unsafe $0.update(from: text.utf8Start, count: size) }
  }

  /// Appends so many times the same byte, for which there must be room.
  @inlinable
  mutating func append(_ byte: UInt8, times count: Int) {
    for _ in 0..<count { append(byte) }
  }

  /// Appends `size` bytes, all of which `fill` must write; without room for them it traps.
  ///
  /// `fill` may write the `size` bytes behind the pointer it gets, and nothing else.
  @inlinable
  @inline(__always)
  mutating func append(size: Int, fill: (UnsafeMutablePointer<UInt8>) -> Void) {
    precondition(size <= freeCapacity, "more is written than was asked for")
    // The buffer has room for `size` bytes behind those written, and `fill` writes exactly these.
    unsafe withUnsafeMutableBufferPointer { buffer, written in
      guard let start = buffer.baseAddress else { return }
      unsafe fill(start + written)
      written &+= size
    }
  }

  /// Copies bytes, eight at a time, as long as all eight are plain; there must be room for all.
  ///
  /// - Returns: the place of the first byte that was not copied. It is at most seven bytes before
  ///   the first that is not plain, or before the end of a source with less than eight bytes.
  @inlinable
  @inline(__always)
  package mutating func appendWords(
    of source: Span<UInt8>, from start: Int, whilePlain isPlain: (UInt64) -> Bool
  ) -> Int {
    let room = freeCapacity
    precondition(start >= 0 && source.count &- start <= room, "the copy would not fit")
    var place = start
    // Every word is read at a place from `start` on that has eight bytes of the source behind it,
    // and is written as far behind the bytes written before, where there is room for the rest.
    unsafe source.withUnsafeBytes { source in
      unsafe withUnsafeMutableBufferPointer { buffer, written in
        guard let base = buffer.baseAddress else { return }
        let target = unsafe UnsafeMutableRawPointer(base + written)
        let end = source.count
        while end &- place >= 8 {
          let word = unsafe source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          guard isPlain(word) else { break }
          unsafe target.storeBytes(of: word, toByteOffset: place &- start, as: UInt64.self)
          place &+= 8
        }
        // The last eight bytes overlap with those copied, and save a look at each.
        if end &- place < 8, end &- start >= 8 {
          let word = unsafe source.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
          if isPlain(word) {
            unsafe target.storeBytes(of: word, toByteOffset: end &- 8 &- start, as: UInt64.self)
            place = end
          }
        }
        written &+= place &- start
      }
    }
    return place
  }
}

extension ByteRoom {
  /// Appends the UTF-8 bytes of a literal.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    let size = text.utf8CodeUnitCount
    // A static string's bytes live as long as the process, and all of them are copied.
    unsafe take(size).copyMemory(from: text.utf8Start, byteCount: size)
  }
}
