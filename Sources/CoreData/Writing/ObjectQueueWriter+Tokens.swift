import Bytes
import Records
import SQLite
import Tables

extension ObjectQueueWriter {
  /// Writes tokens, but for those of the tables that lack rows or values.
  ///
  /// - Returns: how many were written.
  func write(
    _ tokens: TokenList, lacking: Set<String>, _ losses: inout Losses,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int {
    guard !tokens.isEmpty else { return 0 }
    let columns = ["ZID", "ZTABLE", "ZKEYTYPE", "ZKEY", "ZVALUE"]
    var rows = try SystemRows(of: SyncNames.configuration, columns, template, connection)
    var written = 0
    for token in tokens {
      // It would keep the app from ever asking for the rows that are missing.
      guard !isLeftOut(token.table) else {
        losses.add(.warning, table: token.table, "tokens of tables that were left out")
        continue
      }
      if let table = token.table, lacking.contains(table) {
        losses.addToken(ofIncomplete: table)
        continue
      }
      // A count of milliseconds for a whole table is the toolkit's, and names no query here.
      let isOthers = token.query == nil && token.raw.flatMap(Int64.init) != nil
      guard !isOthers, let value = Self.value(token), rows != nil else {
        losses.add(.warning, "tokens without a query, or for which the app has no place")
        continue
      }
      var values: [String: RawValue] = ["ZKEYTYPE": .integer(0), "ZVALUE": .text(value)]
      values["ZID"] = .text(derivedGUID(["token", token.table ?? "", token.query ?? ""]))
      values["ZTABLE"] = token.table.map { .text(entity(named: $0)) }
      values["ZKEY"] = token.query.map(RawValue.text)
      try rows?.insert(values)
      written += 1
    }
    try raiseLargestKey(of: SyncNames.configuration, connection)
    return written
  }

  /// The time to the millisecond, as the SDK writes it; a stored one is kept where it says that.
  ///
  /// One that cannot be read stays as it is: the SDK then pulls everything.
  private static func value(_ token: DeltaToken) -> String? {
    guard let time = token.updatedAt else { return token.raw }
    if let raw = token.raw, raw.utf8.count == 24, raw.hasSuffix("Z"),
      Timestamp(parsing: raw.utf8Span.span)?.text == time
    {
      return raw
    }
    return String(time.prefix(23)) + "Z"
  }
}
