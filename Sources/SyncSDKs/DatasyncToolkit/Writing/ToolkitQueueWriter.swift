import Bytes
import Formats
import Records
import SQLite
import Tables

/// Writes operations and tokens as the Community Toolkit keeps them.
struct ToolkitQueueWriter: ~Copyable {
  var losses = Losses()
  let types: ToolkitTypes
  let tables: AppTables<ToolkitTable>
  /// What is true of the SDKs that wrote the queue.
  let sdks: DeviceSDKs?
  /// What a person calls the devices; nil where there is only one.
  let labels: DeviceLabels?
  /// What payloads show as truth values that rows keep as numbers, by the names of tables.
  var truths: [ExactText: Set<ExactText>] = [:]
  /// The rows without a value that the toolkit would send.
  private let gaps: RowsWithGaps
  /// The names of the app's tables that lack rows of the sources.
  private let incomplete: Set<String>
  private var searches: [ExactText: ToolkitRowSearch] = [:]
  var items: [ExactText: ToolkitItem] = [:]
  private var operations: Statement
  var tokens: Statement
  private var known: Statement
  private var taken: Statement

  init(
    _ tables: AppTables<ToolkitTable>, _ types: ToolkitTypes, _ source: SourceDescription?,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    self.types = types
    sdks = source?.sdks
    labels = source.flatMap { $0.isOfSeveral ? DeviceLabels(of: $0) : nil }
    gaps = tables.rowsWithGaps()
    incomplete = tables.incomplete
    self.tables = tables
    let operations = try Self.insertion(
      into: DatasyncToolkit.operations, ToolkitNames.queueColumns, withRowID: true, connection)
    let tokens = try Self.insertion(
      into: DatasyncToolkit.tokens, ToolkitNames.tokenColumns, connection)
    let known = try connection.prepare(
      """
      SELECT EXISTS (SELECT 1 FROM \(quoted(DatasyncToolkit.operations))
        WHERE "ItemId" = ? AND "EntityType" = ?)
      """)
    // The key of the table, so that no list of ids is needed beside it.
    let taken = try connection.prepare(
      "SELECT EXISTS (SELECT 1 FROM \(quoted(DatasyncToolkit.operations)) WHERE \"Id\" = ?)")
    self.operations = operations
    self.tokens = tokens
    self.known = known
    self.taken = taken
  }

  /// Writes the operations for which the toolkit has room.
  ///
  /// - Returns: how much was written.
  mutating func write(
    _ queue: Queue, _ connection: borrowing Connection
  ) throws(SQLiteError) -> QueueCounts {
    var written = QueueCounts()
    let errors = ErrorPlaces(in: queue.errors)
    // Those of which the toolkit keeps all that they say.
    var keptErrors = 0
    let plan = ToolkitQueuePlan(
      queue.operations, exactSources: sdks?.numbers(where: \.tellsCaseTwinsApart) ?? [],
      isOfSeveral: labels != nil)
    tell(plan, queue.operations)
    truths = sdks?.payloadMembers(in: queue.operations, where: \.style.sendsRows).truths ?? [:]
    var guessed: [ExactText: Int] = [:]
    for step in plan.steps {
      let operation = queue.operations[step.source]
      let own = step.state == .failed ? errors[operation.sequence].map { queue.errors[$0] } : []
      let status = own.lazy.compactMap(\.status).first ?? queue.statusOfServer(for: operation)
      let version = queue.operations[step.first].baseVersion ?? operation.baseVersion
      let payloads = payloads(of: step, operation, plan, queue.operations)
      guard try write(step, operation, payloads, version: version, status, connection) else {
        continue
      }
      written.addOperation(step.kind)
      keptErrors += own.count(where: \.isStatusAlone)
      if let table = operation.table, types.known[ExactText(table)] == nil {
        guessed[ExactText(table), default: 0] += 1
      }
    }
    if written.operations < queue.operations.count { try connection.numberOperations() }
    for (table, count) in guessed.sorted(by: { $0.key < $1.key }) {
      losses.add(
        .warning, table: table.wrappedValue,
        "operations of \(table.wrappedValue) whose type is not known, so that the app does not find them; "
          + "give it with --entity-type",
        count: count)
    }
    let deletedItems = queue.errors.count(where: \.isDeletedItem)
    losses.addDeletedItems(deletedItems)
    losses.add(
      .warning, "errors with the server's answer, for which the toolkit has no place",
      count: queue.errors.count - deletedItems - keptErrors)
    return written
  }

  private static func insertion(
    into table: String, _ columns: [String], withRowID: Bool = false,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement {
    let names = (withRowID ? ["rowid"] : []) + columns.map(quoted)
    let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
    return try connection.prepare(
      "INSERT OR ABORT INTO \(quoted(table)) (\(names.joined(separator: ", "))) VALUES (\(marks))")
  }
}

extension ToolkitQueueWriter {
  /// Writes one operation; false when the toolkit has no room for it, which is told.
  private mutating func write(
    _ step: ToolkitQueuePlan.Step, _ operation: PendingOperation, _ payloads: [JSONObject],
    version: String?, _ status: Int64?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard let table = operation.table, let itemID = operation.itemID, !itemID.isEmpty,
      tables.plan(ofTable: table) != nil
    else {
      return leaveOut(operation, "whose table or item is not in the store")
    }
    if step.state != .completed, sendsRow(operation, step.kind),
      gaps.isSent(by: operation, as: step.kind)
    {
      return leaveOut(operation, "whose row lacks a value that could not be taken over")
    }
    if step.state != .completed, try lacksRow(operation, step.kind, itemID, connection) {
      return leaveOut(operation, "whose row is not in the store")
    }
    guard let (id, found) = try item(of: operation, step.kind, itemID, payloads, connection)
    else {
      return leaveOut(operation, "whose row is not in the store")
    }
    let item = asSeen(found, by: operation, step.kind, version)
    let type = types.type(ofTable: table)
    if step.state == .completed {
      try known.bind(id, at: 1)
      try known.bind(type, at: 2)
      defer { known.reset() }
      if try known.step(), known.integer(at: 0) != 0 {
        losses.add(
          .note, table: table,
          "completed operations on items of \(table) on which the queue has another")
        return false
      }
    }
    let place = Int64(step.first) + 1
    let ownID = try newID(of: operation)
    try operations.bind(place, at: 1)
    try operations.bind(ownID, at: 2)
    try operations.bind(Self.code(of: step.kind), at: 3)
    try operations.bind(Self.code(of: step.state), at: 4)
    try operations.bindNull(at: 5)
    try operations.bind(status, at: 6)
    try operations.bind(type, at: 7)
    try operations.bind(id, at: 8)
    try operations.bind(step.kind == .insert ? "" : version ?? "", at: 9)
    try operations.bind(text: item, at: 10)
    try operations.bind(place, at: 11)
    try operations.bind(0, at: 12)
    try operations.run()
    if step.kind != .insert, version?.utf8.contains(UInt8(ascii: "\"")) == true {
      losses.add(
        .warning, table: table,
        "operations of \(table) whose version has a quotation mark, which the toolkit puts into its "
          + "condition as it is, so that no server reads it")
    }
    if operation.state == .attempted {
      losses.add(
        .note, table: table, "operations of \(table) whose outcome is unknown, which wait again")
    }
    return true
  }

  /// Whether an operation sends a row that the source has and the new store has refused.
  private mutating func lacksRow(
    _ operation: PendingOperation, _ kind: OperationKind, _ itemID: String,
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard kind != .delete, let key = operation.rowKey,
      let name = operation.rowTable ?? operation.table, let table = tables.plan(ofTable: name),
      incomplete.contains(table.name)
    else { return false }
    if searches[ExactText(name)] == nil {
      searches[ExactText(name)] = try ToolkitRowSearch(in: table, connection)
    }
    return try searches[ExactText(name)]?.finds(row: key, itemID: itemID) == false
  }

  private mutating func leaveOut(_ operation: PendingOperation, _ why: String) -> Bool {
    losses.addLeftOutOperations(of: operation.table, why)
    return false
  }

  /// The SDK's own id where it is one of the toolkit's kind, otherwise one that depends only on the
  /// operation.
  private mutating func newID(of operation: PendingOperation) throws(SQLiteError) -> String {
    let digits = (operation.originalID ?? "").lowercased().filter { $0 != "-" }
    let isHexadecimal = digits.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    if digits.utf8.count == 32, isHexadecimal, try isFree(digits) { return digits }
    let names = [operation.originalID, operation.table, operation.itemID].map { $0 ?? "" }
    var number = operation.sequence
    while true {
      var hash = SHA256()
      let text = Array(([String(number)] + names).joined(separator: "\u{0}").utf8)
      hash.update(text.span)
      let id = String(hash.finish().hexadecimal.prefix(32))
      if try isFree(id) { return id }
      number &-= 1
    }
  }

  /// Whether no operation that was written has the id.
  private mutating func isFree(_ id: String) throws(SQLiteError) -> Bool {
    try taken.bind(id, at: 1)
    defer { taken.reset() }
    return try taken.step() && taken.integer(at: 0) == 0
  }

  static func code(of kind: OperationKind) -> Int64 {
    switch kind {
    case .insert: 0
    case .delete: 1
    case .update: 2
    }
  }

  static func code(of state: OperationState) -> Int64 {
    switch state {
    case .pending, .attempted, .dropped: 0
    case .completed: 1
    case .failed: 2
    }
  }
}

extension Losses {
  /// Counts operations for which the toolkit has no room.
  mutating func addLeftOutOperations(of table: String?, _ why: String, count: Int = 1) {
    add(
      .error, table: table,
      "operations\(table.map { " of " + $0 } ?? "") \(why), so that they are not carried over",
      count: count)
  }
}

extension Connection {
  /// Numbers the operations from 1, without gaps where some were left out.
  func numberOperations() throws(SQLiteError) {
    try execute(
      """
      UPDATE OR ABORT \(quoted(DatasyncToolkit.operations)) AS queue SET "Sequence" = numbers.number
      FROM (SELECT rowid AS place, row_number() OVER (ORDER BY rowid) AS number
        FROM \(quoted(DatasyncToolkit.operations))) AS numbers
      WHERE numbers.place = queue.rowid
      """)
  }
}

extension Queue {
  /// The status of the latest server's answer to an operation that failed there.
  fileprivate func statusOfServer(for operation: PendingOperation) -> Int64? {
    guard operation.state == .failed else { return nil }
    return deliveries.latest(of: operation.sequence)?.status
  }
}

extension OperationError {
  /// Whether it says no more than the status, which the toolkit keeps with the failed operation.
  fileprivate var isStatusAlone: Bool { code == nil && message == nil && serverItem == nil }
}
