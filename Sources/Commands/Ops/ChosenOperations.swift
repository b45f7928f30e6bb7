import Audit
import Bytes
import CommandLineKit
import Records

/// The operations that a person names: by sequence, in ranges, or by what they are.
struct ChosenOperations {
  static let positional = Positional(
    "SEQUENCE",
    help: "operations by their places in push order: 7, 3-7, or 3-7,9; the options of choosing "
      + "leave only some of them", cardinality: .zeroOrMore)

  private let ranges: [ClosedRange<Int64>]
  private let filter: OperationFilter

  /// Reads the arguments; the findings matter only where one is asked for.
  init(_ arguments: ParsedArguments, _ findings: FindingList?) throws(StoreError) {
    filter = try OperationFilter(arguments, findings)
    var ranges: [ClosedRange<Int64>] = []
    for word in arguments.positionals(Self.positional.name).map(\.text) {
      for part in word.split(separator: ",", omittingEmptySubsequences: false) {
        ranges.append(try Self.range(String(part), in: word))
      }
    }
    guard !ranges.isEmpty || !filter.isOpen else {
      throw StoreError(
        .usage, "no operation is named",
        hint:
          "give sequences, as in 3-7,9, or choose with --original-id, --finding, --table, "
          + "--exclude-table, --item, --kind or --state; 'rehome ops list' shows them all")
    }
    self.ranges = ranges
  }

  /// The number that a word is; nil where it is none.
  static func sequence(_ word: String) -> Int64? {
    word.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } ? Int64(word) : nil
  }

  private static func range(
    _ part: String, in word: String
  ) throws(StoreError) -> ClosedRange<Int64> {
    let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.compactMap { sequence(String($0)) }
    guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last,
      first <= last
    else {
      throw StoreError(
        .usage, "\(word) names no operations",
        hint: "a sequence is a number, a range is two of them, the smaller one first: 7, 3-7, 3-7,9"
      )
    }
    return first...last
  }

  /// The operations that are meant, in the order in which they were named, each once.
  func operations(
    among all: OperationList, of reader: any StoreReader
  ) throws(StoreError) -> OperationList {
    let tables = try filter.tables(of: all, of: reader)
    if let originalID = filter.originalID,
      !all.contains(where: { hasSameBytes($0.originalID, originalID) })
    {
      throw Self.missing(originalID: originalID)
    }
    guard !ranges.isEmpty else { return filter.chosen(from: all, on: tables) }
    var named = OperationList()
    var seen: KeySet = []
    for range in ranges {
      for end in [range.lowerBound, range.upperBound] where all.firstOperation(numbered: end) == nil
      {
        throw Self.missing(end, all)
      }
      let start = all.firstPlace { $0.sequence >= range.lowerBound }
      for place in start..<all.count {
        let operation = all[place]
        guard operation.sequence <= range.upperBound else { break }
        guard !seen.contains(operation.sequence) else { continue }
        seen.insert(operation.sequence)
        named.append(operation)
      }
    }
    return filter.chosen(from: named, on: tables)
  }

  /// That a store has no operation of an id of the SDK's.
  static func missing(originalID: String) -> StoreError {
    StoreError(
      .usage, "the store has no operation with the id \(originalID)",
      hint: "'rehome ops list --json' shows them all")
  }

  /// That a store has no operation of a number.
  static func missing(_ sequence: Int64, _ all: OperationList) -> StoreError {
    let bounds =
      all.first.flatMap { first in all.last.map { (first.sequence, $0.sequence) } }
    let extent = bounds.map { "; it has \($0) to \($1)" } ?? "; it has none"
    return StoreError(
      .usage, "the store has no operation \(sequence)\(extent)",
      hint: "'rehome ops list' shows them all")
  }
}
