/// The encodings that a document can be in.
enum XMLEncoding: Sendable {
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// What documents call the encodings that are read, in lower case.
  static let names: Set = ["utf-8", "utf-16", "utf-16le", "utf-16be"]

  /// What the first bytes of a document say about its encoding.
  struct Signature {
    /// The encoding that the bytes show.
    let encoding: XMLEncoding
    /// How many bytes of it are a byte order mark, which is no part of the document.
    let markSize: Int

    /// The number of bytes that are enough to tell.
    static let size = 4

    /// Looks at the first bytes; fewer than `size` only when there are no more.
    init(_ bytes: Span<UInt8>) {
      let first = bytes.count > 0 ? bytes[0] : 0
      let second = bytes.count > 1 ? bytes[1] : 0
      let third = bytes.count > 2 ? bytes[2] : 0
      let less = UInt8(ascii: "<")
      (encoding, markSize) =
        switch (first, second, third) {
        case (0xEF, 0xBB, 0xBF): (.utf8, 3)
        case (0xFF, 0xFE, _): (.utf16LittleEndian, 2)
        case (0xFE, 0xFF, _): (.utf16BigEndian, 2)
        case (less, 0, _) where bytes.count > 1: (.utf16LittleEndian, 0)
        case (0, less, _): (.utf16BigEndian, 0)
        default: (.utf8, 0)
        }
    }

    /// Whether a document that shows this signature may declare an encoding, or none.
    func permits(_ declared: String?) -> Bool {
      guard let declared else { return encoding == .utf8 || markSize > 0 }
      return switch encoding {
      case .utf8: declared.lowercased() == "utf-8"
      case .utf16LittleEndian: ["utf-16", "utf-16le"].contains(declared.lowercased())
      case .utf16BigEndian: ["utf-16", "utf-16be"].contains(declared.lowercased())
      }
    }
  }

  /// The `<?xml … ?>` at the start of a document, as far as it concerns how to read the rest.
  struct Declaration: Equatable {
    private(set) var version: String?
    private(set) var encoding: String?

    /// The most bytes that a declaration may have.
    static let maxSize = 1 << 10
    private static let opening = Array("<?xml".utf8)

    /// What the first bytes of a document turn out to be.
    enum Finding: Equatable {
      case declaration(XMLEncoding.Declaration)
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
        return .declaration(XMLEncoding.Declaration(text.extracting(opening.count..<place)))
      }
      return text.count < maxSize ? .incomplete : .tooLong
    }

    /// Reads `name="value"` pairs up to the first that is none, which the parser will refuse.
    private init(_ text: Span<UInt8>) {
      var rest = XMLEncoding.DeclarationText(text)
      while let (name, value) = rest.next(in: text) {
        if name == "version", version == nil { version = value }
        if name == "encoding", encoding == nil { encoding = value }
      }
    }
  }

  /// The place reached among the pairs of a declaration.
  fileprivate struct DeclarationText {
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

  /// Turns UTF-16 into UTF-8, piece by piece.
  struct UTF16Decoding {
    private let isBigEndian: Bool
    private var highSurrogate: UInt32?

    /// Starts before the first unit.
    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Whether the last unit taken needs another one.
    var isInsideCharacter: Bool { highSurrogate != nil }

    /// Appends whole units as UTF-8 and returns how many bytes it used; nil for a lone surrogate.
    mutating func decode(_ bytes: Span<UInt8>, into output: inout [UInt8]) -> Int? {
      let size = bytes.count & ~1
      for place in stride(from: 0, to: size, by: 2) {
        let first = UInt32(bytes[place])
        let second = UInt32(bytes[place + 1])
        let unit = isBigEndian ? first << 8 | second : second << 8 | first
        guard append(unit, to: &output) else { return nil }
      }
      return size
    }

    private mutating func append(_ unit: UInt32, to output: inout [UInt8]) -> Bool {
      switch unit {
      case 0xD800..<0xDC00:
        guard highSurrogate == nil else { return false }
        highSurrogate = unit
      case 0xDC00..<0xE000:
        guard let high = highSurrogate else { return false }
        highSurrogate = nil
        Self.append(scalar: 0x1_0000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &output)
      default:
        guard highSurrogate == nil else { return false }
        Self.append(scalar: unit, to: &output)
      }
      return true
    }

    private static func append(scalar: UInt32, to output: inout [UInt8]) {
      // Only scalar values come here.
      guard let scalar = Unicode.Scalar(scalar) else { return }
      output.append(contentsOf: UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
    }
  }
}

/// Whether a byte is white space of XML.
func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}

/// Whether text consists of nothing but the white space of XML.
func isBlank(_ text: Span<UInt8>) -> Bool {
  for place in text.indices where !isBlank(text[place]) { return false }
  return true
}
