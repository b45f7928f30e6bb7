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

  /// The words of the states that rows are pushed in, in the order in which a push collects them.
  private static let kinds: [(word: String, kind: OperationKind)] = [
    ("created", .insert), ("updated", .update),
  ]

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
    if let number = Double(text), (100_000_000_000..<253_402_300_800_000).contains(number) {
      token.updatedAt = StoredTime(unit: .milliseconds).time(Int64(number))?.text
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
      try database.readingQueue { (connection) throws(SQLiteError) in
        for (word, kind) in Self.kinds {
          try read(word, kind, of: planned, table.name, connection, into: &queue)
        }
        try findOddStates(of: planned, table.name, connection, into: &queue)
      }
      try readTombstones(of: planned, table, database, into: &queue)
    }
    let last = queue.tokens.first?.raw.flatMap { Double($0) } ?? 0
    if !queue.operations.isEmpty, last == 0 || !last.isFinite {
      queue.tell(
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
    let columns = try self.columns(of: planned, connection)
    var statement = try rows(of: planned, where: WatermelonDB.isState(word), connection)
    while try statement.step() {
      // No item can be told without an id; what the row has in its place is told with the row.
      guard statement.strictText(at: 1) != nil else { continue }
      let row = StatedRow(statement)
      let operation = self.operation(
        word, kind, of: row, planned, name, number: queue.operations.count)
      queue.operations.append(operation)
      addFindings(about: operation, row.changed, columns, to: &queue)
    }
  }

  /// What a row says of its state.
  private struct StatedRow {
    let id: String?
    let changed: String

    /// Reads the key, id, state and changed columns.
    init(_ statement: borrowing Statement) {
      id = statement.strictText(at: 1)
      changed = statement.strictText(at: 3) ?? ""
    }
  }

  private func operation(
    _ word: String, _ kind: OperationKind, of row: StatedRow, _ planned: PlannedTable,
    _ name: String, number: Int
  ) -> PendingOperation {
    var operation = PendingOperation()
    operation.sequence = Int64(number + 1)
    operation.kind = kind
    operation.table = name
    operation.itemID = row.id
    operation.originalID = row.id.map { "\(planned.sourceTable)/\($0)" }
    operation.originalCode = word
    operation.raw = Self.state(word, row.changed)
    return operation
  }

  private func columns(
    of planned: PlannedTable, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<ExactText> {
    let table = try connection.table(named: planned.sourceTable)
    return Set(table?.columns.map { ExactText($0.name) } ?? [])
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

  /// The two columns of state as a JSON object, in the place of a payload, which there is not, and
  /// behind them values that the row's own columns cannot hold.
  private static func state(
    _ word: String, _ changed: String, and misfits: [(column: String, value: RawValue)] = []
  ) -> RawValue {
    var json = JSONObject()
    json[WatermelonDB.status] = .string(word)
    json[WatermelonDB.changed] = .string(changed)
    for (column, value) in misfits { json[column] = value.inJSON }
    return .text(json.json)
  }

  private func addFindings(
    about operation: PendingOperation, _ names: String, _ columns: Set<ExactText>,
    to queue: inout Queue
  ) {
    if operation.kind == .update, names.allSatisfy({ $0 == "," }) {
      queue.tell(
        Finding("update-without-changes", .note, operation, "the row names no changed column"))
    }
    guard let words = Self.strangers(among: names, columns) else { return }
    queue.tell(Finding(Self.namesStrangers, .note, operation, words))
  }

  private static let namesStrangers = "changed-names-unknown-column"

  /// The changed columns that a table does not have, in words; nil where it has them all.
  private static func strangers(among names: String, _ columns: Set<ExactText>) -> String? {
    let unknown = names.split(separator: ",").map(String.init)
      .filter { !columns.contains(ExactText($0)) }
    return unknown.isEmpty ? nil : "the table has no column \(unknown.joined(separator: ", "))"
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
    let columns = try self.columns(of: planned, connection)
    for (code, severity, condition, message) in odd {
      var statement = try rows(of: planned, where: condition, connection)
      while try statement.step() {
        let id = statement.itemID(at: 1)
        queue.tell(Finding(code, severity, table: name, itemID: id, message: message))
        if let words = Self.strangers(among: StatedRow(statement).changed, columns) {
          queue.tell(
            Finding(Self.namesStrangers, .note, table: name, itemID: id, message: words))
        }
      }
    }
  }

  /// Reads the deletes with their rows, which no query of the SDK shows any more.
  private func readTombstones(
    of planned: PlannedTable, _ table: Table, _ database: borrowing SourceDatabase,
    into queue: inout Queue
  ) throws(StoreError) {
    // Nothing is hidden where nothing is deleted.
    guard planned.condition != nil else { return }
    let path = database.files.main.path
    var tombstones = planned
    tombstones.condition = WatermelonDB.isTombstone
    try tellCount(of: tombstones, table, database, in: &queue)
    let columns = try storeErrors(path: path) { () throws(SQLiteError) in
      try self.columns(of: planned, database.connection)
    }
    var key = try storeErrors(path: path) { () throws(SQLiteError) in
      tombstones.key == nil ? try database.connection.integer(planned.counting()) + 1 : 0
    }
    // The rows as they are stored, and beside them what they say of their state.
    var states = try storeErrors(path: path) { () throws(SQLiteError) in
      try rows(of: planned, where: WatermelonDB.isTombstone, database.connection)
    }
    let spelling = RowJSON(of: table)
    try database.forEachBatchOfStatement(of: tombstones) { (batch) throws(StoreError) in
      // Rows without keys are numbered, and those that are shown come first.
      if tombstones.key == nil { batch.numberKeys(from: key) }
      key += Int64(batch.rowCount)
      var rejects = RejectCursor(batch)
      for row in 0..<batch.rowCount where try Self.step(&states, path) {
        let state = StatedRow(states)
        var operation = self.operation(
          "deleted", .delete, of: state, planned, table.name, number: queue.operations.count)
        var json: [UInt8] = []
        spelling.append(row: row, of: batch, to: &json)
        operation.item = json
        let misfits = rejects.rejects(ofRow: row)
        if !misfits.isEmpty {
          operation.raw = Self.state(
            "deleted", state.changed,
            and: misfits.map { (table.columns[$0.column].sourceColumn, $0.raw) })
        }
        queue.operations.append(operation)
        addFindings(about: operation, state.changed, columns, to: &queue)
        for reject in misfits {
          queue.tell(
            Finding(
              reject.code.rawValue, .warning, operation,
              "column \(table.columns[reject.column].name) of the deleted row holds a value that "
                + "has no place in it; the operation has it as stored"))
        }
      }
    }
  }

  /// Tells how many deletes a table has.
  private func tellCount(
    of tombstones: PlannedTable, _ table: Table, _ database: borrowing SourceDatabase,
    in queue: inout Queue
  ) throws(StoreError) {
    let count = try database.readingQueue { (connection) throws(SQLiteError) in
      try connection.integer(tombstones.counting())
    }
    guard count > 0 else { return }
    queue.tell(
      Finding(
        "tombstones", .note, table: table.name,
        message: count.counting(
          "deleted row waits to be sent as a delete", "deleted rows wait to be sent as deletes")))
  }

  private static func step(
    _ statement: inout Statement, _ path: String
  ) throws(StoreError) -> Bool {
    do {
      return try statement.step()
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension WatermelonDB {
  /// Whether a row is in a state.
  static func isState(_ word: String) -> String {
    "\(quoted(status)) COLLATE BINARY IS '\(word)'"
  }

  /// Whether a row is a delete that waits, and no row any more; without an id it is none.
  static var isTombstone: String { "\(isState("deleted")) AND typeof(\(quoted("id"))) = 'text'" }
}
