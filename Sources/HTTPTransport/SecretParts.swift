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
    let hasScheme = header.name.lowercased().hasSuffix("authorization")
    if hasScheme, pieces.count > 1 { pieces.removeFirst() }
    let parts = pieces.flatMap(valueParts)
    let decoded = parts.filter { $0.contains(UInt8(ascii: "%")) }
      .map { Array(percentDecoded(String(decoding: $0, as: UTF8.self)).utf8) }
    return (parts + decoded).filter { $0.count >= shortest }
  }

  /// A value, and what stands in front of its `=` unless that is a name; an `=` at the end is padding.
  private static func valueParts(of piece: ArraySlice<UInt8>) -> [[UInt8]] {
    let sign = UInt8(ascii: "=")
    guard let end = piece.firstIndex(of: sign),
      let start = piece[end...].firstIndex(where: { $0 != sign })
    else { return [piece, piece.prefix { $0 != sign }].map(Array.init) }
    let name = piece[..<end]
    let isName = name.allSatisfy { HeaderText.isLetter($0) || nameSigns.contains($0) }
    return valueParts(of: piece[start...]) + (isName ? [] : [Array(name)])
  }
}
