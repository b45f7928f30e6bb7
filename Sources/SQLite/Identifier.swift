/// A name as SQL spells it, whatever characters it holds.
package func quoted(_ name: String) -> String { spelled(name, UInt8(ascii: "\"")) }

/// A text as SQL spells it; only for statements that take no parameters.
package func quotedLiteral(_ text: String) -> String { spelled(text, UInt8(ascii: "'")) }

/// A text between quotes, with those inside of it doubled; statements are made for every store, and
/// nearly no name has a quote.
private func spelled(_ text: String, _ quote: UInt8) -> String {
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
