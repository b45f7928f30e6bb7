package import Formats

/// A field in which the device's copy of an item and the server's are not the same.
package struct FieldDifference: Sendable, Equatable {
  /// The field's name, system fields without prefix.
  package let field: String
  /// The device's value; nil when it has no such field.
  package let device: JSONValue?
  /// The server's value; nil when it has no such field.
  let server: JSONValue?

  /// Whether the field is the SDK's own, so that its difference is no surprise.
  package var isSystemField: Bool { Self.systemFields.contains(field) }

  static let systemFields: Set<String> = ["version", "createdAt", "updatedAt", "deleted"]

  /// The device's value for people; a word where there is none.
  package var deviceText: String { Self.text(device, beside: server) }

  /// The server's value for people; a word where there is none.
  package var serverText: String { Self.text(server, beside: device) }

  private static func text(_ value: JSONValue?, beside other: JSONValue?) -> String {
    guard let value else { return "(missing)" }
    // Quotes tell a text from what is spelled like it.
    guard case .string(let text) = value, text != other?.jsonText else { return value.jsonText }
    return text
  }
}
