extension SHA256Digest {
  /// Reads 64 lower-case hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    var words: [UInt64] = []
    for start in stride(from: 0, to: 64, by: 16) {
      var word: UInt64 = 0
      for digit in digits[start..<start + 16] {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): word = word << 4 | UInt64(digit &- 48)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): word = word << 4 | UInt64(digit &- 87)
        default: return nil
        }
      }
      words.append(word)
    }
    self.init(
      words: Words(first: words[0], second: words[1], third: words[2], fourth: words[3]))
  }
}
