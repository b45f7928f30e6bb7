import Bytes

extension [UInt8] {
  /// Appends an attribute; a text that XML cannot carry goes, as base64, into `NAME-base64`.
  mutating func appendXML(_ name: StaticString, _ text: String) {
    let bytes = Array(text.utf8)
    append(UInt8(ascii: " "))
    append(name)
    let length = count
    append("=\"")
    if !appendXML(attribute: bytes.span) {
      removeLast(count - length)
      append("-base64=\"")
      appendBase64(bytes.span)
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends an attribute, if there is a value for it.
  mutating func appendXML(_ name: StaticString, _ text: String?) {
    if let text { appendXML(name, text) }
  }

  /// Appends an attribute that holds a number.
  mutating func appendXML(_ name: StaticString, _ number: Int) {
    appendXML(name, String(number))
  }
}
