import Bytes
package import Records

extension RawValue {
  /// The value as text; bytes that are none as hexadecimal digits behind `hexadecimal `.
  package var shown: String {
    switch self {
    case .integer(let number): return String(number)
    case .real(let number): return String(number)
    case .text(let bytes), .binary(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      var digits: [UInt8] = []
      digits.appendHex(bytes.span)
      return "hexadecimal " + String(decoding: digits, as: UTF8.self)
    }
  }
}
