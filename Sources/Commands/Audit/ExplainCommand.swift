import Audit
import Bytes
import CommandLineKit
import Records

/// `rehome explain`: what a finding means and what to do about it.
enum ExplainCommand {
  static let description = Command(
    name: "explain",
    summary: "tell what a finding means and what to do",
    discussion: [
      "Explains a finding by its code, as the reports of other commands show it in square "
        + "brackets. Without a code it lists all of them."
    ],
    examples: [
      Command.Example("rehome explain error-conflict", "explain one finding"),
      Command.Example("rehome explain", "list all findings"),
    ],
    options: [
      Option("json", help: "write the explanation as JSON", group: "Reporting"),
      CommonOptions.quiet, CommonOptions.color,
    ],
    positionals: [
      Positional(
        "CODE", help: "the code of a finding", cardinality: .optional,
        completion: .choices(FindingCatalogue.all.map(\.code)))
    ],
    exitStatuses: ExitCode.list([.complete, .usage]),
    seeAlso: ["rehome-findings(7)"])

  static func run(_ session: Session) throws(StoreError) -> ExitCode {
    let style = session.console.terminal.outputStyle
    guard let code = session.arguments.positional("CODE")?.text else {
      let all = FindingCatalogue.all
      if session.wantsJSON {
        try session.print(.array(all.map(\.json)))
      } else {
        try session.console.show(list(all, style))
      }
      return .complete
    }
    guard let kind = FindingCatalogue.kind(code) else {
      let nearest = nearestWord(to: code, among: FindingCatalogue.all.map(\.code))
      throw StoreError(
        .usage, "there is no finding \(code)",
        hint: nearest.map { "rehome explain \($0)" } ?? "'rehome explain' lists all findings")
    }
    if session.wantsJSON {
      try session.print(kind.json)
    } else {
      try session.console.show(kind.text(style))
    }
    return .complete
  }

  private static func list(_ kinds: [FindingKind], _ style: TextStyle) -> String {
    var table = TextTable(columns: [.init("Code"), .init("Severity"), .init("Meaning")])
    for kind in kinds { table.addRow([kind.code, kind.severity.rawValue, kind.title]) }
    return table.text(style: style)
  }
}

extension FindingKind {
  /// The explanation for a program.
  var json: ReportJSON {
    [
      "code": .string(code), "severity": .string(severity.rawValue),
      "severityNote": ReportJSON(severityNote), "title": .string(title),
      "meaning": .string(meaning), "causes": ReportJSON(causes),
      "remedies": ReportJSON(remedies),
    ]
  }

  func text(_ style: TextStyle) -> String {
    let width = Self.width(style)
    var lines = ["\(style.bold(code)) (\(severity.rawValue)): \(title)", ""]
    lines += wrapped(meaning, width: width)
    if let severityNote { lines += [""] + wrapped(severityNote, width: width) }
    lines += section("Usual causes", causes, style) + section("What to do", remedies, style)
    return lines.joined(separator: "\n") + "\n"
  }

  /// How wide the paragraphs are: no wider than they read well, and than the screen.
  private static func width(_ style: TextStyle) -> Int { min(78, style.width ?? 78) }

  private func section(_ title: String, _ entries: [String], _ style: TextStyle) -> [String] {
    ["", style.bold(title)]
      + entries.flatMap { entry in
        wrapped(entry, width: Self.width(style) - 4).enumerated().map {
          ($0.offset == 0 ? "  - " : "    ") + $0.element
        }
      }
  }
}

/// The manual page `rehome-findings(7)`, from the same catalogue as `explain`.
enum FindingsManual {
  /// The page's troff source; `date` is written as given, so that equal input gives equal bytes.
  static func troff(date: String, version: String) -> String {
    var page = ManualText(
      page: "rehome-findings", section: 7, date: date, source: "rehome \(version)",
      heading: "Miscellaneous")
    page.section("NAME")
    page.lines("rehome-findings", dash: "what rehome finds in stores, and what to do about it")
    page.section("DESCRIPTION")
    page.paragraph(
      "The reports of inspect, convert and audit list findings. Each has a stable code, shown in "
        + "square brackets, and a severity: an error when something is lost, contradictory or "
        + "cannot go on as it is; a warning when something may be missing or may surprise; a note "
        + "when it is merely worth knowing. An ordinary store gives notes at most.")
    page.paragraph(
      "The option --fail-on says from which severity on the exit code is 2. 'rehome explain CODE' "
        + "shows an entry of this page.")
    page.section("FINDINGS")
    for kind in FindingCatalogue.all {
      page.subsection(kind.code)
      page.paragraph("Severity: \(kind.severity.rawValue). \(kind.severityNote ?? "")")
      page.paragraph(kind.meaning)
      page.paragraph("Usual causes:")
      page.list(kind.causes)
      page.paragraph("What to do:")
      page.list(kind.remedies)
    }
    page.references(["rehome-audit(1)", "rehome-explain(1)"])
    return page.text
  }
}
