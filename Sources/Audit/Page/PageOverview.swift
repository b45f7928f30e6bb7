import Records

extension AuditPage {
  /// All stores in one list, the worst first, each with the way to its own part of the page.
  mutating func addOverview(_ summaries: [StoreSummary]) throws(StoreError) {
    html.heading("All stores, worst first", count: summaries.count)
    html.markup("<div class=overview>")
    html.openTable([
      "Store", "Worst finding", "Waiting", "Failed", "Errors", "Warnings", "Server last heard of",
    ])
    for place in StoreSummary.worstFirst(summaries) {
      let summary = summaries[place]
      html.markup("<tr><td><a href=\"#store-")
      html.number(place + 1)
      html.markup("\">")
      html.text(summary.name)
      html.markup("</a></td>")
      add(summary.worst)
      add(summary.waiting, "waiting")
      add(summary.failed, "failed")
      add(summary.errors, "errors")
      add(summary.warnings, "warnings")
      html.markup("<td class=time>")
      html.text(summary.lastPull ?? "")
      html.markup("</td>")
      html.markup("</tr>\n")
      try flush()
    }
    html.closeTable()
    html.markup("</div>\n")
  }

  /// A number that narrow screens show with its word.
  private mutating func add(_ number: Int, _ word: StaticString) {
    html.markup("<td class=n data-word=")
    html.markup(word)
    html.markup(">")
    html.number(number)
    html.markup("</td>")
  }

  private mutating func add(_ finding: Finding?) {
    guard let finding else { return html.markup("<td></td>") }
    switch finding.severity {
    case .error: html.markup("<td class=error><b>")
    case .warning: html.markup("<td class=warning><b>")
    case .note: html.markup("<td class=note><b>")
    }
    html.text(finding.severity.rawValue)
    html.markup("</b> ")
    html.text(FindingCatalogue.kind(finding.code)?.title ?? finding.code)
    html.markup("</td>")
  }

  /// What is stuck and why, in one line for each serious kind of finding.
  mutating func addGlance(_ audit: StoreAudit) {
    var counts: [(finding: Finding, count: Int)] = []
    var start = 0
    while start < audit.findings.count, audit.findings[start].severity > .note {
      let end = audit.findings.end(ofKindAt: start)
      counts.append((audit.findings[start], audit.findings.places(in: start..<end)))
      start = end
    }
    guard !counts.isEmpty else { return }
    html.markup("<ul class=glance>\n")
    for (finding, count) in counts.prefix(8) {
      html.markup(finding.severity == .error ? "<li class=error><b>" : "<li class=warning><b>")
      html.number(count)
      html.markup(" \u{D7}</b> ")
      html.text(FindingCatalogue.kind(finding.code)?.title ?? finding.code)
      html.markup("</li>\n")
    }
    if counts.count > 8 {
      html.markup("<li>and ")
      html.number(counts.count - 8)
      html.markup(" more kinds below</li>\n")
    }
    html.markup("</ul>\n")
  }
}
