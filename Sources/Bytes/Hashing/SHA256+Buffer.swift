/// The hash of the bytes of a buffer, which is padded in place and left without use.
///
/// For many short messages this takes half the time of `SHA256`, which has to keep pieces.
package func sha256(padding buffer: inout [UInt8]) -> SHA256Digest {
  buffer.endSHA256Message(from: 0)
  return sha256(padded: buffer.span)
}

/// The hash of a message that `endSHA256Message` has ended.
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

extension [UInt8] {
  /// Ends the message that begins at `start`: SHA-256 takes whole blocks, the size at their end.
  package mutating func endSHA256Message(from start: Int) {
    let size = count - start
    let padding = 63 - (size + 8) % 64
    append(addingCapacity: padding + 9) { output in
      output.append(0x80)
      output.append(0, times: padding)
      output.appendBigEndian(UInt64(size) &* 8)
    }
  }
}
