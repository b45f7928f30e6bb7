import Bytes
import Records

extension AuditPage {
  /// The operations in push order, each with what it would send.
  mutating func addOperations(_ audit: StoreAudit) throws(StoreError) {
    html.heading(
      "Operations in the order in which they would be sent", count: audit.queue.operations.count)
    guard !audit.queue.operations.isEmpty else { return html.markup("<p>None.</p>\n") }
    let (isOfSeveral, deliveries) = (audit.source.isOfSeveral, audit.queue.deliveries)
    html.openTable(
      ["No.", "Table", "Item", "Kind", "State", "Version", "SDK's id"]
        + (isOfSeveral ? ["Device"] : []) + ["Would send"]
        + (deliveries.isEmpty ? [] : ["Replay"]))
    for operation in audit.queue.operations {
      html.markup("<tr>")
      html.cell(operation.sequence)
      html.cell(operation.table)
      html.cell(operation.itemID)
      html.cell(operation.kind?.rawValue ?? "unreadable")
      html.cell(operation.state.rawValue)
      html.cell(operation.baseVersion)
      html.cell(operation.originalID)
      if isOfSeveral { html.cell(audit.devices[operation.source]) }
      html.itemCell(audit.item(of: operation))
      if !deliveries.isEmpty { html.cell(outcomes(deliveries[operation.sequence])) }
      html.markup("</tr>\n")
      try flush()
    }
    html.closeTable()
  }

  /// What became of the operations at each target.
  mutating func addReplays(_ audit: StoreAudit) {
    let deliveries = audit.queue.deliveries
    guard !deliveries.isEmpty else { return }
    html.heading("What replays have done", count: deliveries.targets.count)
    html.openTable(["Target", "Last", "Outcomes"])
    for target in deliveries.targets {
      let (counts, last) = deliveries.summary(of: target)
      let parts = ReplayOutcome.allCases.compactMap { outcome in
        counts[outcome].map { "\($0) \(outcome.words)" }
      }
      html.markup("<tr>")
      html.cell(target)
      html.cell(last?.text)
      html.cell(parts.joined(separator: ", "))
      html.markup("</tr>\n")
    }
    html.closeTable()
  }

  private func outcomes(_ deliveries: [Delivery]) -> String {
    deliveries.map { delivery in
      let detail = delivery.detail.map { ": " + $0 } ?? ""
      return "\(delivery.outcome.words) at \(delivery.target)\(detail)"
    }.joined(separator: "; ")
  }

  /// What the operations come to, item by item.
  mutating func addEffects(_ audit: StoreAudit) throws(StoreError) {
    guard !audit.effects.isEmpty else { return }
    html.heading("What they come to, item by item", count: audit.effects.count)
    html.openTable(["Operations", "Table", "Item", "Effect", "Version", "Remark", "Would send"])
    for effect in audit.effects {
      html.markup("<tr>")
      html.cell(effect.sequences.map { String($0) }.joined(separator: ", "))
      html.cell(effect.table)
      html.cell(effect.itemID)
      html.cell(effect.kind.rawValue)
      html.cell(effect.baseVersion)
      html.cell(remark(effect))
      html.itemCell(audit.item(of: effect))
      html.markup("</tr>\n")
      try flush()
    }
    html.closeTable()
  }

  /// The delta tokens: how far pulls had come.
  mutating func addTokens(_ audit: StoreAudit) throws(StoreError) {
    guard !audit.queue.tokens.isEmpty else { return }
    html.heading("How far pulls had come", count: audit.queue.tokens.count)
    html.openTable(["Table", "Query", "Newest change", "As stored"])
    for token in audit.queue.tokens {
      html.markup("<tr>")
      html.cell(token.table)
      html.cell(token.query)
      html.cell(token.updatedAt)
      html.cell(token.raw)
      html.markup("</tr>\n")
      try flush()
    }
    html.closeTable()
  }

  private func remark(_ effect: Effect) -> String {
    var remarks: [String] = []
    if effect.acceptsMissing { remarks.append("the server need not have it") }
    if effect.followsOddly { remarks.append("no SDK would have queued this here") }
    if !effect.undecoded.isEmpty { remarks.append("an unreadable operation takes no part") }
    return remarks.joined(separator: "; ")
  }
}
