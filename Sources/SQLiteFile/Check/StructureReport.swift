/// What a check of a file's structure found.
package struct StructureReport: Sendable, Equatable {
  /// One contradiction.
  package struct Damage: Sendable, Equatable {
    /// The page concerned, counted from 1; nil when it is the file as a whole.
    let page: Int?
    /// What is wrong, without the page.
    package let message: String

    /// The contradiction in one phrase.
    package var description: String { page.map { "page \($0): \(message)" } ?? message }
  }

  /// What is wrong, the cause before what follows from it; the first hundred.
  package private(set) var damage: [Damage] = []
  private(set) var damageCount = 0
  /// How many rows each sound table or index has, by root page.
  package internal(set) var rowCounts: [UInt32: Int] = [:]
  /// How many pages besides its own each of these has for long values, where it has any.
  package internal(set) var overflowCounts: [UInt32: Int] = [:]

  /// Whether nothing contradicts itself.
  package var isSound: Bool { damageCount == 0 }

  private static let limit = 100

  mutating func add(_ page: UInt32?, _ message: String) {
    damageCount += 1
    if damage.count < Self.limit {
      damage.append(Damage(page: page.map { Int($0) }, message: message))
    }
  }
}
