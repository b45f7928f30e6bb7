import Records

extension AuditPage {
  /// The failures that were noted, and how the device's copy and the server's differ.
  mutating func addErrors(_ audit: StoreAudit) throws(StoreError) {
    guard !audit.queue.errors.isEmpty else { return }
    html.heading("Failures", count: audit.queue.errors.count)
    html.openTable([
      "Operation", "Table", "Item", "Cause", "About", "Status", "Code", "Words", "Differences",
      "Server's copy",
    ])
    for (error, assessment) in zip(audit.queue.errors, audit.assessments) {
      html.markup("<tr>")
      html.cell(error.operation)
      html.cell(error.table)
      html.cell(error.itemID)
      html.cell(assessment.cause.title)
      html.cell(assessment.bond.title)
      html.cell(error.status)
      html.cell(error.code)
      html.cell(error.message)
      addDifferences(assessment.differences)
      html.itemCell(error.serverItem)
      html.markup("</tr>\n")
      try flush()
    }
    html.closeTable()
  }

  private mutating func addDifferences(_ differences: [FieldDifference]?) {
    html.markup("<td>")
    defer { html.markup("</td>") }
    guard let differences else { return }
    guard !differences.isEmpty else { return html.text("both copies say the same") }
    html.markup("<dl>")
    for difference in differences {
      html.markup("<dt><b>")
      html.text(difference.field)
      html.markup("</b></dt><dd>device: ")
      html.text(difference.deviceText)
      html.markup("</dd><dd>server: ")
      html.text(difference.serverText)
      html.markup("</dd>")
    }
    html.markup("</dl>")
  }
}

extension ErrorAssessment.Bond {
  /// A few words for people.
  fileprivate var title: String {
    switch self {
    case .current: "the operation as it stands"
    case .stale: "an operation that has changed since"
    case .orphan: "no operation in the queue"
    }
  }
}
