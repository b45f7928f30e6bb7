extension String {
  /// What follows a prefix; nil when the text does not begin with it.
  package func removing(prefix: String) -> String? {
    guard utf8.starts(with: prefix.utf8) else { return nil }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

extension String {
  /// What stands before and behind each place at which one of some ASCII characters stands.
  package func cuts(at signs: Unicode.Scalar...) -> [(head: ExactText, rest: ExactText)] {
    let bytes = utf8
    let wanted = signs.map { UInt8(ascii: $0) }
    return bytes.indices.filter { wanted.contains(bytes[$0]) }.map { place in
      (
        ExactText(String(decoding: bytes[..<place], as: UTF8.self)),
        ExactText(String(decoding: bytes[bytes.index(after: place)...], as: UTF8.self))
      )
    }
  }
}
