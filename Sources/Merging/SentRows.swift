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

/// The rows of one table of a source that operations would send, and how their devices spell them.
struct SentRows: Sendable {
  /// In the order of their keys.
  private let rows: [SentRow]
  private let table: Table
  private let json: RowJSON
  /// By the numbers of the sources.
  private let bodies: [Int32: ItemBody]
  /// What must be read of the table.
  let wanted: WantedCells

  /// Rows in the order of their keys.
  init(_ rows: [SentRow], of table: Table, _ source: SourceDescription) {
    self.rows = rows
    self.table = table
    json = RowJSON(of: table.withoutSource)
    var bodies: [Int32: ItemBody] = [:]
    for number in Set(rows.map(\.source)) {
      let style = SDK.traits(ofSource: number, in: source).style
      bodies[number] = ItemBody(of: table, style: style)
    }
    self.bodies = bodies
    wanted = WantedCells([], wholeRows: KeyLookup(rows.map(\.key)))
  }

  /// A row as its devices would send it.
  struct Spelled: Sendable {
    /// The operations that would send it.
    let operations: ArraySlice<SentRow>
    private let item: [UInt8]
    /// Without an entry for a source that cannot spell it.
    private let bodies: [Int32: [UInt8]]
    private let updatedAt: String?
    private let version: String?

    init(
      row: Int, of batch: borrowing RecordBatch, for operations: ArraySlice<SentRow>,
      _ sent: SentRows
    ) {
      self.operations = operations
      var item: [UInt8] = []
      sent.json.append(row: row, of: batch, to: &item)
      self.item = item
      var bodies: [Int32: [UInt8]] = [:]
      for source in Set(operations.map(\.source)) {
        bodies[source] = sent.bodies[source]?.json(ofRow: row, of: batch)
      }
      self.bodies = bodies
      updatedAt = batch.spelled(.updatedAt, ofRow: row, sent.table)
      version = batch.spelled(.version, ofRow: row, sent.table)
    }

    /// What the device of an operation would send; nil where that cannot be spelled.
    func body(for operation: SentRow) -> [UInt8]? { bodies[operation.source] }

    /// What is kept for an operation, which has a number in its source.
    func item(for operation: SentRow, numbered sequence: Int64) -> DeviceItem {
      var kept = DeviceItem(operation: sequence, source: operation.source)
      kept.item = item
      kept.body = body(for: operation)
      kept.updatedAt = updatedAt
      kept.version = version
      return kept
    }
  }

  /// The rows of a batch that operations would send.
  func spell(_ batch: borrowing RecordBatch) -> [Spelled] {
    let keys = batch.keys
    var spelled: [Spelled] = []
    for (row, key) in keys.enumerated() where wanted.wholeRows.contains(key) {
      let first = firstPlace(in: rows) { $0.key >= key }
      let operations = rows[first...].prefix { $0.key == key }
      spelled.append(Spelled(row: row, of: batch, for: operations, self))
    }
    return spelled
  }
}

extension RecordBatch {
  /// The text of the cell with a role; nil where there is none, or nothing in it.
  fileprivate func spelled(_ role: ColumnRole, ofRow row: Int, _ table: Table) -> String? {
    guard let place = table.index(of: role) else { return nil }
    let bytes = arena
    var text: [UInt8] = []
    text.appendPlain(
      cells[row * columnCount + place], type: table.columns[place].type, arena: bytes.span)
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}

extension SDK {
  /// What is true of the SDK of a device of a source.
  static func traits(ofSource number: Int32, in source: SourceDescription) -> SDKTraits {
    let store = source.earlier.first { $0.number == Int64(max(1, number)) }?.source
    return traits(ofLayout: store?.layout.rawValue, generation: store?.generation)
  }
}
