package import Records

/// What a store cannot take as it is, counted by table and reason.
package struct Losses {
  private struct Reason: Hashable {
    let code: String
    let table: String?
    var itemID: String?
    let text: String
  }

  private var counts: [Reason: (order: Int, severity: Severity, count: Int)] = [:]

  /// Nothing was lost yet.
  package init() {}

  /// Counts something that the store holds in another form, or not at all.
  package mutating func add(
    _ severity: Severity, table: String? = nil, itemID: String? = nil, _ text: String,
    count: Int = 1
  ) {
    let reason = Reason(code: "not-carried-over", table: table, itemID: itemID, text: text)
    add(reason, severity, count)
  }

  /// Counts rows that the store's own rules refuse.
  package mutating func addRefusedRows(table: String, _ reason: String, count: Int) {
    let text = "rows of \(table) that the store refuses (\(reason))"
    add(Reason(code: "row-refused", table: table, text: text), .error, count)
  }

  /// Counts a token that would keep the app from ever asking for what is missing in a table.
  package mutating func addToken(ofIncomplete table: String) {
    add(
      .warning, table: table,
      "tokens of \(table), where rows or values are missing, so that the app pulls everything again"
    )
  }

  /// Counts deleted items that stand among the errors and are none.
  package mutating func addDeletedItems(_ count: Int) {
    add(.warning, "deleted items that no delete in the queue took, which stay behind", count: count)
  }

  /// Counts a token for a query of which another one counts.
  package mutating func addFurtherToken(of table: String?) {
    let whose = table.map { " of " + $0 } ?? ""
    add(.warning, table: table, "tokens\(whose) for a query that has one already")
  }

  private mutating func add(_ reason: Reason, _ severity: Severity, _ count: Int) {
    guard count > 0 else { return }
    let known = counts[reason]
    counts[reason] = (known?.order ?? counts.count, severity, (known?.count ?? 0) + count)
  }

  /// Takes what others have counted.
  package mutating func merge(_ other: Losses) {
    for (reason, value) in other.counts.sorted(by: { $0.value.order < $1.value.order }) {
      add(reason, value.severity, value.count)
    }
  }

  /// A finding for each reason in the order in which they came up; forgets them.
  package mutating func take() -> [Finding] {
    defer { counts = [:] }
    return counts.sorted { $0.value.order < $1.value.order }.map { reason, value in
      Finding(
        reason.code, value.severity, table: reason.table, itemID: reason.itemID,
        message: "\(reason.text): \(value.count)")
    }
  }
}
