/// The text that `write` appends to an empty array.
func written(_ write: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  write(&bytes)
  return String(decoding: bytes, as: UTF8.self)
}

/// Lends a string's bytes as a span.
func withBytes<Result>(_ text: String, _ body: (Span<UInt8>) -> Result) -> Result {
  let bytes = Array(text.utf8)
  return body(bytes.span)
}
