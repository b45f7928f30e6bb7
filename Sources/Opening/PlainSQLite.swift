import Bytes
import Records
import SQLite
import SyncSDKs
import Tables

/// Any other SQLite file: its tables as they are, without a queue.
enum PlainSQLite {
  /// The layout of a file that no other layout claims, with what speaks against the others.
  static func layout(
    _ tables: SystemTables, hasMark: Bool, _ connection: borrowing Connection
  ) throws(SQLiteError) -> RecognisedTables {
    let likenesses = likenesses(tables, hasMark: hasMark)
    return RecognisedTables(
      layout: .sqlite,
      evidence: likenesses.isEmpty ? ["no tables of a known layout"] : likenesses,
      findings: try unreadQueues(tables, connection),
      columns: ColumnRules(
        goesByContent: true,
        // Nobody knows how an app keeps what a person says are times.
        time: StoredTime(unit: .either, spelling: .free)))
  }

  /// How SDKs call their queues, where nothing else is likely to be called so.
  private static let queues = [
    AzureMobileDotnet.operations, DatasyncToolkit.operations, PowerSync.queue,
    IOSNames.operationsTable,
  ]

  /// The tables that are called as the queue of an SDK and have rows.
  private static func unreadQueues(
    _ tables: SystemTables, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for name in queues where tables.has(name) {
      let rows = Int(try connection.integer("SELECT count(*) FROM \(quoted(name))"))
      guard rows > 0 else { continue }
      findings.append(
        Finding(
          "queue-not-read", .warning, table: name,
          message: "\(name) is called as the queue of an SDK, and the file is none of its stores: "
            + rows.counting("row is", "rows are") + " read as "
            + (rows == 1 ? "an ordinary row" : "ordinary rows")))
    }
    return findings
  }

  /// What looks like another layout, and why it is not one.
  private static func likenesses(_ tables: SystemTables, hasMark: Bool) -> [String] {
    var sentences: [String] = []
    if tables.has(AzureMobileDotnet.errors, ["httpStatus", "status"]) {
      sentences.append(
        "\(AzureMobileDotnet.errors) has both httpStatus and status, which no SDK makes: the file is "
          + "damaged or foreign")
    } else if tables.has(AzureMobileDotnet.operations) {
      sentences.append(
        "a table \(AzureMobileDotnet.operations), but not all tables and columns that go with it in any "
          + "known SDK")
    }
    if tables.has(DatasyncToolkit.operations) != tables.has(DatasyncToolkit.tokens) {
      sentences.append(
        "only one of \(DatasyncToolkit.operations) and \(DatasyncToolkit.tokens)")
    } else if tables.has(DatasyncToolkit.operations) {
      sentences.append(
        "\(DatasyncToolkit.operations) and \(DatasyncToolkit.tokens), but not with their columns")
    }
    if tables.has("Z_PRIMARYKEY") || tables.has("Z_METADATA") {
      sentences.append("not both Z_METADATA and Z_PRIMARYKEY with the columns of Core Data")
    }
    if hasMark {
      sentences.append("the mark of a canonical store, but none of its tables")
    }
    return sentences
  }
}
