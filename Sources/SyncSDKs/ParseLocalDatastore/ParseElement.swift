import Bytes
import Formats

/// A value in an array or a relation, as the SDK tells it from others: pointers by class and id,
/// numbers by what they are.
enum ParseElement: Hashable {
  case number(Double)
  case pointer(className: [UInt8]?, objectID: [UInt8]?)
  case items([ParseElement])
  case members([ExactText: ParseElement])
  /// Whatever else there is, or is too deep to be looked into, as it is spelled.
  case spelled([UInt8])

  init(_ value: JSONValue, depth: Int = 0) {
    switch value {
    case .number(let number):
      self = number.real.map(Self.number) ?? .spelled(Array(number.text.utf8))
    case .object(let object) where object["__type"] == .string("Pointer"):
      self = .pointer(className: object["className"]?.json, objectID: object["objectId"]?.json)
    case .array(let items) where depth < Self.mostDepth:
      self = .items(items.map { ParseElement($0, depth: depth + 1) })
    case .object(let object) where depth < Self.mostDepth:
      self = .members(
        Dictionary(
          keepingFirst: object.members.map {
            (ExactText($0.key), ParseElement($0.value, depth: depth + 1))
          }))
    case .null, .boolean, .string, .array, .object: self = .spelled(value.json)
    }
  }

  private static let mostDepth = 64
}
