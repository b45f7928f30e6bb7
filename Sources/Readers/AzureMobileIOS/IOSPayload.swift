import Formats
import Records

/// The JSON of an operation or error, decoded strictly; what it does not say stays nil.
struct IOSPayload {
  /// The top-level object; nil when the bytes are anything else.
  let object: JSONObject?

  /// Decodes the bytes of a `properties` attribute.
  init(_ raw: RawValue?) {
    switch raw {
    case .text(let bytes), .binary(let bytes):
      // Bytes that are not JSON are kept raw beside the operation; here they just say nothing.
      guard case .object(let object)? = try? JSONValue(parsing: bytes.span) else { fallthrough }
      self.object = object
    case .integer, .real, nil:
      object = nil
    }
  }

  /// A whole number, also one in a string, which the SDK reads alike.
  func integer(_ key: String) -> Int64? {
    switch object?[key] {
    case .number(let number): number.integer ?? number.real.flatMap { Int64(exactly: $0) }
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// A text, empty or not.
  func text(_ key: String) -> String? {
    guard case .string(let text)? = object?[key] else { return nil }
    return text
  }

  /// An object as JSON text; nil when the key is missing or holds anything else.
  func objectJSON(_ key: String) -> [UInt8]? {
    guard case .object? = object?[key] else { return nil }
    return json(key)
  }

  /// A value as JSON text; nil when the key is missing.
  func json(_ key: String) -> [UInt8]? {
    guard let value = object?[key] else { return nil }
    var bytes: [UInt8] = []
    value.append(to: &bytes)
    return bytes
  }

  /// The kind of operation that a key names.
  func kind(_ key: String) -> OperationKind? {
    switch integer(key) {
    case 0: .insert
    case 1: .update
    case 2: .delete
    default: nil
    }
  }

  /// The version inside the item of a delete, under the first of these keys that has one.
  func itemVersion(_ keys: [String]) -> String? {
    guard case .object(let item)? = object?["item"] else { return nil }
    for key in keys {
      if case .string(let version)? = item[key], !version.isEmpty { return version }
    }
    return nil
  }
}
