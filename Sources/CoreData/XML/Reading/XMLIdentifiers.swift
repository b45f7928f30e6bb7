import Bytes

/// The identifiers that objects of an XML store have or refer to, each known by a number.
struct XMLIdentifiers {
  /// What an identifier looks like.
  enum Spelling: Equatable {
    /// `z` and these digits, as the framework writes it.
    case number(Int64)
    case other(String)
  }

  /// The identifiers by number.
  private(set) var spellings: [Spelling] = []
  /// The object that has an identifier, by number of the identifier.
  private(set) var objects: [Int?] = []
  /// The largest of all numbers after `z`.
  private(set) var largestNumber: Int64 = 0
  private var numbered: [Int64: Int] = [:]
  private var others: [String: Int] = [:]

  /// The number of an identifier, a new one if it is new.
  mutating func number(of id: Span<UInt8>) -> Int {
    if let key = Self.key(id) {
      if let known = numbered[key] { return known }
      numbered[key] = spellings.count
      largestNumber = max(largestNumber, key)
      return add(.number(key))
    }
    let text = id.withUTF8Text { $0 }
    if let known = others[text] { return known }
    others[text] = spellings.count
    return add(.other(text))
  }

  /// Gives an identifier to an object; false when another has it.
  mutating func claim(_ number: Int, for object: Int) -> Bool {
    guard objects[number] == nil else { return false }
    objects[number] = object
    return true
  }

  /// The identifier as the document spells it.
  func text(_ number: Int) -> String {
    switch spellings[number] {
    case .number(let key): "z\(key)"
    case .other(let text): text
    }
  }

  private mutating func add(_ spelling: Spelling) -> Int {
    spellings.append(spelling)
    objects.append(nil)
    return spellings.count - 1
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

extension Span<UInt8> {
  /// Hands out the bytes as text.
  func withUTF8Text<Result>(_ body: (String) -> Result) -> Result {
    var bytes: [UInt8] = []
    bytes.append(self)
    return body(String(decoding: bytes, as: UTF8.self))
  }
}
