/// How many bytes the base64 of `count` bytes takes.
@inlinable
package func base64Size(of count: Int) -> Int {
  (count &+ 2) / 3 &* 4
}

extension OutputSpan<UInt8> {
  /// Appends the bytes in base64 with padding, as RFC 4648 section 4 spells it.
  ///
  /// There must be room for all of it, which `base64Size` tells.
  package mutating func appendBase64(_ bytes: Span<UInt8>) {
    let triples = bytes.count / 3
    unsafe append(size: triples * 4) { target in
      for triple in 0..<triples {
        // `triple` stays below the number of whole triples and of groups of four.
        let high = unsafe UInt32(bytes[unchecked: triple &* 3]) << 16
        let middle = unsafe UInt32(bytes[unchecked: triple &* 3 &+ 1]) << 8
        let low = unsafe UInt32(bytes[unchecked: triple &* 3 &+ 2])
        unsafe writeBase64(high | middle | low, at: target + triple &* 4)
      }
    }
    let rest = triples * 3
    switch bytes.count - rest {
    case 1: appendLastBase64(UInt32(bytes[rest]) << 16, padding: 2)
    case 2: appendLastBase64(UInt32(bytes[rest]) << 16 | UInt32(bytes[rest + 1]) << 8, padding: 1)
    default: break
    }
  }

  private mutating func appendLastBase64(_ group: UInt32, padding: Int) {
    // Four bytes are what `writeBase64` writes.
    unsafe append(size: 4) { unsafe writeBase64(group, at: $0) }
    removeLast(padding)
    append(UInt8(ascii: "="), times: padding)
  }
}

extension [UInt8] {
  /// Appends the bytes in base64 with padding, as RFC 4648 section 4 spells it.
  package mutating func appendBase64(_ bytes: Span<UInt8>) {
    append(addingCapacity: base64Size(of: bytes.count)) { $0.appendBase64(bytes) }
  }
}

/// Writes the four digits of a group of 24 bits.
@inline(__always)
private func writeBase64(_ group: UInt32, at target: UnsafeMutablePointer<UInt8>) {
  let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  // Six bits are at most 63, inside the 64 digits; the caller owns four bytes at `target`.
  for place in 0..<4 {
    let digit = Int(group >> UInt32(18 &- 6 &* place)) & 63
    unsafe target[place] = digits.utf8Start[digit]
  }
}
