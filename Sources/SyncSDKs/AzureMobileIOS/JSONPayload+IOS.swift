package import Records
import Tables

extension JSONPayload {
  /// The kind of operation that a key names, in the codes of the SDK for iOS.
  package func kind(_ key: String) -> OperationKind? { IOSNames.kind(integer(key)) }
}

extension JSONPayload {
  /// Decodes a payload that may carry the tag of an attribute with external storage.
  ///
  /// JSON never begins with the byte 1, so the tag cannot be mistaken.
  init(untagged raw: RawValue?) {
    switch raw {
    case .binary(let bytes): self.init(untagged: bytes.span)
    case .integer, .real, .text, nil: self.init(raw)
    }
  }

  /// Decodes the bytes of such a payload, a blob.
  init(untagged bytes: Span<UInt8>) {
    let isTagged = !bytes.isEmpty && bytes[0] == 1
    self.init(isTagged ? bytes.extracting(1..<bytes.count) : bytes)
  }
}
