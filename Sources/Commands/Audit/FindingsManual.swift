import Audit
import CommandLineKit
import Records

/// The manual page `rehome-findings(7)`, from the same catalogue as `explain`.
package enum FindingsManual {
  /// The page's troff source; `date` is written as given, so that equal input gives equal bytes.
  package static func troff(date: String, version: String) -> String {
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
    page.section("SEE ALSO")
    page.reference("rehome-audit(1)", isLast: false)
    page.reference("rehome-explain(1)", isLast: true)
    return page.text
  }
}
