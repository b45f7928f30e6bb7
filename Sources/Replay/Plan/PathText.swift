/// One segment of a path, everything but RFC 3986's unreserved characters encoded.
func encodedSegment(_ text: String) -> String {
  encoded(text) { byte in isUnreserved(byte) }
}

/// A whole path as a person gives it: slashes and what is encoded already stay.
func encodedPath(_ text: String) -> String {
  encoded(text) { byte in
    isUnreserved(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
  }
}

private func encoded(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
  // As ids and tables are, almost always.
  if text.utf8.allSatisfy(isKept) { return text }
  var bytes: [UInt8] = []
  for byte in text.utf8 {
    if isKept(byte) {
      bytes.append(byte)
    } else {
      bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "_"), UInt8(ascii: "~"):
    true
  default: false
  }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &+ value &- 10
}
