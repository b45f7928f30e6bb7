import Bytes
import Formats
import Records
import SQLite
import Tables

/// Finds what waits in the rows of WatermelonDB, as there is no queue: the state of a row tells.
struct WatermelonQueue: QueueLayout {
  /// The tables that are synchronised.
  let models: Set<ExactText>

  /// Nothing here has a version.
  var takesVersionsFromRows: Bool { false }

  /// The words of the states, in the order in which a push collects the rows.
  private static let kinds: [(word: String, kind: OperationKind)] = [
    ("created", .insert), ("updated", .update), ("deleted", .delete),
  ]
  /// How many findings of one kind are listed for a table.
  private static let listLimit = 1000

  func read(
    _ tables: SystemTables, names: TableNames, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Queue {
    var queue = Queue()
    guard let text = try WatermelonDB.setting(WatermelonDB.lastPulled, connection) else {
      return queue
    }
    var token = DeltaToken(table: nil, query: "last_pulled_at")
    token.raw = text
    // A server may count in its own way; only what is likely to be a time is taken for one.
    if let number = Int64(text), (100_000_000_000..<253_402_300_800_000).contains(number) {
      token.updatedAt = StoredTime(unit: .milliseconds).time(number)?.text
    }
    queue.tokens = [token]
    return queue
  }

  func complete(
    _ queue: inout Queue, _ tables: [PlannedTable], _ catalogue: Catalogue,
    _ database: borrowing SourceDatabase
  ) throws(StoreError) {
    for (planned, table) in zip(tables, catalogue.tables)
    where models.contains(ExactText(planned.sourceTable)) {
      try storeErrors("the queue cannot be read", path: database.files.main.path) {
        () throws(SQLiteError) in
        for (word, kind) in Self.kinds {
          try read(word, kind, of: planned, table.name, database.connection, into: &queue)
        }
        try findOddStates(of: planned, table.name, database.connection, into: &queue)
      }
      try keepTombstones(of: planned, table, database, in: &queue)
    }
    let last = queue.tokens.first?.raw.flatMap { Double($0) } ?? 0
    if !queue.operations.isEmpty, last == 0 || !last.isFinite {
      queue.findings.append(
        Finding(
          "never-synced", .warning,
          message: "changes wait, and nothing was ever pulled: the rows may be meant to stay on "
            + "the device, or another way of sending them is used"))
    }
  }

  /// The rows of a table in one state, in its order.
  private func read(
    _ word: String, _ kind: OperationKind, of planned: PlannedTable, _ name: String,
    _ connection: borrowing Connection, into queue: inout Queue
  ) throws(SQLiteError) {
    let columns = try Set(
      connection.table(named: planned.sourceTable)?.columns.map { ExactText($0.name) } ?? [])
    var statement = try rows(of: planned, where: Self.isState(word), connection)
    while try statement.step() {
      guard let id = statement.strictText(at: 1) else { continue }
      var operation = PendingOperation()
      operation.sequence = Int64(queue.operations.count + 1)
      operation.kind = kind
      operation.table = name
      operation.itemID = id
      operation.originalID = "\(planned.sourceTable)/\(id)"
      operation.originalCode = word
      let changed = statement.strictText(at: 3) ?? ""
      operation.raw = Self.state(word, changed)
      queue.operations.append(operation)
      addFindings(about: operation, changed, columns, to: &queue)
    }
  }

  /// The key, id, state and changed columns of some rows.
  private func rows(
    of planned: PlannedTable, where condition: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement {
    var table = planned
    table.condition = nil
    let columns = ["id", WatermelonDB.status, WatermelonDB.changed].map(quoted)
    return try connection.prepare(table.selection(of: columns, where: condition))
  }

  private static func isState(_ word: String) -> String {
    "\(quoted(WatermelonDB.status)) COLLATE BINARY = '\(word)'"
  }

  /// The two columns of state as a JSON object, in the place of a payload, which there is not.
  private static func state(_ word: String, _ changed: String) -> RawValue {
    var json = JSONObject()
    json[WatermelonDB.status] = .string(word)
    json[WatermelonDB.changed] = .string(changed)
    return .text(json.json)
  }

  private func addFindings(
    about operation: PendingOperation, _ names: String, _ columns: Set<ExactText>,
    to queue: inout Queue
  ) {
    let changed = names.split(separator: ",").map(String.init)
    if operation.kind == .update, changed.isEmpty {
      queue.findings.append(
        Finding("update-without-changes", .note, operation, "the row names no changed column"))
    }
    let unknown = changed.filter { !columns.contains(ExactText($0)) }
    guard !unknown.isEmpty else { return }
    queue.findings.append(
      Finding(
        "changed-names-unknown-column", .note, operation,
        "the table has no column \(unknown.joined(separator: ", "))"))
  }

  /// Tells of states that the SDK does not know, and of changes that it has forgotten.
  private func findOddStates(
    of planned: PlannedTable, _ name: String, _ connection: borrowing Connection,
    into queue: inout Queue
  ) throws(SQLiteError) {
    let status = quoted(WatermelonDB.status) + " COLLATE BINARY"
    let known = "'created', 'updated', 'deleted', 'synced'"
    let odd: [(code: String, severity: Severity, condition: String, message: String)] = [
      (
        "unknown-sync-status", .warning, "(\(status) IS NULL OR \(status) NOT IN (\(known)))",
        "the row has a state that the SDK never pushes"
      ),
      (
        "changed-without-status", .note,
        "\(status) = 'synced' AND \(quoted(WatermelonDB.changed)) <> ''",
        "the row counts as sent, and names changed columns"
      ),
    ]
    for (code, severity, condition, message) in odd {
      var statement = try rows(of: planned, where: condition, connection)
      var count = 0
      while try statement.step() {
        count += 1
        guard count <= Self.listLimit else { continue }
        queue.findings.append(
          Finding(code, severity, table: name, itemID: statement.itemID(at: 1), message: message))
      }
      let rest = count - Self.listLimit
      if rest > 0 {
        queue.findings.append(
          Finding(
            code, severity, table: name, message: rest.counting("more row", "more rows"),
            count: rest))
      }
    }
  }

  /// Gives deletes their rows, which no query of the SDK shows any more.
  private func keepTombstones(
    of planned: PlannedTable, _ table: Table, _ database: borrowing SourceDatabase,
    in queue: inout Queue
  ) throws(StoreError) {
    var place = queue.operations.count
    while place > 0, queue.operations[place - 1].kind == .delete,
      hasSameBytes(queue.operations[place - 1].table, table.name)
    {
      place -= 1
    }
    guard place < queue.operations.count else { return }
    queue.findings.append(
      Finding(
        "tombstones", .note, table: table.name,
        message: (queue.operations.count - place).counting(
          "deleted row waits to be sent as a delete", "deleted rows wait to be sent as deletes")))
    var tombstones = planned
    tombstones.condition = Self.isState("deleted")
    let (spelling, id) = (RowJSON(of: table), table.index(of: .id) ?? 0)
    try database.forEachBatchOfStatement(of: tombstones) { (batch) throws(StoreError) in
      var rejects = RejectCursor(batch)
      for row in 0..<batch.rowCount where place < queue.operations.count {
        // A row without an id is no operation.
        guard !batch.isNull(id, ofRow: row) else { continue }
        var json: [UInt8] = []
        spelling.append(row: row, of: batch, to: &json)
        queue.operations[place].item = json
        for reject in rejects.rejects(ofRow: row) {
          let column = table.columns[reject.column].name
          queue.findings.append(
            Finding(
              reject.code.rawValue, .warning, queue.operations[place],
              "column \(column) of the deleted row holds a value that has no place in it"))
        }
        place += 1
      }
    }
  }
}

extension RecordBatch {
  /// Whether a cell is empty.
  fileprivate func isNull(_ column: Int, ofRow row: Int) -> Bool {
    let cells = cells(ofRow: row)
    return cells[cells.startIndex + column].kind == .null
  }
}
