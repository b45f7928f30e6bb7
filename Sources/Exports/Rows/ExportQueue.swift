import Bytes
import Records

/// Puts a queue together from the rows of an export's bookkeeping tables.
struct ExportQueue {
  private(set) var queue = Queue()
  private(set) var rejects: [RejectedValue] = []
  private(set) var deviceItems: [DeviceItem] = []
  private(set) var journal: [JournalLine] = []
  private var marks: [NumberedMark] = []

  /// The queue with its marks, with operations that know their sources, and errors those of their
  /// operations, once all parts are here.
  ///
  /// - Throws: `StoreError` where a mark contradicts the operation.
  func wholeQueue(of path: String) throws(StoreError) -> Queue {
    var whole = queue
    tellSources(in: &whole)
    if let operation = whole.take(marks) {
      throw StoreError(
        .damaged, path: path,
        "the marks of operation \(operation) say otherwise than its state",
        hint: "write the export again from its store")
    }
    return whole
  }

  private func tellSources(in whole: inout Queue) {
    guard !deviceItems.isEmpty else { return }
    let sources = Dictionary(keepingFirst: deviceItems.map { ($0.operation, $0.source) })
    whole.operations.updateEach { _, operation in
      operation.source = sources[operation.sequence] ?? 0
    }
    whole.errors.updateEach { error in
      // Older exports do not tell the sources of errors, but those of their operations.
      if error.source == 0 { error.source = error.operation.flatMap { sources[$0] } ?? 0 }
    }
  }

  mutating func add(_ batch: borrowing RecordBatch, of part: BookkeepingTable) {
    if part == .operations {
      return queue.operations.append(contentsOf: Self.operations(in: batch))
    }
    let isOfSeveral = batch.columnCount > part.table.columns.count
    let errorFields = OperationError.fields.ofSeveral(isOfSeveral)
    let tokenFields = DeltaToken.fields.ofSeveral(isOfSeveral)
    let rejectFields = RejectedValue.fields.ofSeveral(isOfSeveral)
    for row in 0..<batch.rowCount {
      let fields = RowFields(row: row, of: batch)
      switch part {
      case .operations: break
      case .errors: queue.errors.append(fields.record(OperationError(), errorFields))
      case .tokens: queue.tokens.append(fields.record(DeltaToken(), tokenFields))
      case .rejects: rejects.append(fields.record(.blank, rejectFields))
      case .deviceItems:
        let blank = DeviceItem(operation: batch.keys[row])
        deviceItems.append(fields.record(blank, DeviceItem.exportedFields))
      case .journal: journal.append(fields.record(.blank, JournalLine.fields))
      case .marks: marks.append(fields.record(.blank, NumberedMark.exportedFields))
      }
    }
  }

  /// The operations in the rows of a batch, which are many, so that they are packed at once.
  private static func operations(in batch: borrowing RecordBatch) -> [PendingOperation] {
    var packing = OperationPacking()
    for row in 0..<batch.rowCount {
      let fields = RowFields(row: row, of: batch)
      for place in Places.texts {
        if let text = fields.bytes(place) { packing.add(text.span) } else { packing.addNone() }
      }
      packing.addPayload(fields.raw(Places.raw))
      if let item = fields.bytes(Places.item) {
        packing.addItem(item.span)
      } else {
        packing.addNone()
      }
      packing.finish(
        sequence: batch.keys[row],
        fields.text(Places.kind).flatMap(OperationKind.init(rawValue:)),
        fields.text(Places.state).flatMap(OperationState.init(rawValue:)) ?? .pending,
        rowKey: fields.integer(Places.rowKey))
    }
    return packing.take()
  }

  /// Where the columns of operations are.
  private enum Places {
    /// The texts in the order in which operations are packed.
    static let texts = [
      "table", "itemId", "originalId", "baseVersion", "originalCode", "rowTable",
    ].map(place(of:))
    static let raw = place(of: "rawStorage")
    static let item = place(of: "item")
    static let kind = place(of: "kind")
    static let state = place(of: "state")
    static let rowKey = place(of: "rowKey")

    private static func place(of name: String) -> Int {
      BookkeepingTable.operations.table.columns.firstIndex { $0.name == name } ?? 0
    }
  }

  /// The cells of one row, by place.
  fileprivate struct RowFields {
    private let cells: [Cell]
    private let arena: [UInt8]

    init(row: Int, of batch: borrowing RecordBatch) {
      cells = Array(batch.cells(ofRow: row))
      arena = batch.arena
    }

    /// The record that a blank one becomes with the cells of its fields.
    func record<Record>(_ blank: Record, _ fields: [RecordField<Record>]) -> Record {
      var record = blank
      var place = 0
      for field in fields {
        field.take(value(place, of: field.type), &record)
        // A value of any class takes two cells.
        place += field.type == nil ? 2 : 1
      }
      return record
    }

    private func value(_ place: Int, of type: LogicalType?) -> FieldValue {
      switch type {
      case nil: raw(place).map(FieldValue.raw) ?? .null
      case .integer: integer(place).map(FieldValue.integer) ?? .null
      default: bytes(place).map(FieldValue.utf8) ?? .null
      }
    }

    func bytes(_ place: Int) -> [UInt8]? {
      cells[place].kind == .null ? nil : Array(arena[cells[place].range])
    }

    func text(_ place: Int) -> String? {
      bytes(place).map { String(decoding: $0, as: UTF8.self) }
    }

    func integer(_ place: Int) -> Int64? {
      cells[place].kind == .integer ? cells[place].integer : nil
    }

    /// The value whose storage class is at `place`, and whose bytes come next.
    func raw(_ place: Int) -> RawValue? {
      guard let storage = text(place), let bytes = bytes(place + 1) else { return nil }
      switch storage {
      case "integer": return .integer(Int64(bitPattern: word(bytes)))
      case "real": return .real(Double(bitPattern: word(bytes)))
      case "text": return .text(bytes)
      default: return .binary(bytes)
      }
    }

    private func word(_ bytes: [UInt8]) -> UInt64 {
      bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
