/// Whether a byte is white space of XML.
func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}

/// Whether text consists of nothing but the white space of XML.
func isBlank(_ text: Span<UInt8>) -> Bool {
  for place in text.indices where !isBlank(text[place]) { return false }
  return true
}
