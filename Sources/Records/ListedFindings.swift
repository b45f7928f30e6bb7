import Bytes

/// Findings of which the first of each code are listed, and those that follow are counted; those
/// about operations are all listed.
///
/// Anything may be odd about every row of a long table, and what is told of it stays in memory. But
/// operations are chosen and judged by what was found about them, of which nothing may be missing.
package struct ListedFindings: Sendable, Equatable {
  /// How many of one code are listed.
  package static let limit = 1000

  /// What is listed; a count follows in the place of the first that is not.
  package private(set) var all: [Finding]
  private var tallies: [String: Tally] = [:]

  /// How many findings of a code there were, and where those that are not listed are counted.
  private struct Tally {
    var count = 0
    var rest: Int?
  }

  /// A list of some findings, all of which are listed.
  package init(_ all: [Finding] = []) { self.all = all }

  /// Adds a finding.
  package mutating func append(_ finding: Finding) {
    guard finding.operation == nil else { return all.append(finding) }
    var tally = tallies[finding.code] ?? Tally()
    tally.count += 1
    if let rest = tally.rest {
      all[rest].severity = max(all[rest].severity, finding.severity)
      all[rest].count += finding.count
      if !hasSameBytes(all[rest].table, finding.table) { all[rest].table = nil }
      all[rest].message = Self.message(all[rest].count)
    } else if tally.count > Self.limit {
      tally.rest = all.count
      all.append(
        Finding(
          finding.code, finding.severity, table: finding.table,
          message: Self.message(finding.count), count: finding.count))
    } else {
      all.append(finding)
    }
    tallies[finding.code] = tally
  }

  /// Adds findings that come one behind the other.
  package mutating func append(contentsOf findings: some Sequence<Finding>) {
    for finding in findings { append(finding) }
  }

  private static func message(_ count: Int) -> String {
    "the same in \(count.counting("more place", "more places"))"
  }

  /// Whether the same is listed.
  package static func == (left: ListedFindings, right: ListedFindings) -> Bool {
    left.all == right.all
  }
}
