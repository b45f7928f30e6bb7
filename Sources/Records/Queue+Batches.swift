extension Queue {
  /// Lends the rows of one part of the queue, a batch at a time, as `BookkeepingTable` lays them
  /// out; rejects are no part of it.
  ///
  /// - Throws: whatever `body` throws.
  package func forEachBatch(
    of part: BookkeepingTable, _ body: (inout RecordBatch) throws(StoreError) -> Void
  ) throws(StoreError) {
    var batch = RecordBatch(columnCount: part.table.columns.count)
    for place in 0..<count(of: part) {
      switch part {
      case .operations: batch.append(operations[place])
      case .errors: batch.append(errors[place], key: Int64(place) + 1)
      case .tokens: batch.append(tokens[place], key: Int64(place) + 1)
      case .rejects: break
      }
      guard batch.isFull else { continue }
      try body(&batch)
      batch.removeAll()
    }
    if batch.rowCount > 0 { try body(&batch) }
  }

  /// How many rows a part of the queue has.
  package func count(of part: BookkeepingTable) -> Int {
    switch part {
    case .operations: operations.count
    case .errors: errors.count
    case .tokens: tokens.count
    case .rejects: 0
    }
  }
}

extension RecordBatch {
  fileprivate mutating func append(_ operation: PendingOperation) {
    append(operation.table)
    append(operation.itemID)
    append(operation.kind?.rawValue)
    append(operation.state.rawValue)
    append(utf8: operation.item)
    append(operation.baseVersion)
    append(operation.rowKey)
    append(operation.rowTable)
    append(operation.originalID)
    append(operation.originalCode)
    append(operation.raw)
    endRow(key: operation.sequence)
  }

  fileprivate mutating func append(_ error: OperationError, key: Int64) {
    append(error.table)
    append(error.itemID)
    append(error.kind?.rawValue)
    append(error.status)
    append(error.code)
    append(error.message)
    append(utf8: error.item)
    append(utf8: error.serverItem)
    append(error.operation)
    append(error.originalID)
    append(error.originalOperationID)
    append(error.raw)
    endRow(key: key)
  }

  fileprivate mutating func append(_ token: DeltaToken, key: Int64) {
    append(token.table)
    append(token.query)
    append(token.updatedAt)
    append(token.raw)
    endRow(key: key)
  }

  /// Appends a value that was rejected, as `BookkeepingTable.rejects` lays it out.
  package mutating func append(_ reject: StoredReject, key: Int64) {
    append(reject.table)
    append(reject.row)
    append(reject.column)
    append(reject.code)
    append(reject.raw)
    endRow(key: key)
  }

  private mutating func append(_ text: String?) {
    guard let text else { return append(Cell.null) }
    let bytes = Array(text.utf8)
    appendText(bytes.span)
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
    append(raw?.storage)
    guard let bytes = raw?.bytes else { return append(Cell.null) }
    appendBinary(bytes.span)
  }
}
