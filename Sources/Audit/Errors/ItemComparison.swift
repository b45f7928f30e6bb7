package import Bytes
import Formats
import Records

/// Compares two copies of an item field by field, as the values are meant and not as spelled.
package struct ItemComparison: Sendable {
  /// The fields of decimals, in small letters: rows of ours have them as texts, requests as numbers.
  private let decimals: Set<ExactText>

  /// Compares items of a table with some fields of decimals.
  package init(decimals: Set<ExactText> = []) { self.decimals = decimals }

  /// The fields that differ, the device's first, then those that only the server has.
  ///
  /// A field that one side lacks and that is null on the other does not differ, because SDKs
  /// before 2.2.0 leave out nulls. Nor does a default value that a server leaves out as it does all,
  /// which a replay takes for the same, too; what is not the copy of a server says so. Names may differ
  /// in letter case, which Android loses, and so does Core Data without a model. Nil when one of the
  /// copies is no JSON object.
  package func differences(
    device: [UInt8], server: [UInt8], isOfServer: Bool = true
  ) -> [FieldDifference]? {
    compared(device: device, server: server, isOfServer: isOfServer)?.filter(\.isDifferent).map(
      \.field)
  }

  /// All fields of two copies, the device's first, each with whether it differs.
  ///
  /// Nil when one of the copies is no JSON object.
  func compared(
    device: [UInt8], server: [UInt8], isOfServer: Bool = true
  ) -> [ComparedField]? {
    guard let device = Self.fields(device), let item = JSONObject(parsing: server.span) else {
      return nil
    }
    let server = Self.fields(item)
    let omitsNothings = isOfServer && mayOmitNothings(item)
    let exactly = Dictionary(keepingFirst: server.map { (ExactText($0.0), $0) })
    let folded = Dictionary(keepingFirst: server.map { (ExactText(folding: $0.0), $0) })
    var met: Set<ExactText> = []
    var compared = device.map { field, value in
      let found = exactly[ExactText(field)] ?? folded[ExactText(folding: field)]
      if let found { met.insert(ExactText(found.0)) }
      let isLacking = omitsNothings ? isNothing(value) : value == .null
      return ComparedField(
        field: FieldDifference(field: field, device: value, server: found?.1),
        isDifferent: !(found.map { isSame(value, $0.1, field: field) } ?? isLacking))
    }
    compared += server.filter { !met.contains(ExactText($0.0)) }.map { field, value in
      ComparedField(
        field: FieldDifference(field: field, device: nil, server: value),
        isDifferent: value != .null)
    }
    return compared.compactMap { each in
      guard !Self.isKept(each.field.field) else { return nil }
      let isExpected = each.field.field == "deleted" && each.field.isNotDeleted
      return ComparedField(field: each.field, isDifferent: each.isDifferent && !isExpected)
    }
  }

  /// The fields of one copy, but for the store's own key; nil when it is no JSON object.
  package static func listed(_ item: [UInt8]) -> [FieldDifference]? {
    fields(item)?.filter { !isKept($0.0) }.map {
      FieldDifference(field: $0.0, device: $0.1, server: nil)
    }
  }

  /// Whether a member of a row is none of the item's: its key, or what tells of values that it lacks.
  private static func isKept(_ name: String) -> Bool { name == "_pk" || name == RejectColumn.name }

  private static func fields(_ json: [UInt8]) -> [(String, JSONValue)]? {
    // Text that is no JSON has no fields; the error itself keeps its bytes.
    JSONObject(parsing: json.span).map(fields)
  }

  private static func fields(_ item: JSONObject) -> [(String, JSONValue)] {
    item.members.map { (plainName($0.key), $0.value) }
  }

  /// The name of a system field without the prefixes that it had up to 3.0.0-beta3.
  private static func plainName(_ name: String) -> String {
    for prefix in ["__", "ms_"] where name.hasPrefix(prefix) {
      let rest = String(name.dropFirst(prefix.count))
      if FieldDifference.systemFields.contains(rest) { return rest }
    }
    return name
  }

  private func isSame(_ device: JSONValue, _ server: JSONValue, field: String) -> Bool {
    if field == "id", case (.string(let left), .string(let right)) = (device, server) {
      return ExactText(folding: left) == ExactText(folding: right)
    }
    return means(sent(device, field: field, as: server), server)
  }

  /// A value that the device keeps as text, as it would be sent to a server that shows another kind.
  private func sent(_ value: JSONValue, field: String, as server: JSONValue) -> JSONValue {
    guard case .string(let text) = value else { return value }
    switch server {
    // What is no JSON is a text.
    case .array, .object: return (try? JSONValue(parsing: text.utf8Span.span)) ?? value
    case .number where decimals.contains(ExactText(folding: field)):
      return JSONNumber(text).map(JSONValue.number) ?? value
    default: return value
    }
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
