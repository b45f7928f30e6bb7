import Bytes
import CommandLineKit
import Records

/// A line for a person about each finding, the most serious first: of each code the first ones, and
/// how many more there are.
struct FindingLines {
  /// A finding with the store that it is of, and how many others have the same.
  private struct Told {
    let finding: Finding
    let label: String
    /// The store that was the last to have it.
    var last: String
    var others = 0

    var line: String {
      let others = others > 0 ? " and " + others.counted("other", "others") : ""
      let parts = [label + others, finding.place]
      return finding.line(about: parts.filter { !$0.isEmpty }.joined(separator: ": "))
    }
  }

  /// What is counted and limited by itself, so that notes take no place from errors.
  private struct Kind: Hashable {
    let code: String
    let severity: Severity
  }

  /// What a finding says of a place, whatever the source.
  private struct Words: Hashable {
    let kind: Kind
    let table: ExactText?
    let itemID: ExactText?
    let operation: Int64?
    let message: ExactText
    let count: Int

    init(_ finding: Finding, of kind: Kind) {
      self.kind = kind
      table = finding.table.map { ExactText($0) }
      itemID = finding.itemID.map { ExactText($0) }
      operation = finding.operation
      message = ExactText(finding.message)
      count = finding.count
    }
  }

  private var told: [Told] = []
  /// Where in that list something is said.
  private var places: [Words: Int] = [:]
  private var counts: [Kind: Int] = [:]
  /// Whether what is the same of several stores is told once.
  private let isShared: Bool

  /// The option that lists all.
  var wayToAll = "--json"

  /// How many of a code are told, in an audit, too.
  static let limit = 10

  init(isShared: Bool = false) { self.isShared = isShared }

  init(_ findings: some Sequence<Finding>) {
    self.init()
    for finding in findings { add(finding) }
  }

  /// What was found in a store that has this label, in one of several with the device that it is of.
  init(
    _ findings: some Sequence<Finding>, of source: SourceDescription, about label: String = ""
  ) {
    self.init(isShared: source.isOfSeveral)
    let devices = DeviceLabels(of: source)
    for finding in findings {
      let device = devices[finding.source].map(escapedAsOneWord) ?? ""
      add(finding, about: [label, device].filter { !$0.isEmpty }.joined(separator: ": "))
    }
  }

  mutating func add(_ finding: Finding, about label: String = "") {
    let kind = Kind(code: finding.code, severity: finding.severity)
    let words = isShared ? Words(finding, of: kind) : nil
    if let words, let place = places[words] {
      if told[place].last != label { told[place].others += 1 }
      told[place].last = label
      return
    }
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.limit else { return }
    if let words { places[words] = told.count }
    told.append(Told(finding: finding, label: label, last: label))
  }

  var lines: [String] {
    var shown: [String: Int] = [:]
    var lines: [String] = []
    for severity in Severity.allCases.sorted(by: >) {
      for told in told where told.finding.severity == severity {
        shown[told.finding.code, default: 0] += 1
        if shown[told.finding.code, default: 0] <= Self.limit { lines.append(told.line) }
      }
    }
    let counts = Dictionary(counts.map { ($0.key.code, $0.value) }, uniquingKeysWith: +)
    return lines
      + counts.filter { $0.value > Self.limit }.sorted { $0.key < $1.key }.map { code, count in
        Self.rest(of: code, count) + "; \(wayToAll) lists all"
      }
  }

  /// What tells of those of a code that have no line.
  static func rest(of code: String, _ count: Int) -> String {
    "… and \((count - limit).grouped) more of \(code)"
  }
}
