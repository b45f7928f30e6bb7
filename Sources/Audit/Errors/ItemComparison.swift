import Bytes
import Formats

/// Compares two copies of an item field by field, as the values are meant and not as spelled.
package enum ItemComparison {
  /// The fields that differ, the device's first, then those that only the server has.
  ///
  /// A field that one side lacks and that is null on the other does not differ, because SDKs
  /// before 2.2.0 leave out nulls. Names may differ in letter case, which Android loses, and so does
  /// Core Data without a model. Nil when one of the copies is no JSON object.
  package static func differences(device: [UInt8], server: [UInt8]) -> [FieldDifference]? {
    compared(device: device, server: server)?.filter(\.isDifferent).map(\.field)
  }

  /// All fields of two copies, the device's first, each with whether it differs.
  ///
  /// Nil when one of the copies is no JSON object.
  static func compared(device: [UInt8], server: [UInt8]) -> [ComparedField]? {
    guard let device = fields(device), let server = fields(server) else { return nil }
    let exactly = Dictionary(
      server.map { (ExactText($0.0), $0) }, uniquingKeysWith: { first, _ in first })
    let folded = Dictionary(
      server.map { (ExactText(folding: $0.0), $0) }, uniquingKeysWith: { first, _ in first })
    var met: Set<ExactText> = []
    var compared = device.map { field, value in
      let found = exactly[ExactText(field)] ?? folded[ExactText(folding: field)]
      if let found { met.insert(ExactText(found.0)) }
      let other = found?.1
      return ComparedField(
        field: FieldDifference(field: field, device: value, server: other),
        isDifferent: !isSame(nested(value, as: other), other ?? .null, field: field))
    }
    compared += server.filter { !met.contains(ExactText($0.0)) }.map { field, value in
      ComparedField(
        field: FieldDifference(field: field, device: nil, server: value),
        isDifferent: value != .null)
    }
    return compared.compactMap { each in
      guard each.field.field != "_pk" else { return nil }
      let isExpected = each.field.field == "deleted" && each.field.isNotDeleted
      return ComparedField(field: each.field, isDifferent: each.isDifferent && !isExpected)
    }
  }

  /// The fields of one copy, but for the store's own key; nil when it is no JSON object.
  package static func listed(_ item: [UInt8]) -> [FieldDifference]? {
    fields(item)?.filter { $0.0 != "_pk" }.map {
      FieldDifference(field: $0.0, device: $0.1, server: nil)
    }
  }

  private static func fields(_ json: [UInt8]) -> [(String, JSONValue)]? {
    // Text that is no JSON has no fields; the error itself keeps its bytes.
    JSONObject(parsing: json.span)?.members.map { (plainName($0.key), $0.value) }
  }

  /// The name of a system field without the prefixes that it had up to 3.0.0-beta3.
  private static func plainName(_ name: String) -> String {
    for prefix in ["__", "ms_"] where name.hasPrefix(prefix) {
      let rest = String(name.dropFirst(prefix.count))
      if ["version", "createdAt", "updatedAt", "deleted"].contains(rest) { return rest }
    }
    return name
  }

  /// A value that the device keeps as text, as the server shows it.
  private static func nested(_ value: JSONValue, as other: JSONValue?) -> JSONValue {
    guard case .string(let text) = value else { return value }
    switch other {
    // What is no JSON is a text.
    case .array, .object: return (try? JSONValue(parsing: text.utf8Span.span)) ?? value
    default: return value
    }
  }

  private static func isSame(_ left: JSONValue, _ right: JSONValue, field: String) -> Bool {
    switch (left, right) {
    case (.boolean(let truth), .number(let number)), (.number(let number), .boolean(let truth)):
      // SDKs before 3.1.0 write 1 and 0 for true and false.
      return number.integer == (truth ? 1 : 0)
    case (.number(let left), .number(let right)):
      if let left = left.integer, let right = right.integer { return left == right }
      return left.real == right.real
    case (.string(let left), .string(let right)):
      if field == "id" { return ExactText(folding: left) == ExactText(folding: right) }
      if let left = time(left), let right = time(right) { return left == right }
      return hasSameBytes(left, right)
    case (.array(let left), .array(let right)):
      return left.count == right.count
        && zip(left, right).allSatisfy { isSame($0, $1, field: "") }
    case (.object(let left), .object(let right)):
      return left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right[member.key].map { isSame(member.value, $0, field: "") } ?? false
        }
    default:
      return left == right
    }
  }

  private static func time(_ text: String) -> Timestamp? {
    guard text.utf8.count >= 20 else { return nil }
    let bytes = Array(text.utf8)
    return Timestamp(parsing: bytes.span)
  }

  /// A field of two copies of an item.
  struct ComparedField: Sendable, Equatable {
    let field: FieldDifference
    /// Whether they are not the same.
    let isDifferent: Bool
  }
}

extension FieldDifference {
  /// Whether the server merely says that the item is alive, which a device need not keep.
  fileprivate var isNotDeleted: Bool {
    switch (device ?? .null, server ?? .null) {
    case (.null, .boolean(false)), (.boolean(false), .null): true
    case (.null, .number(let number)), (.number(let number), .null): number.integer == 0
    default: false
    }
  }
}
