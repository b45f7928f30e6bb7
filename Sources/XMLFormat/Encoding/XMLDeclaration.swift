/// The `<?xml … ?>` at the start of a document, as far as it concerns how to read the rest.
struct XMLDeclaration: Equatable {
  /// The version it names.
  private(set) var version: String?
  /// The encoding it names.
  private(set) var encoding: String?

  /// The most bytes that a declaration may have.
  static let maxSize = 1 << 10
  private static let opening = Array("<?xml".utf8)

  /// What the first bytes of a document turn out to be.
  enum Finding: Equatable {
    /// A declaration.
    case declaration(XMLDeclaration)
    /// Something else, so that there is no declaration.
    case absent
    /// Too few bytes to tell.
    case incomplete
    /// A declaration that does not end.
    case tooLong
  }

  /// Looks for a declaration at the start of a document's text.
  static func find(in text: Span<UInt8>) -> Finding {
    for place in 0..<min(opening.count, text.count) where text[place] != opening[place] {
      return .absent
    }
    guard text.count > opening.count else { return .incomplete }
    guard isBlank(text[opening.count]) else { return .absent }
    for place in opening.count..<max(opening.count, min(text.count, maxSize) - 1)
    where text[place] == UInt8(ascii: "?") && text[place + 1] == UInt8(ascii: ">") {
      return .declaration(XMLDeclaration(text.extracting(opening.count..<place)))
    }
    return text.count < maxSize ? .incomplete : .tooLong
  }

  /// Reads `name="value"` pairs up to the first that is none, which the parser will refuse.
  private init(_ text: Span<UInt8>) {
    var rest = DeclarationText(text)
    while let (name, value) = rest.next(in: text) {
      if name == "version", version == nil { version = value }
      if name == "encoding", encoding == nil { encoding = value }
    }
  }
}

/// The place reached among the pairs of a declaration.
private struct DeclarationText {
  private var place = 0

  init(_ text: Span<UInt8>) { skipBlanks(text) }

  mutating func next(in text: Span<UInt8>) -> (name: String, value: String)? {
    let name = take(text) { $0 != UInt8(ascii: "=") && !isBlank($0) }
    skipBlanks(text)
    guard place < text.count, text[place] == UInt8(ascii: "=") else { return nil }
    place += 1
    skipBlanks(text)
    guard place < text.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(text[place])
    else { return nil }
    let quote = text[place]
    place += 1
    let value = take(text) { $0 != quote }
    guard place < text.count else { return nil }
    place += 1
    skipBlanks(text)
    return (name, value)
  }

  private mutating func take(_ text: Span<UInt8>, while accepts: (UInt8) -> Bool) -> String {
    var bytes: [UInt8] = []
    while place < text.count, accepts(text[place]) {
      bytes.append(text[place])
      place += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func skipBlanks(_ text: Span<UInt8>) {
    while place < text.count, isBlank(text[place]) { place += 1 }
  }
}
