import Bytes

extension RawValue {
  /// The storage class as SQLite calls it; text that is not UTF-8 counts as a blob.
  ///
  /// The canonical store keeps such text as a blob, since SQLite's own text must be valid.
  var storage: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text(let bytes): isValidUTF8(bytes.span) ? "text" : "blob"
    case .binary: "blob"
    }
  }

  /// The value as bytes: a number takes eight, most significant first.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .integer(let number): bytes.appendBigEndian(UInt64(bitPattern: number))
    // SQLite keeps no negative zero.
    case .real(let number): bytes.appendBigEndian((number == 0 ? 0 : number).bitPattern)
    case .text(let text): return text
    case .binary(let binary): return binary
    }
    return bytes
  }
}
