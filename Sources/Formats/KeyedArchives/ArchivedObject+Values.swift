extension ArchivedObject {
  /// The text of a plain string, `NSString` or `NSMutableString`.
  package var string: String? {
    if case .string(let text) = node { return text }
    guard isKind(of: ["NSString", "NSMutableString"]) else { return nil }
    if case .string(let text) = self["NS.string"]?.node { return text }
    guard case .data(let bytes) = self["NS.bytes"]?.node else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The value of a whole number.
  package var integer: Int64? {
    if case .integer(let value) = node { value } else { nil }
  }

  /// The value of a truth value, or of the whole numbers 0 and 1.
  package var boolean: Bool? {
    switch node {
    case .boolean(let value): value
    case .integer(0): false
    case .integer(1): true
    default: nil
    }
  }

  /// The value of a number that a double holds exactly.
  package var real: Double? {
    switch node {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    case .unsigned(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The bytes of plain data, `NSData` or `NSMutableData`.
  package var data: [UInt8]? {
    if case .data(let bytes) = node { return bytes }
    guard isKind(of: ["NSData", "NSMutableData"]),
      case .data(let bytes) = (self["NS.data"] ?? self["NS.bytes"])?.node
    else { return nil }
    return bytes
  }

  /// The moment of a plain date or `NSDate`, in seconds since the start of 2001, UTC.
  package var date: Double? {
    if case .date(let seconds) = node { return seconds }
    return isKind(of: ["NSDate"]) ? self["NS.time"]?.real : nil
  }

  /// Whether the object's class is one of these or inherits from one.
  func isKind(of names: Set<String>) -> Bool {
    classNames.contains { names.contains($0) }
  }
}
