import Records

/// Puts a queue together from the rows of an export's bookkeeping tables.
struct ExportQueue {
  private(set) var queue = Queue()
  private(set) var rejects: [RejectedValue] = []
  private(set) var deviceItems: [DeviceItem] = []

  /// The queue with operations that know their sources, once all parts are here.
  var wholeQueue: Queue {
    guard !deviceItems.isEmpty else { return queue }
    let sources = Dictionary(
      deviceItems.map { ($0.operation, $0.source) }, uniquingKeysWith: { first, _ in first })
    var whole = queue
    whole.operations.updateEach { _, operation in
      operation.source = sources[operation.sequence] ?? 0
    }
    return whole
  }

  mutating func add(_ batch: borrowing RecordBatch, of part: BookkeepingTable) {
    for row in 0..<batch.rowCount {
      let fields = RowFields(row: row, of: batch)
      switch part {
      case .operations: queue.operations.append(fields.operation(sequence: batch.keys[row]))
      case .errors: queue.errors.append(fields.error)
      case .tokens: queue.tokens.append(fields.token)
      case .rejects: rejects.append(fields.reject)
      case .deviceItems: deviceItems.append(fields.deviceItem(of: batch.keys[row]))
      }
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

    func operation(sequence: Int64) -> PendingOperation {
      var operation = PendingOperation()
      operation.sequence = sequence
      operation.table = text(0)
      operation.itemID = text(1)
      operation.kind = text(2).flatMap(OperationKind.init(rawValue:))
      operation.state = text(3).flatMap(OperationState.init(rawValue:)) ?? .pending
      operation.item = bytes(4)
      operation.baseVersion = text(5)
      operation.rowKey = integer(6)
      operation.rowTable = text(7)
      operation.originalID = text(8)
      operation.originalCode = text(9)
      operation.raw = raw(10)
      return operation
    }

    var error: OperationError {
      var error = OperationError()
      error.table = text(0)
      error.itemID = text(1)
      error.kind = text(2).flatMap(OperationKind.init(rawValue:))
      error.status = integer(3)
      error.code = text(4)
      error.message = text(5)
      error.item = bytes(6)
      error.serverItem = bytes(7)
      error.operation = integer(8)
      error.originalID = text(9)
      error.originalOperationID = text(10)
      error.raw = raw(11)
      return error
    }

    var token: DeltaToken {
      var token = DeltaToken()
      token.table = text(0)
      token.query = text(1)
      token.updatedAt = text(2)
      token.raw = text(3)
      return token
    }

    var reject: RejectedValue {
      RejectedValue(
        table: text(0) ?? "", row: integer(1) ?? 0, column: text(2) ?? "", code: text(3) ?? "",
        raw: raw(4))
    }

    func deviceItem(of operation: Int64) -> DeviceItem {
      var item = DeviceItem(operation: operation, source: Int32(clamping: integer(0) ?? 0))
      item.table = text(1)
      item.item = bytes(2)
      item.body = bytes(3)
      item.updatedAt = text(4)
      item.version = text(5)
      return item
    }

    private func bytes(_ place: Int) -> [UInt8]? {
      cells[place].kind == .null ? nil : Array(arena[cells[place].range])
    }

    private func text(_ place: Int) -> String? {
      bytes(place).map { String(decoding: $0, as: UTF8.self) }
    }

    private func integer(_ place: Int) -> Int64? {
      cells[place].kind == .integer ? cells[place].integer : nil
    }

    /// The value whose storage class is at `place`, and whose bytes come next.
    private func raw(_ place: Int) -> RawValue? {
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
