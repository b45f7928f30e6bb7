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

/// Appends what canonical base64 with padding stands for; false, and nothing appended, otherwise.
///
/// Only RFC 4648's own form passes: no blanks, complete padding, and no stray bits at the end.
package func decodeBase64(_ text: Span<UInt8>, into output: inout [UInt8]) -> Bool {
  guard text.count % 4 == 0 else { return false }
  let start = output.count
  output.reserveForAppending(text.count / 4 * 3)
  let table = base64Values
  let values = table.span
  var place = 0
  while place < text.count {
    let isLast = place + 4 == text.count
    guard let group = Base64Group(text, at: place, values, mayBePadded: isLast) else {
      output.removeLast(output.count - start)
      return false
    }
    output.append(UInt8(truncatingIfNeeded: group.bits >> 16))
    if group.size > 1 { output.append(UInt8(truncatingIfNeeded: group.bits >> 8)) }
    if group.size > 2 { output.append(UInt8(truncatingIfNeeded: group.bits)) }
    place += 4
  }
  return true
}

/// As `decodeBase64`, but blanks, tabs and line breaks may stand anywhere.
package func decodeBase64(
  ignoringWhitespace text: Span<UInt8>, into output: inout [UInt8]
) -> Bool {
  var digits: [UInt8] = []
  digits.reserveCapacity(text.count)
  for place in text.indices {
    switch text[place] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
    case let digit: digits.append(digit)
    }
  }
  return decodeBase64(digits.span, into: &output)
}

/// Four digits and the one to three bytes they stand for.
private struct Base64Group {
  let bits: UInt32
  let size: Int

  @inline(__always)
  init?(_ text: Span<UInt8>, at place: Int, _ values: Span<UInt8>, mayBePadded: Bool) {
    let first = values[Int(text[place])]
    let second = values[Int(text[place + 1])]
    let third = values[Int(text[place + 2])]
    let fourth = values[Int(text[place + 3])]
    let high = UInt32(first) << 18 | UInt32(second) << 12
    // No value of a digit has the upper two bits, and the mark for "no digit" has both.
    if (first | second | third | fourth) < 64 {
      bits = high | UInt32(third) << 6 | UInt32(fourth)
      size = 3
      return
    }
    let padding = UInt8(ascii: "=")
    guard mayBePadded, (first | second) < 64, text[place + 3] == padding else { return nil }
    if third < 64, third & 3 == 0 {
      bits = high | UInt32(third) << 6
      size = 2
    } else if text[place + 2] == padding, second & 15 == 0 {
      bits = high
      size = 1
    } else {
      return nil
    }
  }
}

/// Spells bytes as base64 with padding (RFC 4648, section 4).
package func base64Text(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.appendBase64(bytes.span)
  return String(decoding: text, as: UTF8.self)
}

/// The six bits each byte stands for as a digit, 255 where it is none.
private let base64Values: [UInt8] = {
  var values = [UInt8](repeating: 255, count: 256)
  let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
  return values
}()
