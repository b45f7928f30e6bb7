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

/// The elements of an array or a relation while changes work on them, one after the other.
///
/// They keep an index from the first change that asks for it, so that each takes time by what it adds
/// or removes alone.
struct ParseElements {
  private var elements: [JSONValue]
  /// Where elements were that are removed.
  private var gaps: Set<Int> = []
  /// Where each element stands, most often once; nil as long as nobody has asked.
  private var places: [ParseElement: [Int]]?

  init(_ elements: [JSONValue]) { self.elements = elements }

  var values: [JSONValue] {
    gaps.isEmpty ? elements : elements.indices.filter { !gaps.contains($0) }.map { elements[$0] }
  }

  /// Adds some values, whatever is there.
  mutating func append(_ values: [JSONValue]) {
    for value in values { append(value, as: places == nil ? nil : ParseElement(value)) }
  }

  /// Adds those of some values that are not there, each once.
  mutating func appendMissing(_ values: [JSONValue]) {
    indexElements()
    for value in values {
      let element = ParseElement(value)
      if places?[element] == nil { append(value, as: element) }
    }
  }

  mutating func remove(_ values: [JSONValue]) {
    indexElements()
    for value in values {
      gaps.formUnion(places?.removeValue(forKey: ParseElement(value)) ?? [])
    }
    if gaps.count > elements.count / 2 { closeGaps() }
  }

  private mutating func append(_ value: JSONValue, as element: ParseElement?) {
    if let element { places?[element, default: []].append(elements.count) }
    elements.append(value)
  }

  private mutating func indexElements() {
    guard places == nil else { return }
    var found: [ParseElement: [Int]] = [:]
    for (place, value) in elements.enumerated() where !gaps.contains(place) {
      found[ParseElement(value), default: []].append(place)
    }
    places = found
  }

  /// Takes no more room than what is there, however many elements come and go.
  private mutating func closeGaps() {
    self = ParseElements(values)
  }
}
