import Bytes
package import Formats
package import Records

/// What a stored payload is to those that have to send it.
package enum PayloadForm {
  /// There is none.
  case missing
  /// A text or blob of no length.
  case empty
  case object
  /// Anything else, which nobody can read.
  case strange
}

extension RawValue {
  /// Begins the line of what else is kept, which ends with two braces.
  private static let keptMark = Array("{\"unread\":{".utf8)

  /// A payload, if there is one, and behind it a line of what else its record has.
  package init(_ payload: RawValue?, followedBy line: [UInt8]) {
    let line = [UInt8(ascii: "\n")] + line
    switch payload {
    case .text(let bytes): self = .text(bytes + line)
    case .binary(let bytes): self = .binary(bytes + line)
    case .integer(let number): self = .text(Array(number.description.utf8) + line)
    case .real(let number): self = .text(Array(number.description.utf8) + line)
    case nil: self = .text(line)
    }
  }

  /// A payload as stored, and in a line behind it what no field of its record can say, if anything.
  ///
  /// Without a payload the line is all that there is, so that none and an empty one stay two things.
  /// One that ends like that itself gets a line of nothing: the last line is never its own.
  package init?(_ payload: RawValue?, keeping unread: JSONObject) {
    if unread.members.isEmpty, payload?.hasKeptLine != true {
      guard let payload else { return nil }
      self = payload
      return
    }
    var kept = JSONObject()
    kept["unread"] = .object(unread)
    self = payload.map { RawValue($0, followedBy: kept.json) } ?? .text(kept.json)
  }

  /// The payload alone, as it was before anything was kept behind it; nil where there was none.
  package var payload: RawValue? {
    switch self {
    case .integer, .real: self
    case .text(let bytes): Self.payload(in: bytes).map { .text($0) }
    case .binary(let bytes): Self.payload(in: bytes).map { .binary($0) }
    }
  }

  /// What the payload is, whatever is kept behind it.
  package var payloadForm: PayloadForm {
    switch payload {
    case nil: return .missing
    case .integer, .real: return .strange
    case .text(let bytes), .binary(let bytes):
      if bytes.isEmpty { return .empty }
      return isJSONObject(bytes.span) ? .object : .strange
    }
  }

  private static func payload(in bytes: [UInt8]) -> [UInt8]? {
    guard let start = keptLine(in: bytes) else { return bytes }
    return start == 0 ? nil : Array(bytes[..<(start - 1)])
  }

  /// Whether it ends like a payload behind which something is kept.
  var hasKeptLine: Bool {
    switch self {
    case .integer, .real: false
    case .text(let bytes), .binary(let bytes): Self.keptLine(in: bytes) != nil
    }
  }

  /// Where the line of what is kept begins; nil where there is none.
  private static func keptLine(in bytes: [UInt8]) -> Int? {
    // Most payloads end otherwise, and need not be searched.
    let brace = UInt8(ascii: "}")
    guard bytes.count > 1, bytes[bytes.count - 1] == brace, bytes[bytes.count - 2] == brace else {
      return nil
    }
    let start = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = bytes[start...]
    // Of an object of several lines the last one alone is none.
    guard line.starts(with: keptMark),
      JSONObject(parsing: Array(line).span)?.members.count == 1
    else { return nil }
    return start
  }

  /// The value in JSON; bytes that are no text as base64.
  package var inJSON: JSONValue {
    switch self {
    case .integer(let number): return .number(JSONNumber(number))
    case .real(let number):
      return JSONNumber(number).map(JSONValue.number) ?? .string(number.description)
    case .text(let bytes) where isValidUTF8(bytes.span):
      return .string(String(decoding: bytes, as: UTF8.self))
    case .text(let bytes), .binary(let bytes):
      var object = JSONObject()
      object["base64"] = .string(base64Text(bytes))
      return .object(object)
    }
  }
}
