/// A text between quotes, with those inside of it doubled, as SQL has names and texts.
///
/// It goes by bytes: to `String` a quote and an accent behind it are one character, and no quote.
package func enclosed(_ text: String, in quote: UInt8) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count + 2)
  bytes.append(quote)
  for byte in text.utf8 {
    if byte == quote { bytes.append(quote) }
    bytes.append(byte)
  }
  bytes.append(quote)
  return String(decoding: bytes, as: UTF8.self)
}

extension String {
  /// The text with something else in the place of each byte that is an ASCII character, whatever
  /// accents stand behind it.
  package func replacing(byte: UInt8, with other: String) -> String {
    guard utf8.contains(byte) else { return self }
    var bytes: [UInt8] = []
    for own in utf8 {
      if own == byte { bytes += other.utf8 } else { bytes.append(own) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
