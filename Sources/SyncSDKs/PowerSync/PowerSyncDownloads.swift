import Bytes
import Formats
import Records
import SQLite
import Tables

/// Compares what waits, and what was written here, with the rows and the copies that the service sent.
struct PowerSyncDownloads {
  private let rows: PowerSyncRows
  private let tables: SystemTables
  /// Whether the log keeps removals and what was superseded.
  private let isOld: Bool

  init(_ rows: PowerSyncRows, _ tables: SystemTables) {
    self.rows = rows
    self.tables = tables
    isOld = PowerSync.keepsSuperseded(tables)
  }

  /// Adds what rows and copies tell about a queue, and about what was written and does not wait.
  func compare(
    with queue: inout Queue, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    var notes = try questions(of: queue.operations, connection)
    guard notes.hasQuestions else { return }
    try addCopies(to: &notes, connection)
    let kept = try PowerSyncKeptRows(rows, connection)
    var documents = try DownloadedDocuments(tables, connection)
    var differences = PowerSyncDifferences()
    try notes.forEachGroup { (group) throws(SQLiteError) in
      let written = group.filter { $0.value.isWrittenInTheEnd }.keys
      differences.addRowless(
        try rows.missing(of: written, among: kept, connection), of: group)
      differences.addConflicts(of: group)
      try addLocalChanges(of: group, to: &differences, &documents, connection)
    }
    differences.tellRowless(to: &queue)
    try tellConflicts(differences, to: &queue, &documents)
    differences.tellLocalChanges(to: &queue, rows)
  }

  private typealias Notes = ItemNotes<PowerSyncFacts>

  /// What waits, and what was written here since the last complete download.
  private func questions(
    of operations: OperationList, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Notes {
    var notes = Notes(askingAbout: operations.count + Int(try writtenCount(connection)))
    for (place, operation) in operations.enumerated() {
      guard let item = rows.item(of: operation) else { continue }
      let source: PowerSyncFacts.Source =
        switch operation.kind {
        case .insert?, .update?: .write
        case .delete?: .delete
        case nil: .unreadable
        }
      try notes.ask(.init(item: item, source: source, numbers: (Int64(place), 0)))
    }
    guard
      var statement = try tables.select(
        ["row_type", "row_id", "bucket"], from: writtenTable, connection)
    else { return notes }
    while try statement.step() {
      guard let type = statement.strictText(at: 0), let id = statement.strictText(at: 1),
        !isOld || statement.strictText(at: 2) == PowerSync.local
      else { continue }
      try notes.ask(.init(item: ItemName(id, of: type), source: .written))
    }
    return notes
  }

  private var writtenTable: String { isOld ? PowerSync.downloads : PowerSync.written }

  private func writtenCount(_ connection: borrowing Connection) throws(SQLiteError) -> Int64 {
    guard tables.has(writtenTable, isOld ? ["bucket"] : []) else { return 0 }
    let condition = isOld ? " WHERE bucket = '\(PowerSync.local)'" : ""
    return try connection.integer("SELECT count(*) FROM \(writtenTable)\(condition)")
  }

  private func addCopies(
    to notes: inout Notes, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let applied = try applied(connection)
    guard
      var statement = try tables.select(
        ["row_type", "row_id", "op_id", "bucket", "op", "superseded", "rowid"],
        from: PowerSync.downloads, connection)
    else { return }
    while try statement.step() {
      guard let type = statement.strictText(at: 0), let id = statement.strictText(at: 1) else {
        continue
      }
      let bucket = statement.text(at: 3) ?? ""
      let isCopy =
        !isOld || statement.integer(at: 5) == 0 && (3...4).contains(statement.integer(at: 4))
      guard bucket != PowerSync.local, isCopy else { continue }
      let operation = statement.integer(at: 2)
      let isWaiting = operation > applied[ExactText(bucket)] ?? 0
      try notes.answer(
        .init(
          item: ItemName(id, of: type), source: isWaiting ? .waitingCopy : .copy,
          numbers: (operation, statement.integer(at: 6))))
    }
  }

  /// Up to which operation the downloads of each bucket are applied.
  private func applied(
    _ connection: borrowing Connection
  ) throws(SQLiteError) -> [ExactText: Int64] {
    guard
      var statement = try tables.select(
        [isOld ? "name" : "id", "last_applied_op"], from: PowerSync.buckets, connection)
    else { return [:] }
    var applied: [ExactText: Int64] = [:]
    while try statement.step() {
      applied[ExactText(statement.text(at: 0) ?? "")] = statement.integer(at: 1)
    }
    return applied
  }

  /// Compares rows that were written, and for which nothing waits, with their copies.
  private func addLocalChanges(
    of group: [ItemName: PowerSyncFacts], to differences: inout PowerSyncDifferences,
    _ documents: inout DownloadedDocuments, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let written = group.filter { $0.value.isWritten && $0.value.last == nil }
    for (type, items) in Dictionary(grouping: written, by: \.key.table) {
      guard let type = type?.wrappedValue,
        var own = try rows.documents(ofType: type, connection)
      else { continue }
      for (item, facts) in items.sorted(by: { $0.key.id < $1.key.id }) {
        own.reset()
        try own.bind(item.id.wrappedValue, at: 1)
        guard try own.step() else { continue }
        // No document at all is a row of nothing.
        let raw = own.optionalRaw(at: 0)
        guard let row = raw == nil ? JSONObject() : JSONObject(payload: raw) else { continue }
        if let copy = facts.copy, let document = try documents.document(ofRow: copy.row),
          isSame(row, document, type)
        {
          continue
        }
        differences.addLocalChange(of: item, isCopied: facts.copy != nil)
      }
    }
  }

  private func tellConflicts(
    _ differences: PowerSyncDifferences, to queue: inout Queue,
    _ documents: inout DownloadedDocuments
  ) throws(SQLiteError) {
    let compared = differences.compared
    let sent =
      documents.areThere ? payloads(of: compared.map(\.item), in: queue.operations) : [:]
    var words: [Int: String] = [:]
    for conflict in compared {
      guard let payload = sent[conflict.item] else { continue }
      words[conflict.place] = otherFields(
        payload, try documents.document(ofRow: conflict.row), conflict.item)
    }
    differences.tellConflicts(to: &queue, differing: words)
  }

  /// What operations on an item come to.
  private struct Sent {
    var fields: JSONObject
    /// Whether a field that is not there is NULL.
    var isWhole = false
  }

  /// What all operations on each of some items come to; nothing for one that is deleted in the end.
  private func payloads(
    of items: [ItemName], in operations: OperationList
  ) -> [ItemName: Sent] {
    guard !items.isEmpty else { return [:] }
    let wanted = Set(items)
    var payloads: [ItemName: Sent] = [:]
    for operation in operations {
      guard let item = rows.item(of: operation), wanted.contains(item) else { continue }
      let changes = operation.item.flatMap { JSONObject(parsing: $0.span) }
      switch operation.kind {
      case .insert?: payloads[item] = changes.map { Sent(fields: $0, isWhole: true) }
      case .update?:
        guard let changes else { continue }
        for member in changes.members {
          payloads[item, default: Sent(fields: JSONObject())].fields[member.key] = member.value
        }
      case .delete?, nil: payloads[item] = nil
      }
    }
    return payloads
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

  /// The fields that operations set to something else than a copy has, as the app's columns show them.
  private func otherFields(
    _ sent: Sent, _ copy: JSONObject?, _ item: ItemName
  ) -> String {
    guard let copy else { return ", which removes it" }
    let columns = item.table.map { rows.columns(of: $0.wrappedValue) } ?? []
    var names = sent.isWhole ? columns.map(\.key) : []
    let known = Set(names)
    names += sent.fields.members.map(\.key).filter { !known.contains($0) }
    let forms = Dictionary(keepingFirst: columns.map { ($0.key, $0.form) })
    names.removeAll { name in
      let (own, other) = (sent.fields[name] ?? .null, copy[name] ?? .null)
      return forms[name].map { $0.value(own) == $0.value(other) } ?? (own == other)
    }
    return names.isEmpty
      ? ", with the same values"
      : ", with other values of \(names.prefix(20).joined(separator: ", "))"
  }
}
