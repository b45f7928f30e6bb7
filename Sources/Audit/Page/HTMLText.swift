import Bytes

/// HTML that is written into a buffer; whatever comes from a store goes through `text`.
struct HTMLText {
  private(set) var bytes: [UInt8] = []

  /// Appends markup, which only the tool itself spells.
  mutating func markup(_ html: StaticString) { bytes.append(html) }

  /// Appends a control character that stands between pieces of packed text.
  mutating func separate(_ separator: UInt8) { bytes.append(separator) }

  mutating func number(_ number: Int) { bytes.appendDecimal(Int64(number)) }

  /// Appends what was written elsewhere.
  mutating func append(_ other: HTMLText) { bytes.append(other.bytes.span) }

  /// Takes what was written since the last call.
  mutating func take() -> [UInt8] {
    // What is handed out has no more room than it needs, as many cards wait to be packed.
    var taken: [UInt8] = []
    taken.reserveCapacity(bytes.count)
    taken.append(bytes.span)
    bytes.removeAll(keepingCapacity: true)
    return taken
  }

  /// Appends text that may hold anything.
  mutating func text(_ text: String) { self.text(text.utf8Span.span) }

  /// Appends UTF-8 so that nothing in it can become markup, be invisible or turn the writing
  /// direction; bytes that are no UTF-8 are replaced.
  mutating func text(_ text: Span<UInt8>) {
    guard isValidUTF8(text) else {
      let repaired = repairedUTF8(text)
      return self.text(repaired.span)
    }
    var index = 0
    var previous: Unicode.Scalar?
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        appendASCII(byte)
        index += 1
        previous = nil
      } else {
        let (scalar, size) = unicodeScalar(in: text, at: index)
        if let spelling = visibleSpelling(of: scalar, after: previous) {
          bytes.append(spelling.utf8Span.span)
        } else {
          bytes.append(text.extracting(index..<index + size))
        }
        index += size
        previous = scalar
      }
    }
  }

  /// Appends a character of ASCII; newlines and tabs stay, as a page has lines.
  private mutating func appendASCII(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): bytes.append("&lt;")
    case UInt8(ascii: ">"): bytes.append("&gt;")
    case UInt8(ascii: "&"): bytes.append("&amp;")
    case UInt8(ascii: "\""): bytes.append("&quot;")
    case UInt8(ascii: "'"): bytes.append("&#39;")
    case 0x09, 0x0A, 0x20..<0x7F: bytes.append(byte)
    default:
      let spelling = visibleSpelling(of: Unicode.Scalar(byte), after: nil) ?? ""
      bytes.append(spelling.utf8Span.span)
    }
  }
}

extension HTMLText {
  /// How many characters of a long text are shown.
  private static let shownLength = 500

  /// Appends text between two pieces of markup.
  mutating func add(_ before: StaticString, _ text: String, _ after: StaticString) {
    markup(before)
    self.text(text)
    markup(after)
  }

  /// Appends the beginning of a text that may be very long, and says how long it is.
  mutating func shortened(_ text: String) {
    let end = text.unicodeScalars.index(
      text.startIndex, offsetBy: Self.shownLength, limitedBy: text.endIndex)
    guard let end, end < text.endIndex else { return self.text(text) }
    self.text(String(text[..<end]))
    add("<i class=cut> … (", text.utf8.count.grouped, " bytes in all)</i>")
  }

  /// Appends the attribute by which links lead to an operation.
  mutating func operationID(_ sequence: Int64) {
    markup(" id=op-")
    bytes.appendDecimal(sequence)
  }

  mutating func operationLink(_ sequence: Int64, _ words: StaticString = "operation ") {
    markup("<a href=\"#op-")
    bytes.appendDecimal(sequence)
    markup("\">")
    markup(words)
    bytes.appendDecimal(sequence)
    markup("</a>")
  }

  /// Appends a link to what a page says about a finding, under its code.
  mutating func findingLink(_ code: String) {
    guard code.isFindingCode else { return add("<code>", code, "</code>") }
    add("<a href=\"#f-", code, "\">")
    add("<code>", code, "</code></a>")
  }

  /// Opens a heading so many levels below that of the page; `closeHeading` ends it.
  mutating func openHeading(_ level: Int, _ attributes: StaticString = "") {
    markup("<h")
    number(level)
    markup(attributes)
    markup(">")
  }

  mutating func closeHeading(_ level: Int) {
    markup("</h")
    number(level)
    markup(">\n")
  }

  /// Opens a part of the page under a name that links may lead to; `</section>` ends it.
  mutating func openSection(_ id: StaticString, _ title: StaticString, count: Int?, level: Int) {
    markup("<section id=")
    markup(id)
    markup(" aria-labelledby=")
    markup(id)
    markup("-title>\n<h")
    number(level)
    markup(" id=")
    markup(id)
    markup("-title>")
    markup(title)
    if let count { add(" <small>", count.grouped, "</small>") }
    closeHeading(level)
  }

  /// Appends a row of two cells, the first of which names the second.
  mutating func row(_ name: StaticString, _ value: String) {
    markup("<tr><th scope=row>")
    markup(name)
    add("</th><td>", value, "</td></tr>\n")
  }
}

extension String {
  /// Whether it looks like the code of a finding, and so may be part of a link.
  var isFindingCode: Bool {
    !isEmpty && utf8.count < 64
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
