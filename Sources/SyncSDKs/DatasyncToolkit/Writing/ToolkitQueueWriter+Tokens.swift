import Bytes
import Records
import SQLite
import Tables

extension ToolkitQueueWriter {
  /// Tells what the plan leaves out or joins.
  mutating func tell(_ plan: ToolkitQueuePlan, _ operations: OperationList) {
    losses.add(
      .error, "operations that cannot be decoded and are not carried over",
      count: plan.undecoded)
    losses.add(
      .error,
      "operations on items with one that cannot be decoded, so that they are not carried over",
      count: plan.besideUndecoded)
    losses.add(
      .note, "operations that a person has dropped and that are not carried over",
      count: plan.dropped)
    losses.add(
      .note, "operations that were joined with another one on the same item", count: plan.joined)
    guard !plan.superseded.isEmpty else { return }
    var listed = 0
    for (place, operation) in operations.enumerated() where plan.superseded.contains(Int64(place)) {
      listed += 1
      let isNamed = listed <= MergedRow.mostListed
      let device = isNamed ? labels?[operation.source].map { " of \($0)" } : nil
      losses.add(
        .error, table: operation.table, itemID: isNamed ? operation.itemID : nil,
        "operations\(device ?? "") on an item of which the toolkit takes those of another device, so "
          + "that they are not carried over")
    }
  }

  /// Writes tokens, but for those of the tables that lack rows or values.
  ///
  /// - Returns: how many were written.
  mutating func write(
    _ tokens: TokenList, lacking: Set<String>, _ losses: inout Losses
  ) throws(SQLiteError) -> Int {
    var count = 0
    for token in tokens where try write(token, lacking, &losses) { count += 1 }
    return count
  }

  /// Writes one token; false when the toolkit has no room for it, which is told.
  private mutating func write(
    _ token: DeltaToken, _ lacking: Set<String>, _ losses: inout Losses
  ) throws(SQLiteError) -> Bool {
    let text = Array((token.updatedAt ?? "").utf8)
    guard let table = token.table, tables.plan(ofTable: table) != nil,
      let time = Timestamp(parsing: text.span)
    else {
      losses.add(.warning, table: token.table, "tokens without a time or a table in the store")
      return false
    }
    guard !lacking.contains(table) else {
      losses.addToken(ofIncomplete: table)
      return false
    }
    let type = types.type(ofTable: table)
    let id = token.query.map { "q-\(type)-\($0)" } ?? type
    guard ToolkitNames.isValidID(Array(id.utf8).span) else {
      losses.add(
        .warning, table: table, "tokens of \(table) under names that no token may have")
      return false
    }
    if types.known[ExactText(table)] == nil {
      losses.add(
        .warning, table: table,
        "tokens of \(table) whose type is not known, so that the app does not find them and pulls "
          + "everything again; give it with --entity-type")
    }
    if time.nanoseconds % 1_000_000 != 0 {
      losses.add(.note, table: table, "tokens of \(table) that are cut to milliseconds")
    }
    // Rounded down: the toolkit asks only for what is newer.
    let value = time.secondsSince1970 * 1000 + Int64(time.nanoseconds) / 1_000_000
    try tokens.bind(id, at: 1)
    try tokens.bind(value, at: 2)
    do {
      try tokens.run()
    } catch {
      guard error.code.primary == .constraint else { throw error }
      losses.addFurtherToken(of: table)
      return false
    }
    return true
  }
}
