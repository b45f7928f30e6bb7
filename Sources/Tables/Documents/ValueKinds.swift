package import Records

/// Of what kinds the values of a member of documents are; a null is of none.
package struct ValueKinds: OptionSet, Sendable {
  package static let text = ValueKinds(rawValue: 1)
  package static let boolean = ValueKinds(rawValue: 2)
  package static let integer = ValueKinds(rawValue: 4)
  package static let real = ValueKinds(rawValue: 8)
  package static let timestamp = ValueKinds(rawValue: 16)
  package static let binary = ValueKinds(rawValue: 32)
  /// What has no type of its own: arrays and objects, and numbers that do not fit into one.
  package static let json = ValueKinds(rawValue: 64)

  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type that takes all of them.
  package var type: LogicalType {
    switch self {
    case [], .text: .text
    case .boolean: .boolean
    case .integer: .integer
    case .real, [.integer, .real]: .real
    case .timestamp: .timestamp
    case .binary: .binary
    default: .json
    }
  }
}
