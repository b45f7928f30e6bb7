/// Whether the bytes are well-formed UTF-8.
///
/// Overlong forms, surrogates and code points above U+10FFFF are not.
@inlinable
package func isValidUTF8(_ bytes: Span<UInt8>) -> Bool {
  isASCII(bytes) || isValidMultibyteUTF8(bytes)
}

/// Whether all bytes are below 128; most texts are, and need no closer look.
@inlinable
func isASCII(_ bytes: Span<UInt8>) -> Bool {
  // The words are read from inside the span, wherever they start.
  unsafe bytes.withUnsafeBytes { bytes in
    var offset = 0
    var seen: UInt64 = 0
    while offset &+ 8 <= bytes.count {
      seen |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    if bytes.count >= 8 {
      // The last eight bytes may overlap with those before.
      seen |= unsafe bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
      return seen & 0x8080_8080_8080_8080 == 0
    }
    while offset < bytes.count {
      seen |= unsafe UInt64(bytes[offset])
      offset &+= 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
  }
}

@usableFromInline
func isValidMultibyteUTF8(_ bytes: Span<UInt8>) -> Bool {
  // What the error would say, where and why, is not asked for.
  (try? UTF8Span(validating: bytes)) != nil
}
