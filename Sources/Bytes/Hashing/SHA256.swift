/// Computes a SHA-256 hash (FIPS 180-4) from bytes that arrive in pieces.
package struct SHA256: Sendable {
  private var state = SHA256State()
  private var block = InlineArray<64, UInt8>(repeating: 0)
  private var size: UInt64 = 0

  /// Starts with no bytes.
  package init() {}

  /// Adds bytes behind those already there.
  package mutating func update(_ bytes: Span<UInt8>) {
    var start = 0
    let pending = Int(size % 64)
    size &+= UInt64(bytes.count)
    if pending > 0 {
      start = min(64 - pending, bytes.count)
      for place in 0..<start { block[pending + place] = bytes[place] }
      guard pending + start == 64 else { return }
      state.compress(block.span)
    }
    let whole = (bytes.count - start) / 64 * 64
    if whole > 0 { state.compress(bytes.extracting(start..<start + whole)) }
    for place in start + whole..<bytes.count { block[place - start - whole] = bytes[place] }
  }

  /// The hash of all the bytes; afterwards it starts again with none.
  package mutating func finish() -> SHA256Digest {
    var end = Int(size % 64)
    block[end] = 0x80
    end += 1
    if end > 56 {
      for place in end..<64 { block[place] = 0 }
      state.compress(block.span)
      end = 0
    }
    for place in end..<56 { block[place] = 0 }
    let bits = size &* 8
    for place in 0..<8 {
      block[56 + place] = UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * place))
    }
    state.compress(block.span)
    defer { self = SHA256() }
    return state.digest
  }
}
