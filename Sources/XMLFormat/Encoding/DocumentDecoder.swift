import Bytes

/// Turns the bytes of a document into checked UTF-8, piece by piece.
struct DocumentDecoder {
  private var raw: [UInt8] = []
  private var start = 0
  private var signature: XMLEncoding.Signature?
  private var utf16: XMLEncoding.UTF16Decoding?
  /// Whether text may be handed on, or has to wait for the end of the declaration.
  private(set) var isDeclarationChecked = false
  private var byteCount = 0
  private let limit: Int
  /// Text that was not parsed yet; whoever parses it removes it.
  var text: [UInt8] = []
  /// What is wrong behind the end of the text.
  private(set) var failure: (code: XMLError.Code, reason: String)?

  /// Decodes at most `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// Lets a source append bytes, and decodes what has come; true at the end of the document.
  mutating func decode(
    _ read: (inout [UInt8]) throws(XMLError) -> Void
  ) throws(XMLError) -> Bool {
    if signature?.encoding == .utf8 { return try decodeInPlace(read) }
    raw.removeFirst(start)
    start = 0
    let before = raw.count
    try read(&raw)
    let isLast = raw.count == before
    guard count(raw.count - before) else { return true }
    decodeRaw(isLast: isLast)
    checkDeclaration(isLast: isLast)
    return isLast
  }

  /// Lets a source append bytes of UTF-8 to the text itself.
  private mutating func decodeInPlace(
    _ read: (inout [UInt8]) throws(XMLError) -> Void
  ) throws(XMLError) -> Bool {
    let checked = text.count
    text += raw[start...]
    let before = text.count
    do {
      try read(&text)
    } catch {
      text.removeLast(text.count - checked)
      throw error
    }
    raw.removeAll(keepingCapacity: true)
    start = 0
    let isLast = text.count == before
    guard count(text.count - before) else {
      text.removeLast(text.count - checked)
      return true
    }
    let (size, isValid) = utf8Prefix(of: text.span.extracting(checked...))
    raw += text[(checked + size)...]
    text.removeLast(text.count - checked - size)
    if !isValid {
      fail(.encoding, "the text is not UTF-8")
    } else if isLast, !raw.isEmpty, failure == nil {
      fail(.truncated, "the document ends inside a character")
    }
    checkDeclaration(isLast: isLast)
    return isLast
  }

  /// Counts what was read; false where it is too much.
  private mutating func count(_ size: Int) -> Bool {
    byteCount += size
    if byteCount > limit { fail(.limit, "the document is too long") }
    return byteCount <= limit
  }

  private mutating func decodeRaw(isLast: Bool) {
    guard readSignature(isLast: isLast), failure == nil else { return }
    // A second reference, because a span of `raw` would keep all of this value occupied.
    let bytes = raw
    let input = bytes.span.extracting(start...)
    if utf16 != nil {
      decodeUTF16(input)
    } else {
      decodeUTF8(input)
    }
    let isInsideCharacter = start < bytes.count || utf16?.isInsideCharacter == true
    if isLast, failure == nil, isInsideCharacter {
      fail(.truncated, "the document ends inside a character")
    }
  }

  private mutating func decodeUTF8(_ input: Span<UInt8>) {
    let (size, isValid) = utf8Prefix(of: input)
    text.append(input.extracting(..<size))
    start += size
    if !isValid { fail(.encoding, "the text is not UTF-8") }
  }

  private mutating func decodeUTF16(_ input: Span<UInt8>) {
    if let size = utf16?.decode(input, into: &text) {
      start += size
    } else {
      fail(.encoding, "the text is not UTF-16")
    }
  }

  private mutating func readSignature(isLast: Bool) -> Bool {
    if signature != nil { return true }
    guard raw.count >= XMLEncoding.Signature.size || isLast else { return false }
    let found = XMLEncoding.Signature(raw.span)
    signature = found
    start = found.markSize
    if found.encoding != .utf8 {
      utf16 = XMLEncoding.UTF16Decoding(isBigEndian: found.encoding == .utf16BigEndian)
    }
    return true
  }

  private mutating func checkDeclaration(isLast: Bool) {
    guard !isDeclarationChecked, let signature else { return }
    if let first = text.first, !isBlank(first), first != UInt8(ascii: "<") {
      isDeclarationChecked = true
      return refuseAll(.notWellFormed, "the document does not start with a tag")
    }
    let finding = XMLEncoding.Declaration.find(in: text.span)
    if finding == .incomplete, !isLast, failure == nil { return }
    isDeclarationChecked = true
    var declaration: XMLEncoding.Declaration?
    if case .declaration(let found) = finding { declaration = found }
    if finding == .tooLong {
      refuseAll(.notWellFormed, "the XML declaration does not end")
    } else if let version = declaration?.version, version != "1.0" {
      refuseAll(.notWellFormed, "the document is not of XML version 1.0")
    } else if finding != .incomplete, !signature.permits(declaration?.encoding) {
      refuseAll(.encoding, Self.refusal(of: declaration?.encoding))
    }
  }

  private static func refusal(of declared: String?) -> String {
    guard let declared, !XMLEncoding.names.contains(declared.lowercased()) else {
      return "the document is not in the encoding it declares, or not in UTF-8"
    }
    return "the document declares \(declared), and only UTF-8 and UTF-16 are read"
  }

  private mutating func refuseAll(_ code: XMLError.Code, _ reason: String) {
    text.removeAll()
    failure = (code, reason)
  }

  private mutating func fail(_ code: XMLError.Code, _ reason: String) {
    failure = (code, reason)
  }
}

/// How many bytes from the start are whole characters, and whether what follows can become one.
func utf8Prefix(of bytes: Span<UInt8>) -> (size: Int, isValid: Bool) {
  let whole = bytes.count - incompleteTail(of: bytes)
  do {
    _ = try UTF8Span(validating: bytes.extracting(..<whole))
    return (whole, true)
  } catch {
    return (error.byteOffsets.lowerBound, false)
  }
}

/// How many bytes at the end start a character that needs more bytes.
private func incompleteTail(of bytes: Span<UInt8>) -> Int {
  for size in 1...3 where size <= bytes.count {
    let byte = bytes[bytes.count - size]
    if byte & 0xC0 == 0x80 { continue }
    let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
    return needed > size ? size : 0
  }
  return 0
}
