/// Spells bytes as base64 with padding (RFC 4648, section 4).
func base64Text(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count / 3 * 4 + 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits: UInt32 = 0
    for byte in group { bits = bits << 8 | UInt32(byte) }
    bits <<= UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      let digit = alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63]
      text.append(place <= group.count ? digit : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// Spells the 16 bytes of a UUID in upper case with hyphens; nil for another number of bytes.
func uuidText(_ bytes: [UInt8]) -> String? {
  guard bytes.count == 16 else { return nil }
  let digits = Array("0123456789ABCDEF".utf8)
  var text: [UInt8] = []
  for (index, byte) in bytes.enumerated() {
    if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// Spells a real number as JSON: infinities as text, no value for something that is no number.
func jsonReal(_ value: Double) -> JSONValue? {
  if value.isInfinite { return .string(value < 0 ? "-Infinity" : "Infinity") }
  return JSONNumber(value).map { .number($0) }
}
