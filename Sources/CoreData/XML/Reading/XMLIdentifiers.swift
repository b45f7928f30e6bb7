import Bytes
import Records

/// What an object is called, or a reference leads to.
enum XMLIdentifier: Hashable {
  /// `z` and these digits, as the framework writes it.
  case number(Int64)
  /// Another one, by its place among all others.
  case other(Int)

  /// Either as one number.
  var code: Int {
    switch self {
    case .number(let key): Int(key) << 1
    case .other(let place): place << 1 | 1
    }
  }

  init(code: Int) { self = code & 1 == 0 ? .number(Int64(code >> 1)) : .other(code >> 1) }
}

/// The identifiers that objects of an XML store have or refer to.
///
/// Those that the framework writes are numbers, of which nothing is kept here.
struct XMLIdentifiers {
  /// The largest of all numbers after `z`.
  private(set) var largestNumber: Int64 = 0
  private var others = XMLOtherIdentifiers()
  /// The objects that have the other identifiers; a negative number where none does.
  private var owners: [Int32] = []

  /// Reads an identifier.
  mutating func identifier(_ id: Span<UInt8>) -> XMLIdentifier {
    if let key = Self.key(id) {
      largestNumber = max(largestNumber, key)
      return .number(key)
    }
    let place = others.place(of: id)
    if place == owners.count { owners.append(-1) }
    return .other(place)
  }

  /// Gives one of the other identifiers to an object; false when another has it.
  mutating func claim(_ place: Int, for object: Int) -> Bool {
    guard owners[place] < 0 else { return false }
    owners[place] = Int32(truncatingIfNeeded: object)
    return true
  }

  /// The object that has one of the other identifiers.
  func owner(of place: Int) -> Int? { owners[place] < 0 ? nil : Int(owners[place]) }

  /// The identifier as the document spells it.
  func text(_ identifier: XMLIdentifier) -> String {
    switch identifier {
    case .number(let key): "z\(key)"
    case .other(let place): others.text(at: place)
    }
  }

  /// The digits after `z`, where they are written in the one usual way.
  ///
  /// Eighteen digits leave room for the numbers that unusual objects get after the largest one.
  private static func key(_ id: Span<UInt8>) -> Int64? {
    guard (2...19).contains(id.count), id[0] == UInt8(ascii: "z"), id[1] != UInt8(ascii: "-"),
      id[1] != UInt8(ascii: "0") || id.count == 2
    else { return nil }
    return parseDecimal(id.extracting(1...))
  }
}

/// Identifiers that are no numbers, each once, in the order in which they came.
private struct XMLOtherIdentifiers {
  private var texts = ByteSpool(memoryLimit: 4 << 20)
  private var starts: [Int] = []
  private var places = HashPlaces(capacity: firstCapacity)
  private var capacity = firstCapacity

  private static let firstCapacity = 1 << 8

  /// The place of an identifier, a new one if it is new.
  mutating func place(of id: Span<UInt8>) -> Int {
    var bytes: [UInt8] = []
    bytes.append(id)
    let hash = spelledHash(id, seed: places.seed)
    if let known = places.first(of: hash, where: { isSame($0, bytes) }) { return known }
    if starts.count == capacity { grow() }
    places.add(starts.count, hash: hash)
    starts.append(texts.append(counted: id))
    return starts.count - 1
  }

  func text(at place: Int) -> String { withText(at: place) { $0.withUTF8Text(\.self) } }

  private func isSame(_ place: Int, _ bytes: [UInt8]) -> Bool {
    withText(at: place) { text in
      text.count == bytes.count && bytes.indices.allSatisfy { text[$0] == bytes[$0] }
    }
  }

  private func withText<Result>(at place: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    texts.withCounted(at: starts[place], body)
  }

  private mutating func grow() {
    capacity *= 2
    // The hash of the one that is being added stays what it is.
    var larger = HashPlaces(capacity: capacity, seed: places.seed)
    for place in starts.indices {
      let hash = withText(at: place) { spelledHash($0, seed: larger.seed) }
      larger.add(place, hash: hash)
    }
    places = larger
  }
}

extension Span<UInt8> {
  /// Hands out the bytes as text.
  func withUTF8Text<Result>(_ body: (String) -> Result) -> Result {
    var bytes: [UInt8] = []
    bytes.append(self)
    return body(String(decoding: bytes, as: UTF8.self))
  }
}
