/// Watches what the parser has set aside until it sees the end of a tag or comment.
///
/// The parser compares each attribute of a tag with all others, so it must never get to see very
/// many, and it would collect a tag or comment of any length.
struct TagWatch {
  private let limits: XMLLimits
  private var element = 0
  private var scanned = 0
  private var quote: UInt8?
  private var values = 0

  init(_ limits: XMLLimits) { self.limits = limits }

  /// What is too much in the bytes set aside after so many elements have started.
  ///
  /// They start with those of the last time unless another element has started since.
  mutating func excess(in pending: Span<UInt8>, after elementCount: Int) -> String? {
    if elementCount != element { restart() }
    element = elementCount
    guard pending.count > Self.unwatchedBytes else { return nil }
    let (bytes, overflows) = limits.attributeBytes.addingReportingOverflow(limits.nameBytes * 4)
    guard overflows || pending.count <= bytes + PushParser.pieceSize else {
      return "a tag or a comment is too long"
    }
    guard Self.isStartTag(pending) else { return nil }
    scan(pending)
    return values <= limits.attributes ? nil : "an element has too many attributes"
  }

  /// What the parser can have at hand without being watched.
  private static let unwatchedBytes = 1 << 12

  private static func isStartTag(_ pending: Span<UInt8>) -> Bool {
    pending[0] == UInt8(ascii: "<") && pending[1] != UInt8(ascii: "!")
      && pending[1] != UInt8(ascii: "?")
  }

  private mutating func restart() {
    scanned = 0
    quote = nil
    values = 0
  }

  private mutating func scan(_ pending: Span<UInt8>) {
    for place in min(scanned, pending.count)..<pending.count {
      let byte = pending[place]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        values += 1
      }
    }
    scanned = pending.count
  }
}
