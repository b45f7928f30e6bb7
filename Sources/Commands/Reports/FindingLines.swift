import Bytes
import CommandLineKit
import Records

/// A line for a person about each finding: of each code the first ones, and how many more there are.
struct FindingLines {
  /// A finding with what it is about, and how many others are the same but for that.
  private struct Told {
    let finding: Finding
    let label: String
    var others = 0
  }

  private var told: [Told] = []
  private var places: [ExactText: Int] = [:]
  private var counts: [String: Int] = [:]
  /// Whether what is the same of several stores is told once.
  private let isShared: Bool

  /// How many of a code are told, in an audit, too.
  static let limit = 10

  init(isShared: Bool = false) { self.isShared = isShared }

  init(_ findings: some Sequence<Finding>) {
    self.init()
    for finding in findings { add(finding) }
  }

  mutating func add(_ finding: Finding, about label: String = "") {
    if isShared, let place = places[ExactText(finding.message)], told[place].finding == finding {
      told[place].others += 1
      return
    }
    counts[finding.code, default: 0] += 1
    guard counts[finding.code, default: 0] <= Self.limit else { return }
    if isShared { places[ExactText(finding.message)] = told.count }
    told.append(Told(finding: finding, label: label))
  }

  var lines: [String] {
    told.map { told in
      let others =
        told.others > 0 ? " and " + Quantity.count(told.others, "other", "others") : ""
      return told.finding.line(about: told.label + others)
    }
      + counts.filter { $0.value > Self.limit }.sorted { $0.key < $1.key }.map { code, count in
        Self.rest(of: code, count) + "; --json lists all"
      }
  }

  /// What tells of those of a code that have no line.
  static func rest(of code: String, _ count: Int) -> String {
    "… and \(Quantity.count(count - limit)) more of \(code)"
  }
}
