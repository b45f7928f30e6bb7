package import Formats
package import Records

/// The JSON of an operation or error, decoded strictly; what it does not say stays nil.
package struct JSONPayload {
  /// The top-level object; nil when the bytes are anything else.
  package let object: JSONObject?

  /// Decodes a stored payload.
  package init(_ raw: RawValue?) {
    switch raw {
    case .text(let bytes), .binary(let bytes): self.init(bytes.span)
    case .integer, .real, nil: self.init([UInt8]().span)
    }
  }

  /// Decodes the bytes of a payload.
  package init(_ bytes: Span<UInt8>) {
    // Bytes that are not JSON are kept raw beside the operation; here they just say nothing.
    if case .object(let object)? = try? JSONValue(parsing: bytes) {
      self.object = object
    } else {
      object = nil
    }
  }

  /// The bytes that were decoded, as they are stored; nil when they are not a JSON object.
  package func bytes(of raw: RawValue?) -> [UInt8]? {
    switch raw {
    case .text(let bytes), .binary(let bytes): object == nil ? nil : bytes
    case .integer, .real, nil: nil
    }
  }

  /// The bytes of a payload that is a JSON object, as they are stored; nil for anything else.
  package static func objectBytes(of raw: RawValue?) -> [UInt8]? {
    // Of a plain one nothing need be built.
    switch raw {
    case .text(let bytes) where isPlainObject(bytes.span): bytes
    case .binary(let bytes) where isPlainObject(bytes.span): bytes
    default: JSONPayload(raw).bytes(of: raw)
    }
  }

  private static func isPlainObject(_ bytes: Span<UInt8>) -> Bool {
    forEachMember(ofPlainJSON: bytes) { _, _ in }
  }

  /// A whole number, also one in a string, which the SDKs read alike.
  package func integer(_ key: String) -> Int64? {
    switch object?[key] {
    case .number(let number): number.integer ?? number.real.flatMap { Int64(exactly: $0) }
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// A text, empty or not.
  package func text(_ key: String) -> String? {
    guard case .string(let text)? = object?[key] else { return nil }
    return text
  }

  /// An object as JSON text; nil when the key is missing or holds anything else.
  package func objectJSON(_ key: String) -> [UInt8]? {
    guard case .object? = object?[key] else { return nil }
    return json(key)
  }

  /// A value as JSON text; nil when the key is missing.
  package func json(_ key: String) -> [UInt8]? {
    object?[key]?.json
  }

  /// The version of the item that a key holds, under the first of these keys that has one.
  package func version(ofItem key: String, under keys: [String]) -> String? {
    guard case .object(let item)? = object?[key] else { return nil }
    return Self.version(of: item, under: keys)
  }

  /// The version of the item that the payload is, under the first of these keys that has one.
  package func version(under keys: [String]) -> String? {
    object.flatMap { Self.version(of: $0, under: keys) }
  }

  /// An empty version would put no condition on a request, so it counts as none.
  private static func version(of item: JSONObject, under keys: [String]) -> String? {
    for key in keys {
      if case .string(let version)? = item[key], !version.isEmpty { return version }
    }
    return nil
  }
}
