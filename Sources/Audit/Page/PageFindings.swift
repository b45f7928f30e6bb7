import Records

extension AuditPage {
  /// The findings, most serious first: each kind explained once, with all its places.
  mutating func addFindings(_ audit: StoreAudit) throws(StoreError) {
    html.heading(
      "What is odd, most serious first", count: audit.findings.places(in: audit.findings.indices))
    guard !audit.findings.isEmpty else { return html.markup("<p>Nothing odd was found.</p>\n") }
    html.markup("<div data-findings>\n")
    var start = 0
    while start < audit.findings.count {
      let end = audit.findings.end(ofKindAt: start)
      let count = audit.findings.places(in: start..<end)
      try add(audit.findings[start..<end], audit.findings[start], count: count)
      start = end
    }
    html.markup("</div>\n")
  }

  private mutating func add(
    _ findings: FindingList.SubSequence, _ first: Finding, count: Int
  ) throws(StoreError) {
    let kind = FindingCatalogue.kind(first.code)
    switch first.severity {
    case .error: html.markup("<div class=\"finding error\">")
    case .warning: html.markup("<div class=\"finding warning\">")
    case .note: html.markup("<div class=\"finding note\">")
    }
    html.markup("<h4><b>")
    html.text(first.severity.rawValue)
    html.markup("</b> ")
    html.text(kind?.title ?? first.code)
    html.markup(" <small>")
    html.text(first.code)
    html.markup(", ")
    html.number(count)
    html.markup("</small></h4>\n")
    if let kind { explain(kind) }
    try addPlaces(findings)
    if let kind { addCauses(kind) }
    html.markup("</div>\n")
  }

  private mutating func addPlaces(_ findings: FindingList.SubSequence) throws(StoreError) {
    html.markup(findings.count > 5 ? "<details><summary>all places</summary>" : "<div>")
    html.markup("<ul>\n")
    for finding in findings {
      html.markup("<li>")
      html.text(place(finding) + finding.message)
      html.markup("</li>\n")
      try flush()
    }
    html.markup(findings.count > 5 ? "</ul></details>\n" : "</ul></div>\n")
  }

  private mutating func explain(_ kind: FindingKind) {
    html.markup("<p>")
    html.text(kind.meaning)
    html.markup("</p><p><strong>What to do.</strong> ")
    html.text(kind.remedies.joined(separator: " "))
    html.markup("</p>\n")
  }

  private mutating func addCauses(_ kind: FindingKind) {
    html.markup("<details><summary>usual causes</summary><ul>")
    for cause in kind.causes {
      html.markup("<li>")
      html.text(cause)
      html.markup("</li>")
    }
    html.markup("</ul></details>\n")
  }

  private func place(_ finding: Finding) -> String {
    let parts = [finding.table, finding.itemID, finding.operation.map { "operation \($0)" }]
      .compactMap(\.self)
    return parts.isEmpty ? "" : parts.joined(separator: ", ") + ": "
  }
}
