extension Queue {
  /// Lends the rows of one part of the queue, a batch at a time, as `BookkeepingTable` lays them
  /// out; rejects are no part of it.
  package func forEachBatch(
    of part: BookkeepingTable, as form: OperationForm = .exported,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: part.table.columns.count)
    try forEachBatch(of: part, as: form, in: 0..<count(of: part), using: &batch, body)
  }

  /// As `forEachBatch`, for some rows of the part, in a batch without rows.
  ///
  /// The rows of operations may be known beside the queue.
  func forEachBatch(
    of part: BookkeepingTable, as form: OperationForm, in places: Range<Int>,
    rows: RowMatches? = nil, using batch: inout RecordBatch,
    _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var cells = OperationCells(form: form)
    for place in places {
      switch part {
      case .operations:
        cells.append(place, of: operations, tiedTo: rows, to: &batch)
      case .errors: batch.append(errors[place], key: Int64(place) + 1)
      case .tokens: batch.append(tokens[place], key: Int64(place) + 1)
      case .rejects, .deviceItems: break
      }
      guard batch.isFull else { continue }
      try body(&batch)
      batch.removeAll()
      cells.forgetCopy()
    }
    if batch.rowCount > 0 {
      try body(&batch)
      batch.removeAll()
    }
  }

  /// How many rows a part of the queue has.
  package func count(of part: BookkeepingTable) -> Int {
    switch part {
    case .operations: operations.count
    case .errors: errors.count
    case .tokens: tokens.count
    case .rejects, .deviceItems: 0
    }
  }
}

extension RecordBatch {
  fileprivate mutating func append(_ error: OperationError, key: Int64) {
    append(text: error.table)
    append(text: error.itemID)
    append(text: error.kind?.rawValue)
    append(error.status)
    append(text: error.code)
    append(text: error.message)
    append(utf8: error.item)
    append(utf8: error.serverItem)
    append(error.operation)
    append(text: error.originalID)
    append(text: error.originalOperationID)
    append(error.raw)
    endRow(key: key)
  }

  fileprivate mutating func append(_ token: DeltaToken, key: Int64) {
    append(text: token.table)
    append(text: token.query)
    append(text: token.updatedAt)
    append(text: token.raw)
    endRow(key: key)
  }

  /// Appends a value that was rejected, as `BookkeepingTable.rejects` lays it out.
  package mutating func append(_ reject: RejectedValue, key: Int64) {
    append(text: reject.table)
    append(reject.row)
    append(text: reject.column)
    append(text: reject.code)
    append(reject.raw)
    endRow(key: key)
  }

  /// Appends what a device would send, as `BookkeepingTable.deviceItems` lays it out.
  package mutating func append(_ item: DeviceItem) {
    append(Int64(item.source))
    append(text: item.table)
    append(utf8: item.item)
    append(utf8: item.body)
    append(text: item.updatedAt)
    append(text: item.version)
    endRow(key: item.operation)
  }

  private mutating func append(utf8 bytes: [UInt8]?) {
    guard let bytes else { return append(Cell.null) }
    appendText(bytes.span)
  }

  private mutating func append(_ number: Int64?) {
    append(number.map(Cell.integer) ?? .null)
  }

  /// Appends two cells: the storage class and the bytes.
  private mutating func append(_ raw: RawValue?) {
    append(text: raw?.storage)
    guard let bytes = raw?.bytes else { return append(Cell.null) }
    appendBinary(bytes.span)
  }
}
