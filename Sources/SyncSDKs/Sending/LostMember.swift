import Bytes
import Formats
import Records

/// A member of what a device sends that has no value since none could be taken over.
package struct LostMember: Sendable {
  package let name: String
  /// The type that the device has for it, where the table of several may have texts instead, which
  /// JSON spells otherwise.
  private let type: LogicalType?

  /// The member that a column of the device becomes.
  init(of column: Column) {
    name = column.sourceName
    type = Self.typesOfTexts.contains(column.type) ? column.type : nil
  }

  private static let typesOfTexts: Set<LogicalType> = [.integer, .real, .decimal, .boolean, .json]

  /// The member that is told as `json` tells it; nil for anything else.
  init?(_ json: JSONValue) {
    switch json {
    case .string(let name): (self.name, type) = (name, nil)
    case .object(let object):
      guard case .string(let name)? = object["name"], case .string(let type)? = object["type"]
      else { return nil }
      (self.name, self.type) = (name, LogicalType(rawValue: type))
    default: return nil
    }
  }

  /// The name, beside which the type stands where that matters.
  var json: JSONValue {
    guard let type else { return .string(name) }
    var object = JSONObject()
    object["name"] = .string(name)
    object["type"] = .string(type.rawValue)
    return .object(object)
  }

  /// The name as SQLite tells it from others.
  var sqlName: ExactText { ExactText(sqlName: name) }

  /// What a value of the table of several is to the device; one that is none of its type stays as it is.
  func own(_ value: JSONValue) -> JSONValue {
    switch (type, value) {
    case (.boolean, .number(let number)) where number.real == 0 || number.real == 1:
      .boolean(number.real == 1)
    case (.boolean, .string("true")), (.boolean, .string("1")): .boolean(true)
    case (.boolean, .string("false")), (.boolean, .string("0")): .boolean(false)
    case (.integer, .boolean(let truth)): .number(JSONNumber(truth ? 1 : 0))
    case (.integer, .string(let text)), (.real, .string(let text)), (.decimal, .string(let text)):
      JSONNumber(text).map(JSONValue.number) ?? value
    case (.json, .string(let text)): (try? JSONValue(parsing: text.utf8Span.span)) ?? value
    default: value
    }
  }

  /// The same in a row as exports show it, where decimal numbers and JSON are texts.
  func shown(_ value: JSONValue) -> JSONValue {
    type == .decimal || type == .json ? value : own(value)
  }
}
