import Records

extension JSONPayload {
  /// The kind of operation that a key names, in the codes of the SDK for iOS.
  func kind(_ key: String) -> OperationKind? {
    switch integer(key) {
    case 0: .insert
    case 1: .update
    case 2: .delete
    default: nil
    }
  }
}

extension JSONPayload {
  /// Decodes a payload that may carry the tag of an attribute with external storage.
  ///
  /// JSON never begins with the byte 1, so the tag cannot be mistaken.
  init(untagged raw: RawValue?) {
    if case .binary(let bytes)? = raw, bytes.first == 1 {
      self.init(.binary(Array(bytes.dropFirst())))
    } else {
      self.init(raw)
    }
  }
}
