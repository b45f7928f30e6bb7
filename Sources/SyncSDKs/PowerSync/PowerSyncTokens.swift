import Bytes
import Records
import SQLite
import Tables

/// Reads how far the downloads of PowerSync had come.
enum PowerSyncTokens {
  /// What a number that is a time counts.
  private enum Unit: Int64 {
    case seconds = 1
    case microseconds = 1_000_000
  }

  private static let everything: Int64 = 2_147_483_647

  /// The times of complete downloads, then those of streams.
  static func read(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> TokenList {
    var tokens = TokenList()
    if var statement = try tables.select(
      ["priority", "last_synced_at"], from: PowerSync.syncState, connection)
    {
      while try statement.step() {
        let priority = statement.integer(at: 0)
        let query = priority == everything ? "complete" : "priority:\(priority)"
        tokens.append(token(query, statement, at: 1, .microseconds))
      }
    } else if var statement = try tables.select(
      ["key", "value"], from: PowerSync.facts, connection)
    {
      while try statement.step() {
        guard statement.text(at: 0) == "last_synced_at" else { continue }
        tokens.append(token("complete", statement, at: 1, .microseconds))
      }
    }
    try addStreams(tables, connection, to: &tokens)
    return tokens
  }

  private static func addStreams(
    _ tables: SystemTables, _ connection: borrowing Connection, to tokens: inout TokenList
  ) throws(SQLiteError) {
    guard
      var statement = try tables.select(
        ["stream_name", "local_params", "last_synced_at"], from: PowerSync.subscriptions,
        order: ["id"], connection)
    else { return }
    let unit: Unit = PowerSync.countsMicroseconds(tables) ? .microseconds : .seconds
    while try statement.step() {
      guard statement.storageClass(at: 2) != .null else { continue }
      let parameters = statement.text(at: 1).flatMap { $0 == "null" ? nil : " " + $0 } ?? ""
      let query = (statement.text(at: 0) ?? "") + parameters
      tokens.append(token(query, statement, at: 2, unit))
    }
  }

  private static func token(
    _ query: String, _ statement: borrowing Statement, at column: Int, _ unit: Unit
  ) -> DeltaToken {
    var token = DeltaToken(table: nil, query: query)
    token.raw = statement.text(at: column)
    switch statement.storageClass(at: column) {
    case .integer:
      let number = statement.integer(at: column)
      let (seconds, rest) = number.quotientAndRemainder(dividingBy: unit.rawValue)
      let isBefore = rest < 0
      let fraction = Int32(truncatingIfNeeded: isBefore ? rest + unit.rawValue : rest)
      token.updatedAt =
        Timestamp(
          wholeSecondsSince1970: isBefore ? seconds - 1 : seconds, nanoseconds: fraction * 1000)?
        .text
    case .text:
      token.updatedAt = statement.strictText(at: column)
        .flatMap { Timestamp(parsingLeniently: $0.utf8.span)?.text }
    case .real, .blob, .null: break
    }
    return token
  }
}
