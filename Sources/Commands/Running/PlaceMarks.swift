import CommandLineKit
import Formats
import Opening
import Records
import SQLite

/// What the place of a store tells of it that its own bytes do not: the codes of findings, each with
/// the worst severity.
///
/// The same bytes are told of otherwise where a log is listed and lost, or a later backup has another
/// state of them.
struct PlaceMarks: Equatable, Sendable {
  private static let member = "ofPlace"
  private var severities: [String: Severity] = [:]

  /// What some findings tell.
  init(_ findings: [Finding]) {
    for finding in findings { add(finding.code, finding.severity) }
  }

  /// What a line of a report says; nil where it does not tell, as those of earlier versions.
  init?(ofLine line: JSONObject) {
    guard case .object(let marks)? = line[Self.member] else { return nil }
    for mark in marks.members {
      guard case .string(let word) = mark.value, let severity = Severity(rawValue: word) else {
        continue
      }
      add(mark.key, severity)
    }
  }

  /// Takes what lies on the disk beside a store of a layout, of which its reader tells.
  mutating func addSurroundings(ofStoreAt path: String, _ layout: Layout?) {
    // What cannot be looked at its reader tells.
    if let files = try? SourceFiles(of: path) {
      if files.seemsToLackWAL || files.hasStrangeWAL { add("wal-missing", .warning) }
      if files.hasStrangeJournal { add("journal-damaged", .warning) }
    }
    if let finding = layout.flatMap({ StoreOpening.finding(aroundStoreAt: path, of: $0) }) {
      add(finding.code, finding.severity)
    }
  }

  private mutating func add(_ code: String, _ severity: Severity) {
    severities[code] = max(severities[code] ?? severity, severity)
  }

  /// As the line of a store has it.
  func added(to line: ReportJSON) -> ReportJSON {
    let marks = severities.sorted { $0.key < $1.key }.map { code, severity in
      ReportJSON.Member(code, .string(severity.rawValue))
    }
    return line.adding(Self.member, .object(marks))
  }
}
