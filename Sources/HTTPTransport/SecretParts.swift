import Bytes

/// The parts of a header's value that a server may quote alone, such as the signature among the members
/// of `SharedAccessSignature sr=x&sig=abc&se=1`.
enum SecretParts {
  /// Shorter ones may be ordinary words.
  private static let shortest = 8
  private static let nameSigns = Set("-_".utf8)
  private static let signs = Set(" \t;,&\"'".utf8)

  /// The parts of a header's value, without what stands there to name them.
  static func parts(of header: (name: String, value: [UInt8])) -> [[UInt8]] {
    var pieces = header.value.split { signs.contains($0) }
    // What comes first tells how to read the others.
    if header.name.lowercased().hasSuffix("authorization"), beginsWithScheme(header.value) {
      pieces.removeFirst()
    }
    let whole = pieces.flatMap(valueParts)
    // What stands before a colon is mostly an account.
    let parts =
      whole + whole.flatMap { $0.split(separator: UInt8(ascii: ":")).dropFirst() }.map(Array.init)
    let decoded = parts.filter { $0.contains(UInt8(ascii: "%")) }
      .map { Array(percentDecoded(String(decoding: $0, as: UTF8.self)).utf8) }
    return (parts + decoded).filter { $0.count >= shortest }
  }

  /// Whether a blank ends the first piece, which is a bare word.
  private static func beginsWithScheme(_ value: [UInt8]) -> Bool {
    let end = value.firstIndex { signs.contains($0) || $0 == UInt8(ascii: "=") }
    return end.map { $0 > 0 && [0x20, 0x09].contains(value[$0]) } ?? false
  }

  /// A value, and what stands in front of its `=` unless that is a name; an `=` at the end is padding.
  private static func valueParts(of piece: ArraySlice<UInt8>) -> [[UInt8]] {
    let sign = UInt8(ascii: "=")
    var (parts, rest) = ([[UInt8]](), piece)
    while let end = rest.firstIndex(of: sign),
      let start = rest[end...].firstIndex(where: { $0 != sign })
    {
      let name = rest[..<end]
      let isName = name.allSatisfy { HeaderText.isLetter($0) || nameSigns.contains($0) }
      if !isName { parts.append(Array(name)) }
      rest = rest[start...]
    }
    return parts + [rest, rest.prefix { $0 != sign }].map(Array.init)
  }
}
