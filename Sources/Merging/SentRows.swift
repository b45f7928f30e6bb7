import Bytes
import Records
import SyncSDKs

/// A row that an operation would send.
struct SentRow: Sendable {
  let key: Int64
  private let place: Int32
  let source: Int32

  /// The place of the operation in the queue.
  var operation: Int { Int(place) }

  init(key: Int64, operation place: Int, of operation: PendingOperation) {
    self.key = key
    self.place = Int32(clamping: place)
    source = operation.source
  }
}

/// The values of rows of one table that could not be taken over, as the source itself keeps them.
struct LostCells: Sendable {
  private var columns: [Int64: [(source: Int32, column: Int)]] = [:]

  /// Adds the value of a row; where nobody knows of which source it is, it may be that of any.
  mutating func add(_ column: Int, ofRow key: Int64, source: Int32) {
    columns[key, default: []].append((source, column))
  }

  /// The columns of which a source has lost the value in a row.
  fileprivate func columns(ofRow key: Int64, source: Int32) -> [Int] {
    guard !columns.isEmpty, let lost = columns[key] else { return [] }
    return lost.filter { $0.source == source || $0.source == 0 }.map(\.column)
  }
}

/// The rows of one table of a source that operations would send, and how their devices spell them.
struct SentRows: Sendable {
  /// In the order of their keys; others than those wanted may be among them.
  private let rows: [SentRow]
  private let table: Table
  private let json: RowJSON
  /// By the numbers of the sources.
  private let bodies: [Int32: ItemBody]
  private let sdks: DeviceSDKs
  private let lost: LostCells
  /// What must be read of the table.
  let wanted: WantedCells

  /// Rows in the order of their keys, of which those with some keys are wanted; of a part of them
  /// only columns that the app calls unlike all others are spelled.
  init(
    _ rows: [SentRow], with keys: KeyLookup, of table: Table, lacking lost: LostCells,
    _ sdks: DeviceSDKs, isPart: Bool = false
  ) {
    let names = isPart ? table.columns.map { ExactText(sqlName: $0.sourceName) } : []
    let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
    self.rows = rows
    self.lost = lost
    self.sdks = sdks
    self.table = table
    json = RowJSON(of: table.withoutSource)
    var bodies: [Int32: ItemBody] = [:]
    for row in rows where bodies[row.source] == nil {
      bodies[row.source] = ItemBody(of: table, style: sdks[row.source].style) {
        !isPart || counts[ExactText(sqlName: $0.sourceName)] == 1
      }
    }
    self.bodies = bodies
    wanted = WantedCells([], wholeRows: keys)
  }

  /// The rows of a batch as their devices would send them, all bytes in one place.
  struct Spelled: Sendable {
    private struct Row {
      /// The places of the operations that would send it.
      let operations: Range<Int>
      let item: Range<Int>
      let updatedAt: Range<Int>
      let version: Range<Int>
      /// Where its bodies are in the list of all.
      let bodies: Range<Int>
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []
    /// What devices of a source would send of a row, and the names of what it lacks; empty where they
    /// cannot spell it.
    private var bodies: [(source: Int32, text: Range<Int>, lost: [String])] = []

    /// Lends each operation with what is kept for it, but for its number.
    func forEachOperation(
      of sent: SentRows, _ lend: (SentRow, DeviceItem) throws(StoreError) -> Void
    ) throws(StoreError) {
      for row in rows {
        for operation in sent.rows[row.operations] {
          var kept = DeviceItem(operation: 0, source: operation.source)
          var item = Array(bytes[row.item])
          let body = bodies[row.bodies].first { $0.source == operation.source }
          if let body, !body.text.isEmpty {
            kept.body = Array(bytes[body.text])
            LostMembers.name(body.lost, in: &item)
          }
          kept.item = item
          kept.updatedAt = self.text(row.updatedAt)
          kept.version = self.text(row.version)
          try lend(operation, kept)
        }
      }
    }

    private func text(_ range: Range<Int>) -> String? {
      range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
    }

    fileprivate mutating func add(
      _ row: Int, of batch: borrowing RecordBatch, rejects: ArraySlice<CellReject>,
      for operations: Range<Int>, _ sent: SentRows
    ) {
      let (start, first) = (bytes.count, bodies.count)
      sent.json.append(row: row, of: batch, to: &bytes)
      let itemEnd = bytes.count
      for operation in sent.rows[operations]
      where !bodies[first...].contains(where: { $0.source == operation.source }) {
        let bodyStart = bytes.count
        // What a device cannot spell it cannot send.
        _ = sent.bodies[operation.source]?.append(row: row, of: batch, to: &bytes)
        bodies.append(
          (
            operation.source, bodyStart..<bytes.count,
            sent.lostMembers(of: operation, rejects.map(\.column))
          ))
      }
      let timeStart = bytes.count
      append(.updatedAt, row, of: batch, sent.table)
      let versionStart = bytes.count
      append(.version, row, of: batch, sent.table)
      rows.append(
        Row(
          operations: operations, item: start..<itemEnd, updatedAt: timeStart..<versionStart,
          version: versionStart..<bytes.count, bodies: first..<bodies.count))
    }

    /// Appends the text of the cell with a role, if there is one.
    private mutating func append(
      _ role: ColumnRole, _ row: Int, of batch: borrowing RecordBatch, _ table: Table
    ) {
      guard let place = table.index(of: role) else { return }
      let arena = batch.arena
      bytes.appendPlain(
        batch.cells[row * batch.columnCount + place], type: table.columns[place].type,
        arena: arena.span)
    }
  }

  /// What a device would send of a row if its value in one of these columns, or in one that the source
  /// tells, could have been taken over.
  private func lostMembers(of row: SentRow, _ rejected: [Int]) -> [String] {
    let lost = rejected + lost.columns(ofRow: row.key, source: row.source)
    guard !lost.isEmpty else { return [] }
    return lost.map { table.columns[$0] }.filter(sdks[row.source].style.sends).map(\.sourceName)
  }

  /// The rows of a batch that operations would send.
  func spell(_ batch: borrowing RecordBatch) -> Spelled {
    let keys = batch.keys
    var spelled = Spelled()
    var rejects = RejectCursor(batch)
    for (row, key) in keys.enumerated() where wanted.wholeRows.contains(key) {
      let first = firstPlace(in: rows) { $0.key >= key }
      let operations = rows[first...].prefix { $0.key == key }.indices
      spelled.add(
        row, of: batch, rejects: rejects.rejects(ofRow: row), for: operations, self)
    }
    return spelled
  }
}
