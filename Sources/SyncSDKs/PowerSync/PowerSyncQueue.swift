import Formats
import Records
import SQLite
import Tables

/// Reads the upload queue of PowerSync, in which nothing collapses and nothing has a state.
struct PowerSyncQueue: QueueLayout {
  /// There are no versions.
  var takesVersionsFromRows: Bool { false }

  private static let kinds: [String: OperationKind] = [
    "PUT": .insert, "PATCH": .update, "DELETE": .delete,
  ]

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    if var statement = try tables.select(
      ["id", "data", "tx_id"], from: PowerSync.queue, order: ["id"], connection)
    {
      while try statement.step() {
        var operation = PendingOperation(number: queue.operations.count + 1, statement)
        operation.raw = statement.optionalRaw(at: 1)
        Self.decode(&operation, transaction: statement.text(at: 2), names)
        queue.operations.append(operation)
      }
    }
    queue.tokens = try PowerSyncTokens.read(tables, connection)
    return queue
  }

  /// Decodes the entry that an operation holds; what can be told of table and item is kept.
  ///
  /// The code is the word and, behind a blank, the number of the transaction; without the word where
  /// the entry cannot be read.
  private static func decode(
    _ operation: inout PendingOperation, transaction: String?, _ names: TableNames
  ) {
    let entry = JSONPayload(operation.raw)
    operation.table = entry.text("type").map { type in
      names[exactly: PowerSync.data + type] ?? names[exactly: PowerSync.localData + type]
        ?? names.canonical(type, partOf: PowerSync.untyped) ?? type
    }
    operation.itemID = entry.text("id") ?? entry.number("id")
    operation.originalCode = transaction.map { " \($0)" }
    guard let word = entry.text("op"), operation.table != nil, operation.itemID != nil else {
      return
    }
    let kind = kinds[word]
    let item = entry.objectJSON(kind == .delete ? "old" : "data")
    guard kind == .delete || kind == nil || item != nil else { return }
    operation.originalCode = transaction.map { "\(word) \($0)" } ?? word
    operation.kind = kind
    if kind != nil { operation.item = item }
  }

  /// The names under which tables stand in the queue and among the downloads.
  func facts(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [SourceDescription.Fact] {
    var facts: [SourceDescription.Fact] = []
    if var statement = try tables.select(["key", "value"], from: PowerSync.facts, connection) {
      while try statement.step() {
        guard statement.text(at: 0) == "client_id", let id = statement.text(at: 1) else { continue }
        facts.append(.init("clientID", id))
      }
    }
    if let queued = try Self.operationsEverQueued(connection) {
      facts.append(.init("operationsEverQueued", String(queued)))
    }
    let gate = try PowerSyncGate(tables, connection)
    facts.append(.init("gate", gate.description))
    if var statement = try tables.select(
      ["name", "last_op", "last_applied_op"], from: PowerSync.buckets, connection)
    {
      while try statement.step(), facts.count < 100 {
        guard let name = statement.text(at: 0), name != PowerSync.local else { continue }
        let (last, applied) = (statement.integer(at: 1), statement.integer(at: 2))
        facts.append(.init("bucket \(name)", "downloaded up to \(last), applied up to \(applied)"))
      }
    }
    return facts
  }

  private static func operationsEverQueued(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Int64? {
    guard try connection.table(named: "sqlite_sequence") != nil else { return nil }
    var statement = try connection.prepare(
      "SELECT seq FROM sqlite_sequence WHERE name = '\(PowerSync.queue)'")
    return try statement.step() ? statement.integer(at: 0) : nil
  }

  func complete(
    _ queue: inout Queue, _ tables: [PlannedTable], _ catalogue: Catalogue,
    _ database: borrowing SourceDatabase
  ) throws(StoreError) {
    let rows = PowerSyncRows(tables, catalogue)
    try database.readingQueue { (connection) throws(SQLiteError) in
      try rows.findUnknown(in: &queue, catalogue, connection)
      let schema = SystemTables(try connection.tables())
      let gate = try PowerSyncGate(schema, connection)
      if queue.operations.isEmpty, gate.isShut {
        queue.tell(
          Finding(
            "upload-unconfirmed", .warning,
            message: "everything was uploaded and never confirmed, so downloads are not applied"))
      }
      try PowerSyncDownloads(rows, schema).compare(with: &queue, connection)
    }
  }

  /// What holds downloads back while local writes wait to be confirmed.
  struct PowerSyncGate {
    private let target: Int64?
    private let seen: Int64?

    init(
      _ tables: SystemTables, _ connection: borrowing Connection
    ) throws(SQLiteError) {
      var target: Int64?
      var seen: Int64?
      let isNew = !PowerSync.keepsGateInBuckets(tables)
      let columns = isNew ? ["key", "value"] : ["name", "target_op", "last_op"]
      if var statement = try tables.select(
        columns, from: isNew ? PowerSync.facts : PowerSync.buckets, connection)
      {
        while try statement.step() {
          switch statement.text(at: 0) ?? "" {
          case "target_checkpoint_request_id" where isNew: target = statement.wholeNumber(at: 1)
          case "last_seen_checkpoint_request_id" where isNew: seen = statement.wholeNumber(at: 1)
          case PowerSync.local where !isNew:
            (target, seen) = (statement.wholeNumber(at: 1), statement.wholeNumber(at: 2))
          default: break
          }
        }
      }
      (self.target, self.seen) = (target, seen)
    }

    /// Whether something waits to be confirmed.
    var isShut: Bool { target.map { $0 > seen ?? -1 } ?? false }

    /// The state of the gate in a few words.
    var description: String {
      guard let target, isShut else { return "open" }
      return target == .max ? "shut" : "shut, waiting for \(target)"
    }
  }
}
