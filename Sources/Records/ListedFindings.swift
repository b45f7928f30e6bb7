import Bytes

/// Findings of which the first of each code are listed, and those that follow are counted; those
/// about operations are all listed.
///
/// Anything may be odd about every row of a long table, and what is told of it stays in memory. But
/// operations are chosen and judged by what was found about them, of which nothing may be missing.
package struct ListedFindings: Sendable, Equatable {
  /// How many of one code are listed.
  package static let limit = 1000

  private var listed = Findings()
  /// What counts those that are not listed, and where that of each code is.
  private var rests: [Finding] = []
  private var tallies: [String: Tally] = [:]

  /// How many findings of a code there were, and where those that are not listed are counted.
  private struct Tally {
    var count = 0
    var rest: Int?
  }

  /// A list of some findings, all of which are listed.
  package init(_ all: Findings = []) { listed = all }

  /// What is listed, and behind it what counts the others.
  package var all: Findings { listed + rests }

  /// Adds a finding.
  package mutating func append(_ finding: Finding) {
    guard finding.operation == nil else { return listed.append(finding) }
    var tally = tallies[finding.code] ?? Tally()
    tally.count += 1
    if let rest = tally.rest {
      rests[rest].severity = max(rests[rest].severity, finding.severity)
      rests[rest].count += finding.count
      if !hasSameBytes(rests[rest].table, finding.table) { rests[rest].table = nil }
      rests[rest].message = Self.message(rests[rest].count)
    } else if tally.count > Self.limit {
      tally.rest = rests.count
      rests.append(
        Finding(
          finding.code, finding.severity, table: finding.table,
          message: Self.message(finding.count), count: finding.count))
    } else {
      listed.append(finding)
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
