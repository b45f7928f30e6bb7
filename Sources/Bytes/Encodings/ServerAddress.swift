/// A server's address in the one of the spellings that RFC 3986 (6.2.2, 6.2.3) calls equivalent that
/// says least, and without slashes at its end; what is no such address stays what it is.
///
/// Scheme and host are in lower case, the scheme's usual port is left away, and what stands for
/// itself is not escaped. Two slashes in a row, or a dot behind the host, may mean something else.
package func plainServerAddress(_ text: String) -> String {
  let bytes = Array(text.utf8)
  guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
    bytes[colon...].starts(with: "://".utf8)
  else { return text }
  let scheme = lowercased(bytes[..<colon])
  let isSecure = scheme.elementsEqual("https".utf8)
  guard isSecure || scheme.elementsEqual("http".utf8) else { return text }
  let rest = bytes[(colon + 3)...]
  let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
  var path = rest[slash...]
  while path.last == UInt8(ascii: "/") { path.removeLast() }
  let host = lowercased(withoutUsualPort(rest[..<slash], usual: isSecure ? 443 : 80))
  return String(decoding: scheme + "://".utf8 + host + withFewEscapes(path), as: UTF8.self)
}

private func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  bytes.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }
}

/// A host with its port, unless that is the usual one; the port has no zeros in front.
private func withoutUsualPort(_ host: ArraySlice<UInt8>, usual: UInt16) -> ArraySlice<UInt8> {
  // The colons of a numeric host stand in brackets, so that no number ends it.
  guard let colon = host.lastIndex(of: UInt8(ascii: ":")),
    let port = UInt16(String(decoding: host[(colon + 1)...], as: UTF8.self)),
    host[colon + 1] != UInt8(ascii: "+")
  else { return host }
  return port == usual ? host[..<colon] : host[...colon] + "\(port)".utf8
}

/// A path in which nothing is escaped that stands for itself, and other escapes are in capital letters.
private func withFewEscapes(_ path: ArraySlice<UInt8>) -> [UInt8] {
  var plain: [UInt8] = []
  var place = path.startIndex
  while place < path.endIndex {
    let escape = path[place...].prefix(3)
    guard escape.first == UInt8(ascii: "%"), escape.count == 3,
      escape.dropFirst().allSatisfy(isHexDigit),
      let byte = UInt8(String(decoding: escape.dropFirst(), as: UTF8.self), radix: 16)
    else {
      plain.append(path[place])
      place += 1
      continue
    }
    if isUnreserved(byte) {
      plain.append(byte)
    } else {
      plain += escape.map { $0 &- UInt8(ascii: "a") < 6 ? $0 & 0xDF : $0 }
    }
    place += 3
  }
  return plain
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
}

/// Whether a byte of an address stands for itself, escaped or not.
private func isUnreserved(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    || "-._~".utf8.contains(byte)
}
