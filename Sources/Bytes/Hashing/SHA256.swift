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

/// The hash of the bytes of a buffer, which is padded in place and left without use.
///
/// For many short messages this takes half the time of `SHA256`, which has to keep pieces.
package func sha256(padding buffer: inout [UInt8]) -> SHA256Digest {
  let size = buffer.count
  buffer.append(roomFor: sha256EndSize) { $0.endSHA256Message(ofSize: size) }
  var state = SHA256State()
  state.compress(buffer.span)
  return state.digest
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

/// The hash and size of a file's bytes.
package func sha256(
  ofFileAt path: String
) throws(FileError) -> (digest: SHA256Digest, size: Int) {
  var file = try InputFile(opening: path)
  var hash = SHA256()
  var size = 0
  var buffer: [UInt8] = []
  while true {
    let count = try file.read(into: &buffer, atMost: 1 << 20)
    if count == 0 { return (hash.finish(), size) }
    hash.update(buffer.span)
    size += count
    buffer.removeAll(keepingCapacity: true)
  }
}

/// The 32 bytes of a SHA-256 hash.
package struct SHA256Digest: Sendable, Hashable {
  /// The bytes as four numbers, most significant byte and number first.
  package let words: Words

  /// Four numbers of eight bytes each.
  package struct Words: Sendable, Hashable {
    /// Bytes 0 to 7.
    package let first: UInt64
    /// Bytes 8 to 15.
    package let second: UInt64
    /// Bytes 16 to 23.
    package let third: UInt64
    /// Bytes 24 to 31.
    package let fourth: UInt64
  }

  /// The bytes, in order.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [words.first, words.second, words.third, words.fourth] {
      for shift in stride(from: 56 as UInt64, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  /// 64 lower-case hexadecimal digits.
  package var hexadecimal: String {
    let bytes = bytes
    var text: [UInt8] = []
    text.appendHex(bytes.span)
    return String(decoding: text, as: UTF8.self)
  }
}

extension SHA256Digest {
  /// Reads 64 lower-case hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var words: [UInt64] = []
    for start in stride(from: 0, to: 64, by: 16) {
      var word: UInt64 = 0
      for digit in digits[start..<start + 16] {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digit &- 48)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(digit &- 87)
        default: return nil
        }
      }
      words.append(word)
    }
    self.init(
      words: Words(first: words[0], second: words[1], third: words[2], fourth: words[3]))
  }
}
