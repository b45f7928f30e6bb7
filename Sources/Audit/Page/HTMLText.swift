import Bytes

/// HTML that is written into a buffer; whatever comes from a store goes through `text`.
struct HTMLText {
  private(set) var bytes: [UInt8] = []

  /// Appends markup, which only the tool itself spells.
  mutating func markup(_ html: StaticString) { bytes.append(html) }

  /// Appends a whole number.
  mutating func number(_ number: Int) { bytes.appendDecimal(Int64(number)) }

  /// Takes what was written since the last call.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Appends text that may hold anything.
  mutating func text(_ text: String) { self.text(text.utf8Span.span) }

  /// Appends UTF-8 so that nothing in it can become markup, be invisible or turn the writing
  /// direction; bytes that are no UTF-8 are replaced.
  mutating func text(_ text: Span<UInt8>) {
    guard isValidUTF8(text) else {
      var copy: [UInt8] = []
      copy.append(text)
      let repaired = Array(String(decoding: copy, as: UTF8.self).utf8)
      return self.text(repaired.span)
    }
    var index = 0
    while index < text.count {
      index += appendCharacter(text, at: index)
    }
  }

  /// Appends what begins at a place, and tells how many bytes that took.
  private mutating func appendCharacter(_ text: Span<UInt8>, at index: Int) -> Int {
    let byte = text[index]
    switch byte {
    case UInt8(ascii: "<"): bytes.append("&lt;")
    case UInt8(ascii: ">"): bytes.append("&gt;")
    case UInt8(ascii: "&"): bytes.append("&amp;")
    case UInt8(ascii: "\""): bytes.append("&quot;")
    case UInt8(ascii: "'"): bytes.append("&#39;")
    case 0x09, 0x0A: bytes.append(byte)
    case 0..<0x20:
      // The picture of a control character: U+2400 and following.
      bytes.append(contentsOf: [0xE2, 0x90, 0x80 + byte])
    case 0x7F: bytes.append("\u{2421}")
    case 0xC2 where index + 1 < text.count && text[index + 1] < 0xA0:
      bytes.append("\u{FFFD}")
      return 2
    case 0xD8 where index + 1 < text.count && text[index + 1] == 0x9C:
      bytes.append("\u{FFFD}")
      return 2
    case 0xE2 where index + 2 < text.count && Self.steersText(text[index + 1], text[index + 2]):
      bytes.append("\u{FFFD}")
      return 3
    default: bytes.append(byte)
    }
    return 1
  }

  /// Whether U+2000 and following, by the last two bytes, is a mark that turns the direction of
  /// text or breaks lines: 200E, 200F, 2028 to 202E, 2066 to 2069.
  private static func steersText(_ middle: UInt8, _ last: UInt8) -> Bool {
    switch (middle, last) {
    case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): true
    default: false
    }
  }
}

extension HTMLText {
  /// Appends a table's head; the script makes its columns sortable.
  mutating func openTable(_ columns: [String]) {
    markup("<div class=wide><table data-list><thead><tr>")
    for column in columns {
      markup("<th scope=col>")
      text(column)
      markup("</th>")
    }
    markup("</tr></thead><tbody>\n")
  }

  /// Ends a table.
  mutating func closeTable() { markup("</tbody></table></div>\n") }

  /// Appends a cell; empty where there is nothing.
  mutating func cell(_ text: String?) {
    markup("<td>")
    self.text(text ?? "")
    markup("</td>")
  }

  /// Appends a cell with a number.
  mutating func cell(_ number: Int64?) {
    markup("<td class=n>")
    if let number { bytes.appendDecimal(number) }
    markup("</td>")
  }

  /// Appends a cell with an item that opens on request.
  mutating func itemCell(_ json: [UInt8]?) {
    markup("<td>")
    if let json {
      markup("<details><summary>show</summary><pre>")
      text(json.span)
      markup("</pre></details>")
    }
    markup("</td>")
  }

  /// Appends a heading of a section.
  mutating func heading(_ title: StaticString, count: Int) {
    markup("<h3>")
    markup(title)
    markup(" <small>")
    number(count)
    markup("</small></h3>\n")
  }
}
