package import Formats
package import Records

/// The JSON of an operation or error, decoded strictly; what it does not say stays nil.
///
/// Of most payloads nothing is built: what they hold is told by places in their bytes.
package struct JSONPayload {
  /// Whether the bytes are one JSON object.
  package let isObject: Bool
  private let members: DocumentMembers

  /// Decodes a stored payload.
  package init(_ raw: RawValue?) {
    switch raw {
    case .text(let bytes), .binary(let bytes): self.init(bytes.span)
    case .integer, .real, nil: self.init([UInt8]().span)
    }
  }

  /// Decodes the bytes of a payload.
  package init(_ bytes: Span<UInt8>) {
    var members = DocumentMembers()
    // Bytes that are not JSON are kept raw beside the operation; here they just say nothing.
    isObject = members.read(bytes)
    self.members = members
  }

  /// The bytes that were decoded, as they are stored; nil when they are not a JSON object.
  package func bytes(of raw: RawValue?) -> [UInt8]? {
    switch raw {
    case .text(let bytes), .binary(let bytes): isObject ? bytes : nil
    case .integer, .real, nil: nil
    }
  }

  /// The bytes of a payload that is a JSON object, as they are stored; nil for anything else.
  package static func objectBytes(of raw: RawValue?) -> [UInt8]? {
    switch raw {
    case .text(let bytes) where isJSONObject(bytes.span): bytes
    case .binary(let bytes) where isJSONObject(bytes.span): bytes
    default: nil
    }
  }

  /// A whole number, also one in a string, which the SDKs read alike.
  package func integer(_ key: String) -> Int64? {
    guard let member = members[key] else { return nil }
    let text = members.text(member)
    switch member.kind {
    case .number: return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    case .text: return Int64(text)
    case .null, .boolean, .structure: return nil
    }
  }

  /// A text, empty or not.
  package func text(_ key: String) -> String? {
    members[key].flatMap { $0.kind == .text ? members.text($0) : nil }
  }

  /// A number, spelled as in the payload.
  package func number(_ key: String) -> String? {
    members[key].flatMap { $0.kind == .number ? members.text($0) : nil }
  }

  /// An object as JSON text; nil when the key is missing or holds anything else.
  package func objectJSON(_ key: String) -> [UInt8]? {
    guard let member = members[key], member.kind == .structure else { return nil }
    let json = members.json(member)
    return json.first == UInt8(ascii: "{") ? json : nil
  }

  /// A value as JSON text; nil when the key is missing.
  package func json(_ key: String) -> [UInt8]? { members[key].map(members.json) }

  /// The version of the item that a key holds, under the first of these keys that has one.
  package func version(ofItem key: String, under keys: [String]) -> String? {
    objectJSON(key).flatMap { JSONPayload($0.span).version(under: keys) }
  }

  /// The version of the item that the payload is, under the first of these keys that has one.
  ///
  /// An empty version would put no condition on a request, so it counts as none.
  package func version(under keys: [String]) -> String? {
    keys.lazy.compactMap(text).first { !$0.isEmpty }
  }
}

extension JSONObject {
  /// The object that a stored payload is; nil when it is anything else.
  package init?(payload raw: RawValue?) {
    switch raw {
    case .text(let bytes), .binary(let bytes): self.init(parsing: bytes.span)
    case .integer, .real, nil: return nil
    }
  }
}
