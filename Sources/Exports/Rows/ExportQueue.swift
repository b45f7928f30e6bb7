import Bytes
import Records

/// Puts a queue together from the rows of an export's bookkeeping tables.
struct ExportQueue {
  private var queue = Queue()
  private var sources = OperationSources()
  private var marks = OperationMarks()

  /// The queue with its marks, with operations that know their sources, and errors those of their
  /// operations, once all parts are here.
  ///
  /// - Throws: `StoreError` where a mark contradicts the operation.
  func wholeQueue(of path: String) throws(StoreError) -> Queue {
    var whole = queue
    tellSources(in: &whole)
    var marks = marks
    marks.settle()
    if let operation = whole.take(marks) {
      throw StoreError(
        .damaged, path: path,
        "the marks of operation \(operation) say otherwise than its state",
        hint: "write the export again from its store")
    }
    return whole
  }

  private func tellSources(in whole: inout Queue) {
    guard !sources.isEmpty else { return }
    whole.operations.updateEach { _, operation in
      operation.source = sources[operation.sequence] ?? 0
    }
    whole.errors.updateEach { error in
      // Older exports do not tell the sources of errors, but those of their operations.
      if error.source == 0 { error.source = error.operation.flatMap { sources[$0] } ?? 0 }
    }
  }

  /// Takes what makes a queue; what is asked for piece by piece is left where it is.
  mutating func add(_ batch: borrowing RecordBatch, of part: BookkeepingTable) {
    switch part {
    case .operations:
      queue.operations.append(contentsOf: Self.operations(in: batch))
    case .errors:
      batch.forEachSourcedRecord(part, OperationError.fields, OperationError()) {
        queue.errors.append($0)
      }
    case .tokens:
      batch.forEachSourcedRecord(part, DeltaToken.fields, DeltaToken()) { queue.tokens.append($0) }
    case .deviceItems:
      batch.forEachDeviceItem { sources.add($0.source, of: $0.operation) }
    case .marks:
      batch.forEachRecord(NumberedMark.exportedFields, .blank) { marks.append($0) }
    case .rejects, .journal: break
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
}
