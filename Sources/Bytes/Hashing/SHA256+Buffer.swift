/// The hash of the bytes of a buffer, which is padded in place and left without use.
///
/// For many short messages this takes half the time of `SHA256`, which has to keep pieces.
package func sha256(padding buffer: inout [UInt8]) -> SHA256Digest {
  let size = buffer.count
  buffer.append(roomFor: sha256EndSize) { $0.endSHA256Message(ofSize: size) }
  return sha256(padded: buffer.span)
}

/// The hash of a message that `endSHA256Message` ends.
package func sha256(padded message: Span<UInt8>) -> SHA256Digest {
  var state = SHA256State()
  state.compress(message)
  return state.digest
}

/// The hashes of two such messages, which take half the time when they are made together.
package func sha256(
  padded first: Span<UInt8>, _ second: Span<UInt8>
) -> (first: SHA256Digest, second: SHA256Digest) {
  var states = (SHA256State(), SHA256State())
  let shared = min(first.count, second.count)
  SHA256State.compress(
    first.extracting(0..<shared), into: &states.0, second.extracting(0..<shared), into: &states.1)
  states.0.compress(first.extracting(shared...))
  states.1.compress(second.extracting(shared...))
  return (states.0.digest, states.1.digest)
}

/// How many bytes the end of a message takes at most.
@inlinable package var sha256EndSize: Int { 72 }

extension ByteRoom {
  /// Ends a message of so many bytes: SHA-256 takes whole blocks, the size at their end.
  ///
  /// There must be room for `sha256EndSize` bytes.
  @inlinable
  @inline(__always)
  package mutating func endSHA256Message(ofSize size: Int) {
    let padding = 63 &- (size &+ 8) & 63
    let bits = (UInt64(truncatingIfNeeded: size) &* 8).bigEndian
    // More zeros than are needed are written, all of them in the room, and some given back.
    let start = unsafe take(sha256EndSize)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: sha256EndSize)
    unsafe start.storeBytes(of: 0x80, as: UInt8.self)
    unsafe start.storeBytes(of: bits, toByteOffset: padding &+ 1, as: UInt64.self)
    unsafe next = start + (padding &+ 9)
  }
}
