/// The names of a document's elements and attributes, each known by a number.
///
/// The names that a caller registers have the numbers of their places in its list; every other
/// name gets the next number when it first occurs. A name in a namespace is written
/// `{namespace}name`.
package struct XMLNames: Sendable {
  /// The names by number.
  package private(set) var all: [String]
  /// How many of them the caller registered.
  package let registeredCount: Int
  private var numbers: [String: Int]

  /// Registers names, none of them twice.
  package init(_ registered: [String]) {
    all = registered
    registeredCount = registered.count
    numbers = Dictionary(
      registered.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The name with a number.
  package subscript(number: Int) -> String { all[number] }

  /// The number of a name; nil when it was neither registered nor met.
  package func number(of name: String) -> Int? { numbers[name] }

  /// The number of a name, a new one if need be; nil when that would make more than `limit`.
  mutating func intern(_ name: String, limit: Int) -> Int? {
    if let number = numbers[name] { return number }
    guard all.count - registeredCount < limit else { return nil }
    all.append(name)
    numbers[name] = all.count - 1
    return all.count - 1
  }
}
