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
