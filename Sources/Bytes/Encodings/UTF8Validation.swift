/// Whether the bytes are well-formed UTF-8.
///
/// Overlong forms, surrogates and code points above U+10FFFF are not.
package func isValidUTF8(_ bytes: Span<UInt8>) -> Bool {
  // What the error would say, where and why, is not asked for.
  (try? UTF8Span(validating: bytes)) != nil
}
