import Bytes
import CommandLineKit
import Records

/// Which tables of a catalogue the user means.
struct TableSelection {
  private let included: [String]
  private let excluded: [String]
  /// Tables of which the new store knows nothing.
  var unknown: Set<ExactText> = []

  init(_ arguments: ParsedArguments) {
    included = arguments.values("table").map(\.text)
    excluded = arguments.values("exclude-table").map(\.text)
  }

  /// All names and patterns.
  var patterns: [String] { included + excluded }

  /// The places of the chosen tables.
  func indices(in catalogue: Catalogue) throws(StoreError) -> [Int] {
    let (names, places) = (catalogue.tables.map(\.name), catalogue.places)
    var chosen = Set(included.isEmpty ? Array(names.indices) : [])
    // A name matches exactly before it matches as a pattern, and after both as that of the source.
    func matches(_ pattern: String) throws(StoreError) -> [Int] {
      if let exact = places[ExactText(pattern)] { return [exact] }
      return try Self.matches(pattern, catalogue.tables)
    }
    for pattern in included { chosen.formUnion(try matches(pattern)) }
    for pattern in excluded { chosen.subtract(try matches(pattern)) }
    return names.indices.filter { chosen.contains($0) && !unknown.contains(ExactText(names[$0])) }
  }

  /// Which tables operations may be on, of those of a store and others that are known; nil where all
  /// may be.
  ///
  /// - Throws: `StoreError` where a name or a pattern means none.
  func operationTables(
    among tables: [Table], and others: Set<ExactText>
  ) throws(StoreError) -> OperationTables? {
    guard !isOpen else { return nil }
    let (chosen, strays) = chosen(among: tables, and: others)
    if let stray = patterns.first(where: { strays.contains(ExactText($0)) }) {
      let known = others.union(tables.map { ExactText($0.name) })
      throw Self.error(noTableMatching: stray, known.sorted().map(\.wrappedValue))
    }
    return chosen
  }

  /// The tables that are meant of those of a store and others that are known, and the names and patterns
  /// that mean none of them.
  func chosen(
    among tables: [Table], and others: Set<ExactText>
  ) -> (chosen: OperationTables, strays: Set<ExactText>) {
    var strays: Set<ExactText> = []
    func names(matching patterns: [String]) -> Set<ExactText> {
      patterns.reduce(into: []) { found, pattern in
        let names = Self.names(matching: pattern, among: tables, and: others)
        if names.isEmpty { strays.insert(ExactText(pattern)) }
        found.formUnion(names)
      }
    }
    let chosen = OperationTables(
      included: included.isEmpty ? nil : names(matching: included),
      excluded: names(matching: excluded))
    return (chosen, strays)
  }

  /// Whether all tables are meant.
  var isOpen: Bool { included.isEmpty && excluded.isEmpty }

  /// The places of tables that a pattern means, which is the name of none: those that it fits, else those
  /// that the source calls so.
  private static func matches(_ pattern: String, _ tables: [Table]) throws(StoreError) -> [Int] {
    let names = tables.map(\.name)
    let glob = Glob(pattern)
    let matching = names.indices.filter { glob.matches(names[$0]) }
    guard matching.isEmpty else { return matching }
    let source = tables.indices.filter { hasSameBytes(tables[$0].sourceName, pattern) }
    guard source.isEmpty else { return source }
    throw error(noTableMatching: pattern, names)
  }

  /// The names that a pattern means among those of tables and others that are known.
  ///
  /// As for tables alone, a name that is none of these counts as that of the source.
  static func names(
    matching pattern: String, among tables: [Table], and others: Set<ExactText>
  ) -> Set<ExactText> {
    let known = others.union(tables.map { ExactText($0.name) })
    let meant = Glob.matches(of: [pattern], in: known)
    guard meant.isEmpty else { return meant }
    return Set(
      tables.lazy.filter { hasSameBytes($0.sourceName, pattern) }.map { ExactText($0.name) })
  }

  /// Tells that a name or a pattern means no table, and which there are.
  static func error(noTableMatching pattern: String, _ names: [String]) -> StoreError {
    StoreError(.usage, "no table matches \(pattern)", hint: KnownNames.tables(names))
  }
}

/// A pattern of names: `*` for any characters, `?` for one, `[a-z]` for one of several.
struct Glob {
  private enum Part: Equatable {
    case any
    case one
    case character(Character)
    case oneOf([ClosedRange<Character>], isNegated: Bool)
  }

  private let parts: [Part]

  init(_ pattern: String) {
    var parts: [Part] = []
    var rest = Substring(pattern)
    while let character = rest.popFirst() {
      switch character {
      case "*": if parts.last != .any { parts.append(.any) }
      case "?": parts.append(.one)
      case "[": parts.append(Self.set(&rest) ?? .character("["))
      default: parts.append(.character(character))
      }
    }
    self.parts = parts
  }

  /// The names that any of the patterns means: a name of its own bytes, else all that fit it.
  static func matches(of patterns: [String], in names: Set<ExactText>) -> Set<ExactText> {
    patterns.reduce(into: []) { found, pattern in
      if names.contains(ExactText(pattern)) {
        found.insert(ExactText(pattern))
      } else {
        let glob = Glob(pattern)
        found.formUnion(names.filter { glob.matches($0.wrappedValue) })
      }
    }
  }

  /// Whether the whole name fits the pattern; takes time in proportion to both lengths.
  func matches(_ name: String) -> Bool {
    let characters = Array(name)
    var part = 0
    var index = 0
    var star: (part: Int, index: Int)?
    while index < characters.count {
      if part < parts.count, parts[part] == .any {
        star = (part, index)
        part += 1
      } else if part < parts.count, Self.matches(parts[part], characters[index]) {
        part += 1
        index += 1
      } else if let last = star {
        star = (last.part, last.index + 1)
        part = last.part + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  private static func matches(_ part: Part, _ character: Character) -> Bool {
    switch part {
    case .any: false
    case .one: true
    case .character(let wanted): wanted == character
    case .oneOf(let ranges, let isNegated):
      ranges.contains { $0.contains(character) } != isNegated
    }
  }

  private static func set(_ rest: inout Substring) -> Part? {
    guard let end = rest.dropFirst().firstIndex(of: "]") else { return nil }
    var body = rest[..<end]
    rest = rest[rest.index(after: end)...]
    let isNegated = body.first == "!" || body.first == "^"
    if isNegated { body = body.dropFirst() }
    var ranges: [ClosedRange<Character>] = []
    while let low = body.popFirst() {
      if body.first == "-", let high = body.dropFirst().first, low <= high {
        ranges.append(low...high)
        body = body.dropFirst(2)
      } else {
        ranges.append(low...low)
      }
    }
    return .oneOf(ranges, isNegated: isNegated)
  }
}
