import Bytes
import Formats
import Records
import SQLite
import Tables

/// An item as the service knows it.
struct PowerSyncItem: Hashable {
  @ExactText var type: String
  @ExactText var id: String
}

/// Finds the rows of PowerSync's tables of documents, one at a time.
struct PowerSyncRows {
  /// The tables by the names that the service has for them.
  private var tables: [ExactText: PlannedTable] = [:]
  /// What the catalogue calls the types of the service, and the other way round.
  private var names: [ExactText: String] = [:]
  private var types: [ExactText: String] = [:]

  init(_ planned: [PlannedTable], _ catalogue: Catalogue) {
    for (planned, table) in zip(planned, catalogue.tables) {
      let own = planned.sourceTable.removing(prefix: PowerSync.data)
      if let own { tables[ExactText(own)] = planned }
      let untyped = planned.sourceTable == PowerSync.untyped ? planned.sourceName : nil
      guard let type = own ?? untyped else { continue }
      types[ExactText(table.name)] = type
      // The app's own tables stand before those of types that it does not have.
      if names[ExactText(type)] == nil { names[ExactText(type)] = table.name }
    }
  }

  func name(of type: String) -> String { names[ExactText(type)] ?? type }

  func columns(of type: String) -> [DocumentMember] {
    (tables[ExactText(type)]?.columns ?? []).compactMap(\.member).filter {
      if case .cast = $0.form { true } else { false }
    }
  }

  /// Finds the document of a row of a type by its id, which is bound later; nil where the type has
  /// no table that keeps rows.
  func documents(
    ofType type: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Statement? {
    guard let table = tables[ExactText(type)], table.key != nil else { return nil }
    return try connection.prepare(
      "SELECT data FROM \(quoted(table.sourceTable)) WHERE id = ? COLLATE BINARY")
  }

  /// Tells of operations whose items end with a write and have no row all the same.
  func findMissing(
    in queue: inout Queue, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var last: [PowerSyncItem: OperationKind] = [:]
    for operation in queue.operations {
      if let item = item(of: operation), let kind = operation.kind { last[item] = kind }
    }
    let written = last.filter { $0.value != .delete }.keys
    let missing = try missing(of: written, connection)
    for operation in queue.operations where operation.kind != .delete {
      guard let item = item(of: operation), missing.contains(item) else { continue }
      queue.tell(
        Finding(
          "operation-without-row", .warning, operation,
          "the row that this operation was made of is gone; its own payload is sent"))
    }
  }

  /// The items that have no row, of those whose tables keep rows.
  private func missing(
    of items: some Sequence<PowerSyncItem>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<PowerSyncItem> {
    let writeOnly = try PowerSyncView.writeOnlyTables(in: connection)
    var missing: Set<PowerSyncItem> = []
    for (type, items) in Dictionary(grouping: items, by: { ExactText($0.type) }) {
      guard let table = tables[type], table.key != nil,
        !writeOnly.contains(ExactText(table.sourceTable))
      else { continue }
      var statement = try connection.prepare(
        "SELECT 1 FROM \(quoted(table.sourceTable)) WHERE id = ? COLLATE BINARY")
      for item in items {
        statement.reset()
        try statement.bind(item.id, at: 1)
        if !(try statement.step()) { missing.insert(item) }
      }
    }
    return missing
  }

  /// Tells of operations on what is no table, nor anything that a trigger writes under its name.
  func findUnknown(
    in queue: inout Queue, _ catalogue: Catalogue, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var known = Set(catalogue.tables.map { ExactText($0.name) })
    var isSearched = false
    for operation in queue.operations {
      guard let table = operation.table, !known.contains(ExactText(table)) else { continue }
      if !isSearched { known.formUnion(try PowerSyncView.typesOfTriggers(in: connection)) }
      isSearched = true
      guard !known.contains(ExactText(table)) else { continue }
      queue.tell(
        Finding(
          "operation-for-unknown-table", operation.kind == .delete ? .warning : .error, operation,
          "the operation names a table that the store does not have"))
    }
  }

  func item(of operation: PendingOperation) -> PowerSyncItem? {
    guard operation.kind != nil, let table = operation.table, let id = operation.itemID else {
      return nil
    }
    return PowerSyncItem(type: types[ExactText(table)] ?? table, id: id)
  }
}

/// Compares what waits, and what was written here, with the copies that the service sent.
struct PowerSyncDownloads {
  private let rows: PowerSyncRows
  private let tables: SystemTables
  /// Whether the log keeps removals and what was superseded.
  private let isOld: Bool

  /// Of how many conflicts the fields are compared; those of all would take much memory.
  private static let mostCompared = 1000

  /// The newest copy of an item; what it holds is read when it is asked for.
  private struct Copy {
    var operation: Int64
    /// Its row among the downloads.
    var row: Int64
    /// Whether it waits to be applied.
    var isWaiting: Bool
  }

  init(_ rows: PowerSyncRows, _ tables: SystemTables) {
    self.rows = rows
    self.tables = tables
    isOld = PowerSync.keepsSuperseded(tables)
  }

  /// Adds what the copies tell about a queue and about rows.
  func compare(
    with queue: inout Queue, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var waiting: [PowerSyncItem: Int] = [:]
    for (place, operation) in queue.operations.enumerated() {
      if let item = rows.item(of: operation) { waiting[item] = place }
    }
    let written = try written(connection).subtracting(waiting.keys)
    let copies = try copies(of: written.union(waiting.keys), connection)
    let conflicts = waiting.filter { copies[$0.key]?.isWaiting == true }
      .sorted { $0.value < $1.value }
    var documents = try DownloadedDocuments(tables, connection)
    let sent = payloads(of: conflicts.prefix(Self.mostCompared).map(\.key), in: queue.operations)
    for (item, place) in conflicts {
      guard let copy = copies[item] else { continue }
      var difference = ""
      if documents.areThere, let payload = sent[item] {
        difference = Self.differences(payload, try documents.document(ofRow: copy.row))
      }
      queue.tell(
        Finding(
          "conflict-with-downloaded-copy", .warning, queue.operations[place],
          "the service has sent a newer copy of the item" + difference))
    }
    let ofTypes = Dictionary(grouping: written) { ExactText($0.type) }
    for (exact, items) in ofTypes.sorted(by: { $0.key < $1.key }) {
      let type = exact.wrappedValue
      guard var own = try rows.documents(ofType: type, connection) else { continue }
      for item in items.sorted(by: { $0.id < $1.id }) {
        own.reset()
        try own.bind(item.id, at: 1)
        guard try own.step(), let row = JSONObject(payload: own.optionalRaw(at: 0)) else {
          continue
        }
        let copy = copies[item]
        if let copy, let document = try documents.document(ofRow: copy.row),
          isSame(row, document, type)
        {
          continue
        }
        queue.tell(
          Finding(
            "local-change-without-operation", .warning, table: rows.name(of: type),
            itemID: item.id,
            message: copy == nil
              ? "the row was written here or removed by the service, and nothing waits to be sent"
              : "the row is not as the service sent it, and nothing waits to be sent"))
      }
    }
  }

  /// What all operations on each of some items come to; nothing for one that is deleted in the end.
  private func payloads(
    of items: [PowerSyncItem], in operations: OperationList
  ) -> [PowerSyncItem: JSONObject] {
    guard !items.isEmpty else { return [:] }
    let wanted = Set(items)
    var payloads: [PowerSyncItem: JSONObject] = [:]
    for operation in operations {
      guard let item = rows.item(of: operation), wanted.contains(item) else { continue }
      let changes = operation.item.flatMap { JSONObject(parsing: $0.span) }
      switch operation.kind {
      case .insert?: payloads[item] = changes
      case .update?:
        guard let changes else { continue }
        var joined = payloads[item] ?? JSONObject()
        for member in changes.members { joined[member.key] = member.value }
        payloads[item] = joined
      case .delete?, nil: payloads[item] = nil
      }
    }
    return payloads
  }

  /// What was written here since the last complete download.
  private func written(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> Set<PowerSyncItem> {
    var items: Set<PowerSyncItem> = []
    let table = isOld ? PowerSync.downloads : PowerSync.written
    guard
      var statement = try tables.select(
        ["row_type", "row_id", "bucket"], from: table, connection)
    else { return [] }
    while try statement.step() {
      guard let type = statement.strictText(at: 0), let id = statement.strictText(at: 1),
        !isOld || statement.strictText(at: 2) == PowerSync.local
      else { continue }
      items.insert(PowerSyncItem(type: type, id: id))
    }
    return items
  }

  private func copies(
    of items: Set<PowerSyncItem>, _ connection: borrowing Connection
  ) throws(SQLiteError) -> [PowerSyncItem: Copy] {
    var applied: [ExactText: Int64] = [:]
    if var statement = try tables.select(
      [isOld ? "name" : "id", "last_applied_op"], from: PowerSync.buckets, connection)
    {
      while try statement.step() {
        applied[ExactText(statement.text(at: 0) ?? "")] = statement.integer(at: 1)
      }
    }
    var copies: [PowerSyncItem: Copy] = [:]
    guard !items.isEmpty,
      var statement = try tables.select(
        ["row_type", "row_id", "op_id", "bucket", "op", "superseded", "rowid"],
        from: PowerSync.downloads, connection)
    else { return [:] }
    while try statement.step() {
      guard let type = statement.strictText(at: 0), let id = statement.strictText(at: 1) else {
        continue
      }
      let item = PowerSyncItem(type: type, id: id)
      let bucket = statement.text(at: 3) ?? ""
      let isCopy =
        !isOld || statement.integer(at: 5) == 0 && (3...4).contains(statement.integer(at: 4))
      guard items.contains(item), bucket != PowerSync.local, isCopy else { continue }
      let operation = statement.integer(at: 2)
      let isWaiting = operation > applied[ExactText(bucket)] ?? 0 || copies[item]?.isWaiting == true
      if let known = copies[item], known.operation >= operation {
        copies[item]?.isWaiting = isWaiting
        continue
      }
      copies[item] = Copy(
        operation: operation, row: statement.integer(at: 6), isWaiting: isWaiting)
    }
    return copies
  }

  /// What copies hold, each read when it is asked for.
  private struct DownloadedDocuments: ~Copyable {
    private var statement: Statement?

    init(_ tables: SystemTables, _ connection: borrowing Connection) throws(SQLiteError) {
      // Only the number of its row tells a copy from others.
      guard tables.exactly(PowerSync.downloads)?.isWithoutRowID == false,
        tables.has(PowerSync.downloads, ["data"])
      else {
        statement = nil
        return
      }
      statement = try connection.prepare("SELECT data FROM \(PowerSync.downloads) WHERE rowid = ?")
    }

    /// Whether they can be found.
    var areThere: Bool { statement != nil }

    /// The document in a row of the downloads; nil where it removes the item.
    mutating func document(ofRow row: Int64) throws(SQLiteError) -> JSONObject? {
      guard statement != nil else { return nil }
      statement?.reset()
      try statement?.bind(row, at: 1)
      guard try statement?.step() == true else { return nil }
      return JSONObject(payload: statement?.optionalRaw(at: 0))
    }
  }

  private func isSame(_ row: JSONObject, _ copy: JSONObject, _ type: String) -> Bool {
    rows.columns(of: type).allSatisfy { member in
      member.form.value(row[member.key] ?? .null) == member.form.value(copy[member.key] ?? .null)
    }
  }

  /// The fields that operations set to something else than a copy has.
  private static func differences(_ sent: JSONObject, _ copy: JSONObject?) -> String {
    guard let copy else { return ", which removes it" }
    let names = sent.members.filter { $0.value != copy[$0.key] ?? .null }.map(\.key)
    return names.isEmpty
      ? ", with the same values"
      : ", with other values of \(names.prefix(20).joined(separator: ", "))"
  }
}
