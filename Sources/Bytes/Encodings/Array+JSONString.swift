extension [UInt8] {
  /// Appends a string as JSON.
  package mutating func appendJSON(_ text: String) {
    let bytes = Array(text.utf8)
    appendJSONString(bytes.span)
  }
}
