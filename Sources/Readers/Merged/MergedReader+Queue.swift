import Bytes
package import Records

extension MergedReader {
  package func readQueue() throws(StoreError) -> Queue {
    var queue = try base.readQueue()
    ownSequences = queue.operations.map(\.sequence)
    firstSequence = sequences.count + 1
    sequences.count += Int64(ownSequences.count)
    let marks = queue.marks
    queue.marks = [:]
    var replaced: [Int: [ReplacedRow]] = [:]
    for place in queue.operations.indices {
      let operation = queue.operations[place]
      queue.operations[place].sequence = firstSequence + Int64(place)
      if let marked = marks[operation.sequence] {
        queue.marks[firstSequence + Int64(place)] = marked
      }
      guard let key = operation.rowKey else { continue }
      let own = keys.place(ofTable: operation.rowTable ?? operation.table)
      queue.operations[place].rowKey = own.map { keys.tables[$0].new(key) }
      if let own, operation.item == nil, keys.tables[own].winner(of: key) != nil {
        replaced[own, default: []].append(ReplacedRow(key: key, operation: place))
      }
    }
    for (own, rows) in replaced { try keepItems(of: rows, ofTable: own, in: &queue) }
    rename(&queue)
    return queue
  }

  /// Gives operations the items that they would have sent, where another row is kept.
  private func keepItems(
    of rows: [ReplacedRow], ofTable own: Int, in queue: inout Queue
  ) throws(StoreError) {
    let rows = rows.sorted { $0.key < $1.key }
    let keys = rows.map(\.key)
    let item = SentItem(of: mappings[own].table)
    try forEachRow(keys, ofTable: own) { (batch, wanted) throws(StoreError) in
      for row in wanted {
        let key = batch.keys[row]
        let first = firstPlace(in: keys) { $0 >= key }
        let json = item.json(ofRow: row, of: batch)
        for replaced in rows[first...].prefix(while: { $0.key == key })
        where queue.operations[replaced.operation].kind != .delete {
          queue.operations[replaced.operation].item = json
        }
      }
    }
  }

  /// A row that gives way, and the place of an operation that would have sent it.
  private struct ReplacedRow {
    let key: Int64
    let operation: Int
  }

  /// Gives tables and operations the names and numbers that they have in the united store.
  private func rename(_ queue: inout Queue) {
    for place in queue.errors.indices {
      queue.errors[place].table = queue.errors[place].table.map(united)
      queue.errors[place].operation = queue.errors[place].operation.flatMap(newSequence)
    }
    for place in queue.tokens.indices {
      queue.tokens[place].table = queue.tokens[place].table.map(united)
    }
    queue.findings = queue.findings.map(renumbered)
    guard !renamed.isEmpty else { return }
    for place in queue.operations.indices {
      if let table = queue.operations[place].table, let new = renamed[table] {
        queue.operations[place].table = new
      }
      if let table = queue.operations[place].rowTable, let new = renamed[table] {
        queue.operations[place].rowTable = new
      }
    }
  }

  /// The number of an operation among those of all sources; nil where there is no such operation.
  private func newSequence(_ sequence: Int64) -> Int64? {
    let place = firstPlace(in: ownSequences) { $0 >= sequence }
    guard place < ownSequences.count, ownSequences[place] == sequence else { return nil }
    return firstSequence + Int64(place)
  }

  private func united(_ table: String) -> String { renamed[table] ?? table }

  /// A finding of the source, with the names and numbers that the united store has.
  func renumbered(_ finding: Finding) -> Finding {
    var new = finding
    new.table = finding.table.map(united)
    new.operation = finding.operation.flatMap(newSequence)
    return new
  }

  /// A reject of the source, with the names and numbers that the united store has.
  func renumbered(_ reject: StoredReject) -> StoredReject {
    var new = reject
    new.table = united(reject.table)
    new.row = keys.new(reject.row, inTable: reject.table)
    if let own = keys.place(ofTable: reject.table) {
      new.column = mappings[own].name(ofColumn: reject.column)
    }
    return new
  }

  /// What a person should know about a row that gives way to one of another source.
  func finding(
    _ row: Int, of batch: borrowing RecordBatch, _ own: Int, keptFrom source: Int?
  ) -> Finding {
    let table = mappings[own].table
    var itemID: String?
    if let id = table.index(of: .id) {
      let bytes = batch.arena
      var spelled: [UInt8] = []
      spelled.appendPlain(
        batch.cells[row * batch.columnCount + id], type: table.columns[id].type, arena: bytes.span)
      itemID = String(decoding: spelled, as: UTF8.self)
    }
    let what = itemID == nil ? "the same pair" : "the same item"
    let other = source.map { labels[$0] } ?? "another source"
    return Finding(
      MergedRow.code, .note, table: united(table.name), itemID: itemID,
      message: "\(what) came with \(other), whose row is kept; this one, with _pk "
        + "\(batch.keys[row]) in its source, is told here")
  }
}

/// What an operation would have sent of a row: what the app itself put into the item.
private struct SentItem {
  private let columns: [(place: Int, column: Column)]

  init(of table: Table) {
    columns = table.columns.enumerated().filter { _, column in
      [.value, .id].contains(column.role) && column.type != .reference
    }.map { ($0, $1) }
  }

  func json(ofRow row: Int, of batch: borrowing RecordBatch) -> [UInt8] {
    let bytes = batch.arena
    var json: [UInt8] = [UInt8(ascii: "{")]
    for (place, column) in columns {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json.appendJSONString(column.sourceName.utf8Span.span)
      json.append(UInt8(ascii: ":"))
      json.appendJSON(
        batch.cells[row * batch.columnCount + place], type: column.type, arena: bytes.span)
    }
    json.append(UInt8(ascii: "}"))
    return json
  }
}
