/// Room for bytes that was made once for many small pieces, and is filled from its start.
///
/// Nothing asks for more memory or looks at an array's count between two pieces. Behind the room
/// lie some bytes more, which may be overwritten, so that pieces are copied in whole blocks.
@frozen
@safe
@usableFromInline
package struct ByteRoom: ~Copyable {
  /// Where the next byte goes.
  @usableFromInline var next: UnsafeMutableRawPointer
  /// Where the room ends; `slack` bytes behind it can be written, too.
  @usableFromInline let end: UnsafeMutableRawPointer

  /// How many bytes behind the room, or behind a piece, a copy may touch.
  @inlinable package static var slack: Int { 16 }

  /// How many bytes the room for many items has at least.
  @usableFromInline static var sizeForMany: Int { 1 << 16 }

  /// Uses memory of the caller from `start` on, `slack` bytes longer than `size`.
  @inlinable
  @inline(__always)
  init(_ start: UnsafeMutableRawPointer, size: Int) {
    unsafe next = start
    unsafe end = start + size
  }

  /// How many bytes can still be written.
  @inlinable package var left: Int {
    @inline(__always) get { unsafe end - next }
  }

  /// Takes `size` bytes, all of which the caller must write; without room for them it traps.
  @inlinable
  @inline(__always)
  mutating func take(_ size: Int) -> UnsafeMutableRawPointer {
    precondition(size >= 0 && size <= left, "more is written than was asked for")
    let taken = unsafe next
    unsafe next += size
    return unsafe taken
  }

  /// Appends one byte.
  @inlinable
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    unsafe take(1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Appends the eight bytes of a number, most significant first.
  @inlinable
  @inline(__always)
  package mutating func appendBigEndian(_ value: UInt64) {
    unsafe take(8).storeBytes(of: value.bigEndian, as: UInt64.self)
  }

  /// Appends a byte and then a number, most significant byte first.
  @inlinable
  @inline(__always)
  package mutating func append(
    _ byte: UInt8, bigEndian value: some FixedWidthInteger & BitwiseCopyable
  ) {
    let target = unsafe take(1 &+ value.bitWidth / 8)
    unsafe target.storeBytes(of: byte, as: UInt8.self)
    unsafe target.storeBytes(of: value.bigEndian, toByteOffset: 1, as: type(of: value))
  }

  /// Appends a range of bytes; quickest where `slack` bytes of the source follow it.
  @inlinable
  @inline(__always)
  package mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= source.count, "out of bounds")
    let target = unsafe take(range.count)
    let hasSlack = source.count &- range.upperBound >= Self.slack
    // The range is inside of the source, and the room has as many bytes. Blocks of sixteen reach
    // no more than sixteen bytes beyond either.
    unsafe source.withUnsafeBytes { source in
      guard let base = source.baseAddress else { return }
      let start = unsafe base + range.lowerBound
      guard hasSlack, range.count <= 128 else {
        return unsafe target.copyMemory(from: start, byteCount: range.count)
      }
      var place = 0
      repeat {
        unsafe target.storeBytes(
          of: start.loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self),
          toByteOffset: place, as: SIMD2<UInt64>.self)
        place &+= 16
      } while place < range.count
    }
  }

  /// How many bytes are copied and looked at together; as many must follow such a range.
  @inlinable package static var blockSize: Int { 16 }

  /// Copies a range in blocks behind the bytes written, up to a byte for which `special` sets the
  /// top bit; it may set those of bytes above it in the same word, too.
  ///
  /// `blockSize` bytes of the source follow the range. The first byte of a word is its lowest.
  /// Nothing counts as written yet.
  ///
  /// - Returns: the place of that byte, or the end of the range.
  @inlinable
  @inline(__always)
  func copyBlocks(
    of source: Span<UInt8>, _ range: Range<Int>, upTo special: (SIMD2<UInt64>) -> SIMD2<UInt64>
  ) -> Int {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= source.count &- Self.blockSize, "out of bounds")
    precondition(range.count <= left, "more is written than was asked for")
    // Blocks are read from places before the range's end, behind which there is one more, and what
    // is written beyond the range's copy is less than a block.
    return unsafe source.withUnsafeBytes { source in
      let target = unsafe next
      var place = range.lowerBound
      while place < range.upperBound {
        let block = unsafe source.loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(
          of: block, toByteOffset: place &- range.lowerBound, as: SIMD2<UInt64>.self)
        let found = special(SIMD2(block.x.littleEndian, block.y.littleEndian))
        if found.x | found.y != 0 {
          let bit = found.x != 0 ? found.x.trailingZeroBitCount : 64 &+ found.y.trailingZeroBitCount
          return min(place &+ bit / 8, range.upperBound)
        }
        place &+= Self.blockSize
      }
      return range.upperBound
    }
  }

  /// Appends a range up to a special byte, as `copyBlocks` does, and returns the place of that.
  @inlinable
  @inline(__always)
  package mutating func append(
    _ source: Span<UInt8>, _ range: Range<Int>, upTo special: (SIMD2<UInt64>) -> SIMD2<UInt64>
  ) -> Int {
    let end = copyBlocks(of: source, range, upTo: special)
    unsafe _ = take(end &- range.lowerBound)
    return end
  }

  /// Appends a range if no byte of it is special in the sense of `copyBlocks`, or else nothing.
  @inlinable
  @inline(__always)
  package mutating func append(
    _ source: Span<UInt8>, _ range: Range<Int>,
    unlessAny special: (SIMD2<UInt64>) -> SIMD2<UInt64>
  ) -> Bool {
    guard copyBlocks(of: source, range, upTo: special) == range.upperBound else { return false }
    unsafe _ = take(range.count)
    return true
  }

  /// Appends at most `size` bytes, which `write` adds to an empty span.
  @inlinable
  @inline(__always)
  package mutating func append(upTo size: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    let target = unsafe take(size)
    // The span covers the bytes that were just taken; those it leaves free are given back.
    let memory = unsafe UnsafeMutableRawBufferPointer(start: target, count: size)
      .bindMemory(to: UInt8.self)
    var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
    write(&output)
    unsafe next = target + output.finalize(for: memory)
  }
}

extension [UInt8] {
  /// Makes room for `size` bytes, of which `fill` writes as many as it needs.
  @inlinable
  @inline(__always)
  package mutating func append(roomFor size: Int, _ fill: (inout ByteRoom) -> Void) {
    append(addingCapacity: size &+ ByteRoom.slack) { output in
      // The buffer has `size` bytes and the slack behind those written, and the room lies there.
      unsafe output.withUnsafeMutableBufferPointer { buffer, written in
        guard let base = buffer.baseAddress else { return }
        let start = unsafe UnsafeMutableRawPointer(base + written)
        var room = unsafe ByteRoom(start, size: size)
        fill(&room)
        unsafe written &+= room.next - start
      }
    }
  }

  /// Spells some items one after the other, in room that is made for many at a time.
  ///
  /// `size` tells what an item takes at most.
  @inlinable
  @inline(__always)
  package mutating func append(
    items: Range<Int>, size: (Int) -> Int, _ spell: (Int, inout ByteRoom) -> Void
  ) {
    var item = items.lowerBound
    while item < items.upperBound {
      var needed = size(item)
      append(roomFor: items.count > 1 ? Swift.max(needed, ByteRoom.sizeForMany) : needed) { room in
        while needed <= room.left {
          spell(item, &room)
          item &+= 1
          guard item < items.upperBound else { return }
          needed = size(item)
        }
      }
    }
  }
}
